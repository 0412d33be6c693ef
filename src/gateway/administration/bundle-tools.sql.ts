import { firstOf } from '../upstreams/upstreams.sql';
import { TOOL_KINDS_SQL } from '../rules/tool-kinds';

/**
 * $1 bundle, $2 the entries that the caller may see. What is approved and said of each tool now. The state follows the same rules
 * as what clients get (`tool-rules.ts`).
 */
const TOOLS = `
  SELECT tools.id, tools.entry_id, tools.kind, tools.name, encode(tools.digest, 'hex') AS digest, tools.is_listed,
         encode(tools.shown_digest, 'hex') AS shown_digest, encode(approved.shown_digest, 'hex') AS approved_shown_digest,
         tools.first_seen_at, tools.changed_at, entries.key AS entry_key, entries.pinning, judged.state,
         encode(approved.digest, 'hex') AS approved_digest, approved.approved_by, approved.approved_at,
         COALESCE(overrides.is_enabled, true) AS is_enabled, overrides.exposed_name, overrides.title,
         overrides.description, overrides.annotations, overrides.fixed_arguments
  FROM bundle_tools AS tools
  JOIN bundle_entries AS entries ON entries.id = tools.entry_id AND entries.bundle_id = tools.bundle_id
  LEFT JOIN tool_overrides AS overrides
    ON overrides.bundle_id = tools.bundle_id AND overrides.entry_id = tools.entry_id AND overrides.kind = tools.kind
      AND overrides.name = tools.name AND overrides.until_version IS NULL
  LEFT JOIN LATERAL (
    SELECT digest, shown_digest, approved_by, approved_at FROM tool_approvals AS approvals
    WHERE approvals.bundle_id = tools.bundle_id AND approvals.entry_id = tools.entry_id AND approvals.kind = tools.kind
      AND approvals.name = tools.name AND approvals.until_version IS NULL
    ORDER BY approvals.digest = tools.digest DESC, approvals.approved_at DESC, approvals.digest DESC LIMIT 1
  ) AS approved ON true
  CROSS JOIN LATERAL (
    SELECT CASE WHEN NOT tools.is_listed THEN 'GONE'
                WHEN NOT COALESCE(overrides.is_enabled, true) THEN 'HIDDEN'
                WHEN entries.pinning <> 'APPROVE' THEN 'LISTED'
                WHEN approved.digest = tools.digest
                  AND (approved.shown_digest <> tools.shown_digest) IS NOT TRUE THEN 'LISTED'
                WHEN approved.digest IS NULL THEN 'NEW' ELSE 'CHANGED' END AS state
  ) AS judged
  WHERE tools.bundle_id = $1 AND tools.entry_id = ANY ($2::uuid[])`;

/**
 * $3 text, $4 entry, $5 kind, $6 state, $7 and $8 entries and names of those with a finding; null: any. $9 to $11 entry, kind and
 * name after which the page begins, $12 rows. In the order of the unique index.
 */
export const LIST = `
  SELECT * FROM (${TOOLS}) AS tools
  WHERE ($3::text IS NULL
         OR strpos(lower(concat_ws(' ', tools.name, tools.exposed_name, tools.title)), lower($3::text)) > 0)
    AND ($4::uuid IS NULL OR tools.entry_id = $4) AND ($5::text IS NULL OR tools.kind = $5)
    AND ($6::text IS NULL OR tools.state = $6)
    AND ($7::uuid[] IS NULL OR (tools.entry_id, tools.name) IN (SELECT * FROM unnest($7::uuid[], $8::text[])))
    AND ($9::uuid IS NULL OR (tools.entry_id, tools.kind, tools.name) > ($9::uuid, $10::text, $11::text))
  ORDER BY tools.entry_id, tools.kind, tools.name LIMIT $12`;

/** $3 tool. */
export const FIND = `${TOOLS} AND tools.id = $3`;

/** $3 tools. */
export const FIND_ALL = `${TOOLS} AND tools.id = ANY ($3::uuid[])`;

/** $1 bundle, $2 entries: the names that the tools and prompts of the bundle have. */
export const NAMES = `
  SELECT tools.id, tools.entry_id, tools.kind, tools.name, overrides.exposed_name
  FROM bundle_tools AS tools
  LEFT JOIN tool_overrides AS overrides
    ON overrides.bundle_id = tools.bundle_id AND overrides.entry_id = tools.entry_id AND overrides.kind = tools.kind
      AND overrides.name = tools.name AND overrides.until_version IS NULL
  WHERE tools.bundle_id = $1 AND tools.entry_id = ANY ($2::uuid[]) AND tools.kind IN ('tool', 'prompt')
    AND (tools.is_listed OR overrides.exposed_name IS NOT NULL)`;

/** $1 bundle, $2 entries, $3 kinds, $4 names, in the same order: what their servers list under these names. */
export const PRESENT_BODIES = `
  SELECT DISTINCT ON (given.place) given.place::int AS place, listed.body
  FROM unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS given (entry_id, kind, name, place)
  JOIN endpoint_upstreams AS uses ON uses.bundle_id = $1 AND uses.entry_id = given.entry_id
  JOIN upstream_definitions AS listed ON listed.upstream_id = uses.upstream_id AND listed.kind = given.kind
    AND listed.name = given.name AND listed.is_listed
  WHERE given.kind = ANY (${TOOL_KINDS_SQL})
  ORDER BY given.place, ${firstOf('listed')}`;

/** $1 bundle, $2 entry, $3 kind, $4 name, $5 how many: its definitions, the present one first. */
export const DEFINITIONS_OF = `
  SELECT encode(known.digest, 'hex') AS digest, known.is_listed, known.first_seen_at, known.last_seen_at, known.body,
         EXISTS (SELECT FROM tool_approvals AS approvals
                 WHERE approvals.bundle_id = $1 AND approvals.entry_id = $2 AND approvals.kind = $3
                   AND approvals.name = $4 AND approvals.digest = known.digest AND approvals.until_version IS NULL)
           AS is_approved
  FROM endpoint_upstreams AS uses JOIN upstream_definitions AS known ON known.upstream_id = uses.upstream_id
  WHERE uses.bundle_id = $1 AND uses.entry_id = $2 AND known.kind = $3 AND known.name = $4
  ORDER BY known.is_listed DESC, ${firstOf('known')}, known.last_seen_at DESC LIMIT $5`;

/** $1 bundle, $2 digest. */
