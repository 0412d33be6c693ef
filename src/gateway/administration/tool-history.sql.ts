import { comparedShown } from '../rules/tool-inventory.sql';
import { TOOL_KINDS_SQL } from '../rules/tool-kinds';
import { holdsAt } from '../rules/tool-rules.sql';

/** One tool has so many approved definitions, as lists may differ per person; the oldest beyond that are withdrawn. */
const MAX_APPROVED = 16;

/** $1 bundle, $2 entries, $3 how many: what their servers list now. */
export const LISTED = `
  SELECT uses.entry_id, listed.kind, listed.name, listed.digest
  FROM endpoint_upstreams AS uses JOIN upstream_definitions AS listed ON listed.upstream_id = uses.upstream_id
  WHERE uses.bundle_id = $1 AND uses.entry_id = ANY ($2::uuid[]) AND listed.is_listed
    AND listed.kind = ANY (${TOOL_KINDS_SQL})
  LIMIT $3`;

/**
 * $1 bundle, $2 entries, $3 kinds, $4 names, $5 digests, $6 what clients show besides or null, in the same order: those that
 * their servers list now.
 */
export const LISTED_THESE = `
  SELECT given.place::int AS place
  FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::bytea[]) WITH ORDINALITY
    AS given (entry_id, kind, name, digest, shown_digest, place)
  JOIN endpoint_upstreams AS uses ON uses.bundle_id = $1 AND uses.entry_id = given.entry_id
  JOIN upstream_definitions AS listed ON listed.upstream_id = uses.upstream_id AND listed.kind = given.kind
    AND listed.name = given.name AND listed.digest = given.digest AND listed.is_listed
  WHERE given.kind = ANY (${TOOL_KINDS_SQL})
    AND (given.shown_digest <> ${comparedShown('listed')}) IS NOT TRUE`;

/** The same: what they are. */
export const LISTED_BODIES = `
  SELECT DISTINCT ON (given.digest) given.digest, listed.body
  FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[]) AS given (entry_id, kind, name, digest)
  JOIN endpoint_upstreams AS uses ON uses.bundle_id = $1 AND uses.entry_id = given.entry_id
  JOIN upstream_definitions AS listed ON listed.upstream_id = uses.upstream_id AND listed.kind = given.kind
    AND listed.name = given.name AND listed.digest = given.digest AND listed.is_listed`;

/**
 * $1 bundle, $2 version, $3 person, $4 entries, $5 kinds, $6 names, $7 digests: with what clients show of them now, in place of
 * what was approved of that before. Returns those that were not approved.
 */
export const APPROVE = `
  WITH given AS (
    SELECT DISTINCT ON (wanted.entry_id, wanted.kind, wanted.name, wanted.digest)
           wanted.entry_id, wanted.kind, wanted.name, wanted.digest, ${comparedShown('listed')} AS shown_digest
    FROM unnest($4::uuid[], $5::text[], $6::text[], $7::bytea[]) AS wanted (entry_id, kind, name, digest)
    LEFT JOIN endpoint_upstreams AS uses ON uses.bundle_id = $1 AND uses.entry_id = wanted.entry_id
    LEFT JOIN upstream_definitions AS listed ON listed.upstream_id = uses.upstream_id AND listed.kind = wanted.kind
      AND listed.name = wanted.name AND listed.digest = wanted.digest AND listed.is_listed
    ORDER BY wanted.entry_id, wanted.kind, wanted.name, wanted.digest, listed.shown_digest
  ), ended AS (
    UPDATE tool_approvals AS former SET until_version = $2::int FROM given
    WHERE former.bundle_id = $1 AND former.entry_id = given.entry_id AND former.kind = given.kind
      AND former.name = given.name AND former.digest = given.digest AND former.until_version IS NULL
      AND former.from_version < $2::int AND former.shown_digest <> given.shown_digest
    RETURNING former.entry_id, former.kind, former.name, former.digest
  )
  INSERT INTO tool_approvals (bundle_id, entry_id, kind, name, digest, shown_digest, from_version, approved_by, approved_at)
  SELECT $1::uuid, entry_id, kind, name, digest, shown_digest, $2::int, $3::uuid, now() FROM given
  WHERE NOT EXISTS (SELECT FROM tool_approvals AS present
                    WHERE present.bundle_id = $1 AND present.entry_id = given.entry_id AND present.kind = given.kind
                      AND present.name = given.name AND present.digest = given.digest AND present.until_version IS NULL)
    OR (entry_id, kind, name, digest) IN (SELECT entry_id, kind, name, digest FROM ended)
  RETURNING entry_id, kind, name`;

/** $1 bundle, $2 version. */
export const WITHDRAW_OLDEST = `
  UPDATE tool_approvals AS approvals SET until_version = $2
  FROM (SELECT entry_id, kind, name, digest, from_version,
               row_number() OVER (PARTITION BY entry_id, kind, name ORDER BY approved_at DESC, digest DESC) AS place
        FROM tool_approvals WHERE bundle_id = $1 AND until_version IS NULL) AS aged
  WHERE aged.place > ${MAX_APPROVED} AND approvals.bundle_id = $1 AND approvals.entry_id = aged.entry_id
    AND approvals.kind = aged.kind AND approvals.name = aged.name AND approvals.digest = aged.digest
    AND approvals.from_version = aged.from_version AND approvals.from_version < $2`;

/** $1 bundle, $2 digests, $3 what they stand for. */
export const KEEP_DEFINITIONS = `
  INSERT INTO approved_definitions AS known (bundle_id, digest, body)
  SELECT DISTINCT ON (given.digest) $1::uuid, given.digest, given.body
  FROM unnest($2::bytea[], $3::text[]) AS given (digest, body)
  ON CONFLICT (bundle_id, digest) DO UPDATE SET unused_since = NULL WHERE known.unused_since IS NOT NULL`;

/** $1 bundle. */
export const NOTE_USE_OF_DEFINITIONS = `
  UPDATE approved_definitions AS known SET unused_since = CASE WHEN known.unused_since IS NULL THEN now() END
  WHERE known.bundle_id = $1
    AND (known.unused_since IS NULL) <> EXISTS (
      SELECT FROM tool_approvals AS present
      WHERE present.bundle_id = $1 AND known.digest IN (present.digest, present.shown_digest)
        AND present.until_version IS NULL)`;

/** The rows of a table that version $2 of bundle $1 had; $4 and $5: ids of entries then and now. */
const had = (table: string, columns: string) => `
  SELECT COALESCE(moved.now_id, former.entry_id) AS entry_id, ${columns}
  FROM ${table} AS former
  LEFT JOIN unnest($4::uuid[], $5::uuid[]) AS moved (id, now_id) ON moved.id = former.entry_id
  WHERE former.bundle_id = $1 AND ${holdsAt('former', '$2')}`;

const isSameApproval = `(wanted.entry_id, wanted.kind, wanted.name, wanted.digest)
    = (present.entry_id, present.kind, present.name, present.digest)
  AND wanted.shown_digest IS NOT DISTINCT FROM present.shown_digest`;

/** $1 bundle, $2 the version to restore, $3 the new one, $4 ids of its entries, $5 ids that they have now. */
export const RESTORE_APPROVALS = `
  WITH wanted AS (
    SELECT DISTINCT ON (entry_id, kind, name, digest) * FROM (
      ${had('tool_approvals', 'kind, name, digest, shown_digest, approved_by, approved_at')}
    ) AS had ORDER BY entry_id, kind, name, digest, approved_at DESC
  ), present AS (
    SELECT entry_id, kind, name, digest, shown_digest, from_version FROM tool_approvals WHERE bundle_id = $1 AND until_version IS NULL
  ), closed AS (
    UPDATE tool_approvals AS approvals SET until_version = $3 FROM present
    WHERE approvals.bundle_id = $1 AND approvals.entry_id = present.entry_id AND approvals.kind = present.kind
      AND approvals.name = present.name AND approvals.digest = present.digest AND approvals.until_version IS NULL
      AND NOT EXISTS (SELECT FROM wanted
                      WHERE ${isSameApproval})
    RETURNING 1
  ), opened AS (
    INSERT INTO tool_approvals (bundle_id, entry_id, kind, name, digest, shown_digest, from_version, approved_by, approved_at)
    SELECT $1::uuid, entry_id, kind, name, digest, shown_digest, $3::int, approved_by, approved_at FROM wanted
    WHERE NOT EXISTS (SELECT FROM present
                      WHERE ${isSameApproval})
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM closed)::int + (SELECT count(*) FROM opened)::int AS changed`;

const SAID = 'is_enabled, exposed_name, title, description, annotations, fixed_arguments';
const said = (table: string) => `(${table}.is_enabled, ${table}.exposed_name, ${table}.title, ${table}.description,
    ${table}.annotations, ${table}.fixed_arguments)`;
const isSame = `wanted.entry_id = present.entry_id AND wanted.kind = present.kind AND wanted.name = present.name
  AND ${said('wanted')} IS NOT DISTINCT FROM ${said('present')}`;

/** The same for overrides. */
export const RESTORE_OVERRIDES = `
  WITH wanted AS (
    SELECT DISTINCT ON (entry_id, kind, name) * FROM (
      ${had('tool_overrides', `kind, name, ${SAID}, made_by, made_at`)}
    ) AS had ORDER BY entry_id, kind, name, made_at DESC
  ), present AS (
    SELECT entry_id, kind, name, from_version, ${SAID} FROM tool_overrides
    WHERE bundle_id = $1 AND until_version IS NULL
  ), closed AS (
    UPDATE tool_overrides AS overrides SET until_version = $3 FROM present
    WHERE overrides.bundle_id = $1 AND overrides.entry_id = present.entry_id AND overrides.kind = present.kind
      AND overrides.name = present.name AND overrides.until_version IS NULL
      AND NOT EXISTS (SELECT FROM wanted WHERE ${isSame})
    RETURNING 1
  ), opened AS (
    INSERT INTO tool_overrides (bundle_id, entry_id, kind, name, from_version, ${SAID}, made_by, made_at)
    SELECT $1::uuid, entry_id, kind, name, $3::int, ${SAID}, made_by, made_at FROM wanted
    WHERE NOT EXISTS (SELECT FROM present WHERE ${isSame})
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM closed)::int + (SELECT count(*) FROM opened)::int AS changed`;

/** $1 bundle, $2 entry, $3 kind, $4 name, $5 version. */
export const END_OVERRIDE = `
  UPDATE tool_overrides SET until_version = $5
  WHERE bundle_id = $1 AND entry_id = $2 AND kind = $3 AND name = $4 AND until_version IS NULL`;

/** $1 bundle, $2 entry, $3 kind, $4 name, $5 version, $6 person, $7 and further: what it says. */
export const BEGIN_OVERRIDE = `
  INSERT INTO tool_overrides (bundle_id, entry_id, kind, name, from_version, made_by, ${SAID})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** What is said of the tools of bundle $1 in a version. */
const state = (version: string) => `
  SELECT entry_id, kind, name,
         jsonb_build_object(
           'is_enabled', COALESCE(overrides.is_enabled, true), 'name', overrides.exposed_name, 'title', overrides.title,
           'description', overrides.description, 'annotations', overrides.annotations,
           'fixed_arguments', overrides.fixed_arguments, 'approved_digests', COALESCE(approved.digests, '[]')) AS said
  FROM (SELECT * FROM tool_overrides AS all_overrides
        WHERE bundle_id = $1 AND ${holdsAt('all_overrides', version)}) AS overrides
  FULL JOIN (SELECT entry_id, kind, name, jsonb_agg(encode(digest, 'hex') ORDER BY digest) AS digests
             FROM tool_approvals AS all_approvals WHERE bundle_id = $1 AND ${holdsAt('all_approvals', version)}
             GROUP BY entry_id, kind, name) AS approved USING (entry_id, kind, name)`;

/** $1 bundle, $2 and $3 versions, $4 the entries that may be known, $5 how many. */
export const COMPARE = `
  SELECT entry_id, kind, name, former.said AS before, latter.said AS after, (count(*) OVER ())::int AS total
  FROM (${state('$2')}) AS former FULL JOIN (${state('$3')}) AS latter USING (entry_id, kind, name)
  WHERE former.said IS DISTINCT FROM latter.said AND entry_id = ANY ($4::uuid[])
  ORDER BY entry_id, kind, name LIMIT $5`;

/** $1 bundle. */
export const RAISE_STAMP = `UPDATE bundle_endpoints SET stamp = stamp + 1, updated_at = now() WHERE bundle_id = $1`;
