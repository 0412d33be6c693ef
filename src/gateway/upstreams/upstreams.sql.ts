import type { PreparedStatement } from '../../database/prepared';
import { hasLostAccess } from '../credentials/credential-store.sql';
import { ADDRESS, LEASE } from './upstream-sessions.sql';

/** How long an upstream that no bundle uses is kept. */
const KEPT = `interval '30 days'`;
/** How long a definition that is no longer listed is kept; what was approved is kept longer (`approved_definitions`). */
const HISTORY = `interval '90 days'`;
/** Upstreams that were not used for so long are not asked for their lists. */
const IN_USE = `interval '1 day'`;
/** For how long a process has an upstream for itself to read its lists; longer than that may take (`UpstreamLimits.refreshMs`). */
const CLAIM = `interval '90 seconds'`;
/** Sets of capabilities of clients for which the lists of an upstream are read, with that of none. */
const MAX_SETS = 8;
/** Lists are read for a set as long as a client with these capabilities was there within that time. */
const SET_KEPT = `interval '7 days'`;
/** How long it is known which era an upstream speaks (`UpstreamEras`), and how long where that contradicts what it said before. */
const VERDICT = `interval '24 hours'`;
const DOUBTFUL = `interval '10 minutes'`;
/** What is shown of a definition is unsteady if it has changed so often, each time within a day of the time before. */
export const UNSTEADY = 3;
const STEADY_AFTER = `interval '1 day'`;
/** Definitions of an upstream that are no longer listed: what exceeds either is forgotten before its time, oldest first. */
const MAX_UNLISTED = 4_000;
const MAX_UNLISTED_BYTES = 16_777_216;

/** An upstream that is claimed comes with the sets that clients have, or had. */
const SETS = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('set', capabilities, 'isListed', sets.listed_at IS NOT NULL,
                                                'isTried', tried_at IS NOT NULL,
                                                'isWanted', wanted_at > now() - ${SET_KEPT}) ORDER BY capabilities), '[]')
   FROM upstream_capability_sets AS sets WHERE sets.upstream_id = upstreams.id) AS sets`;

/** Then only what was not read for a new set of capabilities has to be read. */
const IS_FRESH = `(listed_at > now() - interval '30 seconds' AND list_error IS NULL) IS TRUE AS is_fresh`;

const COLUMNS = `id, url, headers, credential_id, fills, modern, legacy, only_era, server_info, capabilities, instructions, listed_at, list_error, left_out, ttl_ms`;

/**
 * $1 digests, $2 addresses, $3 headers as JSON, $4 credentials or null, $5 their fills as JSON, all in the same order. A
 * credential that is gone has no upstream. Returns fewer rows than that where another
 * transaction has just created one: it can be seen by the next statement.
 */
export const ENSURE: PreparedStatement = {
  name: 'gateway_ensure_upstreams',
  sql: `
  WITH wanted AS (
    SELECT digest, url, headers, credential_id, fills, place
    FROM unnest($1::bytea[], $2::text[], $3::text[], $4::uuid[], $5::text[]) WITH ORDINALITY
      AS wanted (digest, url, headers, credential_id, fills, place)
  ), created AS (
    INSERT INTO upstreams (id, digest, url, headers, credential_id, fills)
    SELECT DISTINCT ON (digest) uuid_v7(), digest, url, headers::jsonb, credential_id, fills::jsonb FROM wanted
    WHERE NOT EXISTS (SELECT FROM upstreams WHERE upstreams.digest = wanted.digest)
      AND (credential_id IS NULL OR EXISTS (SELECT FROM credentials WHERE credentials.id = wanted.credential_id))
    ON CONFLICT (digest) DO NOTHING
    RETURNING digest, ${COLUMNS}
  ), notified AS (
    SELECT pg_notify('toolyard_upstreams', '') FROM created LIMIT 1
  )
  SELECT place::int AS place, ${COLUMNS}, (SELECT count(*) FROM notified)::int AS notices
  FROM (SELECT digest, ${COLUMNS} FROM upstreams WHERE digest = ANY ($1::bytea[])
        UNION ALL SELECT digest, ${COLUMNS} FROM created) AS found
  JOIN (SELECT digest, place FROM wanted) AS places USING (digest)
  ORDER BY place`,
};

/** $1 digests. */
export const FIND = `SELECT id, encode(digest, 'hex') AS digest FROM upstreams WHERE digest = ANY ($1::bytea[])`;

/**
 * SQL: for which sets of capabilities a definition is listed, as bits. One of the release before lists for none of them only, and
 * does not write which.
 */
export function listedFor(definitions: string): string {
  return `CASE WHEN NOT ${definitions}.is_listed THEN 0 WHEN ${definitions}.listed_for = 0 THEN 1 ELSE ${definitions}.listed_for END`;
}

/** SQL: sorts what fewer capabilities are needed for before the others, where an upstream has several definitions of a name. */
export function firstOf(definitions: string): string {
  return `(${listedFor(definitions)}) & -(${listedFor(definitions)})`;
}

/** $1 upstreams, $2 for which sets, as bits. First those for which fewer capabilities are needed. */
export const DEFINITIONS: PreparedStatement = {
  name: 'gateway_definitions_for',
  sql: `
  SELECT known.upstream_id, kind, name, body, digest, encode(shown_digest, 'hex') AS shown,
         shown_changes >= ${UNSTEADY} AS is_unsteady
  FROM unnest($1::uuid[], $2::int[]) AS wanted (upstream_id, sets)
  JOIN upstream_definitions AS known ON known.upstream_id = wanted.upstream_id
  WHERE is_listed AND (${listedFor('known')}) & wanted.sets <> 0
  ORDER BY known.upstream_id, kind, ${firstOf('known')}, place`,
};

/** $1 upstreams, $2 for which sets, as bits. The length of a long text is known without reading it. */
export const DEFINITION_SIZES: PreparedStatement = {
  name: 'gateway_definition_sizes',
  sql: `
  SELECT known.upstream_id, sum(octet_length(body))::float8 AS bytes
  FROM unnest($1::uuid[], $2::int[]) AS wanted (upstream_id, sets)
  JOIN upstream_definitions AS known ON known.upstream_id = wanted.upstream_id
  WHERE is_listed AND (${listedFor('known')}) & wanted.sets <> 0
  GROUP BY known.upstream_id`,
};

/** $1 upstream, $2 name: a tool that it lists. */
export const TOOL: PreparedStatement = {
  name: 'gateway_tool',
  sql: `
  SELECT body FROM upstream_definitions AS known WHERE upstream_id = $1 AND kind = 'tool' AND name = $2 AND is_listed
  ORDER BY ${firstOf('known')} LIMIT 1`,
};

/**
 * $1 upstreams, $2 a set. Clients with these capabilities use them: their lists are read for the set, too, unless they are read
 * for as many already. Returns the sets of each.
 */
export const WANT_SET: PreparedStatement = {
  name: 'gateway_want_set',
  sql: `
  WITH known AS (
    SELECT upstream_id, capabilities, listed_at IS NOT NULL AS is_listed, tried_at IS NOT NULL AS is_tried
    FROM upstream_capability_sets
    WHERE upstream_id = ANY ($1::uuid[])
  ), added AS (
    INSERT INTO upstream_capability_sets (upstream_id, capabilities)
    SELECT id, $2::smallint FROM upstreams
    WHERE id = ANY ($1::uuid[])
      AND NOT EXISTS (SELECT FROM known WHERE known.upstream_id = upstreams.id AND known.capabilities = $2::smallint)
      AND (SELECT count(*) FROM known WHERE known.upstream_id = upstreams.id) < ${MAX_SETS - 1}
    ORDER BY id
    ON CONFLICT DO NOTHING
    RETURNING upstream_id
  ), due AS (
    UPDATE upstreams SET due_at = now() FROM (
      SELECT id FROM upstreams WHERE id IN (SELECT upstream_id FROM added) AND due_at > now()
      ORDER BY id FOR NO KEY UPDATE
    ) AS asked WHERE upstreams.id = asked.id
    RETURNING upstreams.id
  ), notified AS (
    SELECT pg_notify('toolyard_upstreams', '') FROM due LIMIT 1
  )
  SELECT upstream_id, capabilities, is_listed, is_tried, (SELECT count(*) FROM notified)::int AS notices FROM known
  UNION ALL SELECT upstream_id, $2::smallint, false, false, 0 FROM added`,
};

/** $1 upstreams, $2 sets, in the same order: clients with these capabilities use them. In order, because other processes note them too. */
export const NOTE_SETS: PreparedStatement = {
  name: 'gateway_note_sets',
  sql: `
  WITH used AS (
    SELECT known.upstream_id, known.capabilities FROM unnest($1::uuid[], $2::smallint[]) AS given (upstream_id, capabilities)
    JOIN upstream_capability_sets AS known
      ON known.upstream_id = given.upstream_id AND known.capabilities = given.capabilities
    WHERE known.wanted_at < now() - interval '30 seconds'
    ORDER BY known.upstream_id, known.capabilities FOR NO KEY UPDATE OF known
  )
  UPDATE upstream_capability_sets AS noted SET wanted_at = now() FROM used
  WHERE noted.upstream_id = used.upstream_id AND noted.capabilities = used.capabilities`,
};

/** $1 upstream, $2 sets for which its lists were to be read, $3 those of them for which they were. */
export const NOTE_SETS_READ = `
  UPDATE upstream_capability_sets
  SET tried_at = now(), listed_at = CASE WHEN capabilities = ANY ($3::smallint[]) THEN now() ELSE listed_at END
  WHERE upstream_id = $1 AND capabilities = ANY ($2::smallint[])`;

/** $1 upstream, $2 sets: no client has wanted them for long. */
export const FORGET_SETS = `
  DELETE FROM upstream_capability_sets
  WHERE upstream_id = $1 AND capabilities = ANY ($2::smallint[]) AND wanted_at <= now() - ${SET_KEPT}`;

/** $1 upstreams. One that was out of use for a day is due at once. In order, because other processes note the same ones. */
export const NOTE_USE: PreparedStatement = {
  name: 'gateway_note_use',
  sql: `
  WITH used AS (
    SELECT id FROM upstreams WHERE id = ANY ($1::uuid[]) AND used_at < now() - interval '30 seconds'
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE upstreams SET used_at = now(), due_at = CASE WHEN due_at = 'infinity' THEN now() ELSE due_at END
  FROM used WHERE used.id = upstreams.id`,
};

/** SQL: the first that are due and no process has claimed. @param limit how many at most @param condition on which of them */
const firstDue = (limit: string, condition: string) => `
    SELECT id, due_at, used_at FROM upstreams
    WHERE due_at <= now() AND (claimed_until IS NULL OR claimed_until <= now()) AND ${condition}
    ORDER BY due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * $1 how many, $2 how many of them may be such as did not answer the last time, or have never listed anything. A claim makes
 * it due when the claim ends: what makes it due before, while it is being read, is kept that way (`STORE_STATE`). Those that
 * are due but out of use are put aside until they are used again.
 */
export const CLAIM_DUE: PreparedStatement = {
  name: 'gateway_claim_due_shares',
  sql: `
  WITH answering AS (${firstDue('$1', 'down_since IS NULL AND listed_at IS NOT NULL')}
  ), doubtful AS (${firstDue('$2', '(down_since IS NOT NULL OR listed_at IS NULL)')}
  ), due AS (
    SELECT id, used_at > now() - ${IN_USE} AS is_used
    FROM (SELECT * FROM answering UNION ALL SELECT * FROM doubtful) AS both_kinds ORDER BY due_at LIMIT $1
  ), put_aside AS (
    UPDATE upstreams SET due_at = 'infinity' FROM due WHERE due.id = upstreams.id AND NOT is_used
  )
  UPDATE upstreams SET claimed_until = now() + ${CLAIM}, due_at = now() + ${CLAIM} FROM due
  WHERE due.id = upstreams.id AND is_used
  RETURNING ${ADDRESS}, listed_at, down_since, claimed_until, capabilities, ${IS_FRESH}, ${SETS}`,
};

/** $1 upstreams. Those that no process has claimed. */
export const CLAIM_THESE = `
  UPDATE upstreams SET claimed_until = now() + ${CLAIM}, due_at = now() + ${CLAIM}
  WHERE id = ANY ($1::uuid[]) AND (claimed_until IS NULL OR claimed_until <= now())
  RETURNING ${ADDRESS}, listed_at, down_since, claimed_until, capabilities, ${IS_FRESH}, ${SETS}`;

/** $1 upstream, $2 the end of our claim: its lists were not read. */
export const RELEASE_CLAIM = `UPDATE upstreams SET claimed_until = NULL, due_at = now() WHERE id = $1 AND claimed_until = $2`;

/** $1 upstream, $2 the end of our claim, $3 milliseconds until it is due again: of its lists only some were read. */
export const END_CLAIM = `
  UPDATE upstreams SET claimed_until = NULL,
    due_at = CASE WHEN due_at < claimed_until THEN now() ELSE now() + $3 * interval '1 millisecond' END
  WHERE id = $1 AND claimed_until = $2`;

/** $1 upstreams: whether any of them is being asked for its lists by a process. */
export const IS_CLAIMED = `SELECT EXISTS (SELECT FROM upstreams WHERE id = ANY ($1::uuid[]) AND claimed_until > now()) AS claimed`;

/** $1 upstream: its lists may be out of date. Not if they were read just now, so that no caller can repeat it. */
export const SUSPECT = `
  WITH suspected AS (
    UPDATE upstreams SET due_at = now()
    WHERE id = $1 AND due_at > now() AND (listed_at IS NULL OR listed_at < now() - interval '30 seconds')
    RETURNING id
  )
  SELECT count(pg_notify('toolyard_upstreams', ''))::int AS notices FROM suspected`;

/** $1 upstream: it says itself that its lists have changed. */
export const MAKE_DUE = `
  WITH made AS (UPDATE upstreams SET due_at = now() WHERE id = $1 AND due_at > now() RETURNING id)
  SELECT count(pg_notify('toolyard_upstreams', ''))::int AS notices FROM made`;

/**
 * $1 upstream; $2 kinds, $3 names, $4 places, $5 digests, $6 bodies, $8 second digests, $10 sets of what it lists; $7 the kinds
 * whose lists were read, and $9 for which sets; $11 the sets that are wanted. Sets are bits. Counts how often the second digest
 * changes, until it has not for a day. Writes only what has changed, and says how much that was.
 */
export const STORE_DEFINITIONS = `
  WITH read AS (
    SELECT kind, sets FROM unnest($7::text[], $9::int[]) AS read (kind, sets)
  ), known AS (
    SELECT definitions.kind, name, digest, (${listedFor('definitions')}) AS was_for,
           (${listedFor('definitions')}) & ~read.sets & $11::int AS stays_for
    FROM upstream_definitions AS definitions JOIN read ON read.kind = definitions.kind
    WHERE definitions.upstream_id = $1
  ), given AS (
    SELECT given.kind, given.name, given.place, given.digest, given.body, given.shown_digest,
           given.listed_for | coalesce(known.stays_for, 0) AS listed_for
    FROM unnest($2::text[], $3::text[], $4::int[], $5::bytea[], $6::text[], $8::bytea[], $10::int[])
      AS given (kind, name, place, digest, body, shown_digest, listed_for)
    LEFT JOIN known ON known.kind = given.kind AND known.name = given.name AND known.digest = given.digest
  ), unlisted AS (
    UPDATE upstream_definitions AS gone
    SET is_listed = known.stays_for <> 0, listed_for = known.stays_for, last_seen_at = now()
    FROM known
    WHERE gone.upstream_id = $1 AND gone.kind = known.kind AND gone.name = known.name AND gone.digest = known.digest
      AND known.was_for <> known.stays_for
      AND NOT EXISTS (SELECT FROM given
                      WHERE given.kind = known.kind AND given.name = known.name AND given.digest = known.digest)
    RETURNING gone.name
  ), listed AS (
    INSERT INTO upstream_definitions AS known
      (upstream_id, kind, name, digest, place, body, is_listed, shown_digest, listed_for)
    SELECT $1, kind, name, digest, place, body, true, shown_digest, listed_for FROM given
    ON CONFLICT (upstream_id, kind, name, digest) DO UPDATE
      SET place = EXCLUDED.place, body = EXCLUDED.body, is_listed = true, last_seen_at = now(),
          listed_for = EXCLUDED.listed_for, shown_digest = EXCLUDED.shown_digest,
          shown_changes = CASE WHEN known.shown_changed_at > now() - ${STEADY_AFTER} THEN least(known.shown_changes, 1000)
                               ELSE 0 END + ((known.shown_digest <> EXCLUDED.shown_digest) IS TRUE)::int,
          shown_changed_at = CASE WHEN known.shown_digest <> EXCLUDED.shown_digest THEN now()
                                  ELSE known.shown_changed_at END
      WHERE (known.place, known.body, known.is_listed, known.listed_for)
          IS DISTINCT FROM (EXCLUDED.place, EXCLUDED.body, true, EXCLUDED.listed_for)
        OR known.shown_digest IS NULL
        OR known.shown_changes > 0 AND known.shown_changed_at <= now() - ${STEADY_AFTER}
    RETURNING known.name
  )
  SELECT (SELECT count(*) FROM unlisted)::int + (SELECT count(*) FROM listed)::int AS changed`;

/** $1 upstream, $2 kinds: those of which definitions are known, all of them as far as that was read. */
export const KNOWN_WHOLE = `
  SELECT DISTINCT kind FROM upstream_definitions
  WHERE upstream_id = $1 AND is_listed AND kind = ANY ($2::text[])
    AND NOT EXISTS (SELECT FROM upstreams, jsonb_array_elements(left_out) AS cut
                    WHERE upstreams.id = $1 AND cut ->> 'code' = 'list_cut' AND cut ->> 'kind' = upstream_definitions.kind)`;

/** $1 upstream. */
export const FORGET_UNLISTED = `
  DELETE FROM upstream_definitions AS gone
  USING (SELECT kind, name, digest, row_number() OVER newest AS place, sum(octet_length(body)) OVER newest AS bytes
         FROM upstream_definitions WHERE upstream_id = $1 AND NOT is_listed
         WINDOW newest AS (ORDER BY last_seen_at DESC, kind, name, digest ROWS UNBOUNDED PRECEDING)) AS oldest
  WHERE (oldest.place > ${MAX_UNLISTED} OR oldest.bytes > ${MAX_UNLISTED_BYTES}) AND gone.upstream_id = $1 AND gone.kind = oldest.kind AND gone.name = oldest.name AND gone.digest = oldest.digest`;

/**
 * $1 upstream, $2 the end of our claim, $3 milliseconds until it is due again, $4 why not everything could be read; $5 its
 * capabilities (null: it could not be asked, so that what it said before stays), $6 its name and version, $7 its instructions;
 * $8 for how long its lists are fresh; $9 what is left out (null: no list was read); $10 whether it is down (null: no one
 * knows). Returns no row if the claim is no longer ours.
 */
export const STORE_STATE = `
  UPDATE upstreams AS now_known SET
    claimed_until = NULL,
    due_at = CASE WHEN now_known.due_at < now_known.claimed_until THEN now() ELSE now() + $3 * interval '1 millisecond' END,
    listed_at = CASE WHEN $9::text IS NULL THEN now_known.listed_at ELSE now() END,
    list_error = $4,
    down_since = CASE WHEN $10::boolean IS NULL THEN now_known.down_since
                      WHEN $10 THEN coalesce(now_known.down_since, now()) END,
    server_info = CASE WHEN $5::text IS NULL THEN now_known.server_info ELSE $6::jsonb END,
    capabilities = coalesce($5::jsonb, now_known.capabilities),
    instructions = CASE WHEN $5::text IS NULL THEN now_known.instructions ELSE $7 END,
    left_out = coalesce($9::jsonb, now_known.left_out),
    ttl_ms = CASE WHEN $9::text IS NULL THEN now_known.ttl_ms ELSE $8::int END
  FROM (SELECT list_error, server_info, capabilities, instructions, left_out, listed_at FROM upstreams
        WHERE id = $1 FOR NO KEY UPDATE) AS before
  WHERE now_known.id = $1 AND now_known.claimed_until = $2
  RETURNING (before.list_error, before.server_info, before.capabilities, before.instructions, before.left_out, before.listed_at IS NULL)
    IS DISTINCT FROM (now_known.list_error, now_known.server_info, now_known.capabilities, now_known.instructions,
                      now_known.left_out, now_known.listed_at IS NULL) AS has_changed`;

/** $1 upstream: its definitions or its state have changed. */
export const NOTIFY = `SELECT pg_notify('toolyard_definitions', $1::uuid::text)`;

/** $1 upstream. */
export const ERAS: PreparedStatement = {
  name: 'gateway_eras',
  sql: `SELECT modern, modern_at, legacy, legacy_at, only_era FROM upstreams WHERE id = $1`,
};

/**
 * $1 upstream, $2 the revision. A revision is written once an hour if nothing changes. A "no" that contradicts a revision
 * which is still good may come from whatever stood in for the server for a moment: it is as old from the beginning as leaves
 * it so long to live, and is not made younger by others.
 */
const noteEra = (era: 'modern' | 'legacy') => `
  UPDATE upstreams SET ${era} = $2::text,
    ${era}_at = CASE WHEN $2::text = '' AND ${era} <> '' AND ${era}_at > now() - ${VERDICT}
                     THEN now() - ${VERDICT} + ${DOUBTFUL} ELSE now() END
  WHERE id = $1 AND (${era} IS DISTINCT FROM $2::text
                     OR ${era}_at <= now() - CASE WHEN $2::text = '' THEN ${VERDICT} ELSE interval '1 hour' END)`;
export const NOTE_MODERN = noteEra('modern');
export const NOTE_LEGACY = noteEra('legacy');

/** $1 upstream, $2 the era in which alone it lists something. */
export const NOTE_ONLY_ERA = `UPDATE upstreams SET only_era = $2 WHERE id = $1 AND only_era IS DISTINCT FROM $2`;

/** $1 upstreams: that they do not speak an era, or offer something in one only, is not known any more. */
export const FORGET_REFUSALS = `
  UPDATE upstreams SET modern = nullif(modern, ''), legacy = nullif(legacy, ''), only_era = NULL
  WHERE id = ANY ($1::uuid[]) AND (modern = '' OR legacy = '' OR only_era IS NOT NULL)`;

/**
 * Upstreams in use that can say when their lists change, and that no other process listens to, but for those of people who
 * have left; those of this process first, then those used last. $1 how many; $2–$5 as for `LEASE_LISTENING`.
 */
export const LISTENABLE = `
  SELECT ${ADDRESS} FROM upstreams LEFT JOIN upstream_sessions AS leases
    ON leases.principal = $2 AND leases.entry_id = $3 AND leases.capabilities = $4 AND leases.upstream_id = upstreams.id
  WHERE upstreams.used_at > now() - interval '1 hour' AND listed_at IS NOT NULL
    AND jsonb_path_exists(upstreams.capabilities, '$.*.listChanged ? (@ == true)')
    AND (leases.session_id IS NULL OR leases.session_id = $5 OR leases.used_at <= now() - ${LEASE})
    AND NOT EXISTS (SELECT FROM credentials AS own WHERE own.id = upstreams.credential_id AND own.owner = 'PERSON' AND ${hasLostAccess('own')})
  ORDER BY (leases.session_id = $5) IS TRUE DESC, upstreams.used_at DESC LIMIT $1`;

/** For the retention of rows: $1 now, $2 how many at most. */
export const REMOVE_UNLISTED = `
  DELETE FROM upstream_definitions WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM upstream_definitions
    WHERE NOT is_listed AND last_seen_at < $1::timestamptz - ${HISTORY} ORDER BY last_seen_at LIMIT $2))`;
/** Few at once: each may have thousands of definitions. */
export const REMOVE_UNUSED = `
  DELETE FROM upstreams WHERE id IN (
    SELECT id FROM upstreams WHERE used_at < $1::timestamptz - ${KEPT} ORDER BY used_at LIMIT least($2::int, 20))`;

/** $1 upstream: what it lists has changed. In order, because others note several entries of a bundle at once. */
export const MAKE_TOOLS_DUE = `
  WITH uses AS (
    SELECT bundle_id, entry_id FROM endpoint_upstreams WHERE upstream_id = $1 AND NOT is_tools_due
    ORDER BY bundle_id, entry_id FOR NO KEY UPDATE
  )
  UPDATE endpoint_upstreams AS due SET is_tools_due = true FROM uses
  WHERE due.bundle_id = uses.bundle_id AND due.entry_id = uses.entry_id`;
