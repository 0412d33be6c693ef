import { firstOf, UNSTEADY } from '../upstreams/upstreams.sql';
import { TOOL_KINDS_SQL } from './tool-kinds';

/** One entry keeps so many gone tools about which the bundle says nothing; the oldest beyond that are forgotten. */
const MAX_GONE = 2_000;

/** @returns SQL: what clients show of a definition; null where that changes all the time, so that it is not compared */
export function comparedShown(definitions: string): string {
  return `CASE WHEN ${definitions}.shown_changes < ${UNSTEADY} THEN ${definitions}.shown_digest END`;
}

/** Entries whose tools may have changed, with the owners of the bundles. An upstream that was never asked has told nothing yet. */
const claim = (which: string, lock: string) => `
  WITH due AS (
    SELECT uses.bundle_id, uses.entry_id, uses.upstream_id, entries.pinning,
           -- With another credential it is another upstream, of tools that are known all the same.
           uses.has_tools OR EXISTS (SELECT FROM bundle_tools AS known
             WHERE known.bundle_id = uses.bundle_id AND known.entry_id = uses.entry_id) AS has_tools,
           bundles.name, bundles.org_id, bundles.owner_id
    FROM endpoint_upstreams AS uses
    JOIN upstreams ON upstreams.id = uses.upstream_id AND upstreams.listed_at IS NOT NULL
    JOIN bundle_entries AS entries
      ON entries.id = uses.entry_id AND entries.bundle_id = uses.bundle_id AND entries.is_enabled
    JOIN bundles ON bundles.id = uses.bundle_id
    WHERE uses.is_tools_due AND ${which}
    ORDER BY uses.bundle_id, uses.entry_id LIMIT $1
    FOR NO KEY UPDATE OF uses ${lock} FOR KEY SHARE OF bundles ${lock}
  )
  UPDATE endpoint_upstreams AS claimed SET is_tools_due = false, has_tools = true FROM due
  WHERE claimed.bundle_id = due.bundle_id AND claimed.entry_id = due.entry_id
  RETURNING due.bundle_id, due.entry_id, due.upstream_id, due.has_tools, due.pinning, due.name, due.org_id, due.owner_id`;

/**
 * $1 how many. Whatever worker comes first. Bundles that are being changed are left for the next look: their editors lock the
 * bundle and then its entries, and a worker that did it the other way round would end in a deadlock.
 */
export const CLAIM_TOOLS = claim('true', 'SKIP LOCKED');

/** $1 how many, $2 bundle, which is locked (`HOLD_BUNDLE`, or by its editor). Waits for a worker that is at it. */
export const CLAIM_TOOLS_OF = claim('uses.bundle_id = $2', '');

/** $1 bundle: no one changes it meanwhile. Before its entries, as its editors do. */
export const HOLD_BUNDLE = `SELECT FROM bundles WHERE id = $1 FOR KEY SHARE`;

/**
 * $1 bundle, $2 entry, $3 upstream. Makes what was noticed of the entry what the upstream lists now, for whichever clients, and
 * returns what that changes: `added`, also where something comes back as it was; `changed`, also where it comes back otherwise; `removed`. What
 * clients show of a definition is news if it was known before; approvals that know nothing of it take it as it is.
 */
export const NOTICE = `
  WITH present AS (
    SELECT DISTINCT ON (kind, name) kind, name, digest, ${comparedShown('upstream_definitions')} AS shown_digest
    FROM upstream_definitions
    WHERE upstream_id = $3 AND is_listed AND kind = ANY (${TOOL_KINDS_SQL})
    ORDER BY kind, name, ${firstOf('upstream_definitions')}
  ), known AS (
    SELECT id, kind, name, digest, shown_digest, is_listed FROM bundle_tools WHERE bundle_id = $1 AND entry_id = $2
  ), variants AS (
    SELECT kind, name, digest, ${comparedShown('upstream_definitions')} AS shown_digest FROM upstream_definitions
    WHERE upstream_id = $3 AND is_listed AND kind = ANY (${TOOL_KINDS_SQL})
  ), adopted AS (
    UPDATE tool_approvals AS approvals SET shown_digest = present.shown_digest FROM variants AS present
    WHERE approvals.bundle_id = $1 AND approvals.entry_id = $2 AND approvals.kind = present.kind
      AND approvals.name = present.name AND approvals.digest = present.digest
      AND approvals.shown_digest IS NULL AND present.shown_digest IS NOT NULL
  ), removed AS (
    UPDATE bundle_tools AS tools SET is_listed = false, changed_at = now() FROM known
    WHERE tools.id = known.id AND known.is_listed
      AND NOT EXISTS (SELECT FROM present WHERE present.kind = known.kind AND present.name = known.name)
    RETURNING tools.id, tools.kind, tools.name
  ), updated AS (
    UPDATE bundle_tools AS tools
    SET is_listed = true, digest = present.digest, shown_digest = present.shown_digest,
        changed_at = CASE WHEN known.is_listed AND known.digest = present.digest
                            AND (known.shown_digest <> present.shown_digest) IS NOT TRUE
                          THEN tools.changed_at ELSE now() END
    FROM known JOIN present ON present.kind = known.kind AND present.name = known.name
    WHERE tools.id = known.id AND (NOT known.is_listed OR known.digest <> present.digest
                                   OR known.shown_digest IS DISTINCT FROM present.shown_digest)
    RETURNING tools.id, tools.kind, tools.name, known.is_listed AS was_listed,
              known.digest <> present.digest OR (known.shown_digest <> present.shown_digest) IS TRUE AS is_changed
  ), added AS (
    INSERT INTO bundle_tools (id, bundle_id, entry_id, kind, name, digest, shown_digest, is_listed)
    SELECT uuid_v7(), $1, $2, kind, name, digest, shown_digest, true FROM present
    WHERE NOT EXISTS (SELECT FROM known WHERE known.kind = present.kind AND known.name = present.name)
    RETURNING id, kind, name
  )
  SELECT id, kind, name, 'removed' AS news FROM removed
  UNION ALL SELECT id, kind, name, CASE WHEN is_changed THEN 'changed' ELSE 'added' END FROM updated
    WHERE is_changed OR NOT was_listed
  UNION ALL SELECT id, kind, name, 'added' FROM added
  ORDER BY news, kind, name`;

const SAYS_NOTHING = `
  NOT EXISTS (SELECT FROM tool_overrides AS overrides
              WHERE overrides.bundle_id = tools.bundle_id AND overrides.entry_id = tools.entry_id
                AND overrides.kind = tools.kind AND overrides.name = tools.name AND overrides.until_version IS NULL)
  AND NOT EXISTS (SELECT FROM tool_approvals AS approvals
                  WHERE approvals.bundle_id = tools.bundle_id AND approvals.entry_id = tools.entry_id
                    AND approvals.kind = tools.kind AND approvals.name = tools.name AND approvals.until_version IS NULL)`;

/** $1 bundle, $2 entry. */
export const FORGET_GONE = `
  DELETE FROM bundle_tools WHERE id IN (
    SELECT tools.id FROM bundle_tools AS tools
    WHERE tools.bundle_id = $1 AND tools.entry_id = $2 AND NOT tools.is_listed AND ${SAYS_NOTHING}
    ORDER BY tools.changed_at DESC, tools.id DESC OFFSET ${MAX_GONE})`;

/** $1 bundle, $2 entries that it does not have any more: their tools are gone, and come back with the entry. */
export const NOTE_REMOVED_ENTRIES = `
  UPDATE bundle_tools SET is_listed = false, changed_at = now()
  WHERE bundle_id = $1 AND entry_id = ANY ($2::uuid[]) AND is_listed`;

/**
 * For the retention of rows: $1 now, $2 how many at most. Those about which a bundle says something stay with it, as long as
 * it has the entry.
 */
export const REMOVE_GONE = `
  DELETE FROM bundle_tools WHERE id IN (
    SELECT tools.id FROM bundle_tools AS tools
    WHERE NOT tools.is_listed AND tools.changed_at < $1::timestamptz - interval '90 days'
      AND (${SAYS_NOTHING}
        OR NOT EXISTS (SELECT FROM bundle_entries AS entries
                       WHERE entries.id = tools.entry_id AND entries.bundle_id = tools.bundle_id))
    ORDER BY tools.changed_at LIMIT $2)`;

/** The same for approved definitions that no version needs that is served. */
export const REMOVE_UNUSED_DEFINITIONS = `
  DELETE FROM approved_definitions WHERE ctid = ANY (ARRAY(
    SELECT known.ctid FROM approved_definitions AS known
    WHERE known.unused_since < $1::timestamptz - interval '90 days'
      AND NOT EXISTS (
        SELECT FROM tool_approvals AS approvals
        JOIN bundle_deployments AS deployments ON deployments.bundle_id = approvals.bundle_id
          AND deployments.kind = 'ENDPOINT' AND deployments.bundle_version >= approvals.from_version
          AND (approvals.until_version IS NULL OR deployments.bundle_version < approvals.until_version)
        WHERE approvals.bundle_id = known.bundle_id
          AND known.digest IN (approvals.digest, approvals.shown_digest))
    ORDER BY known.unused_since LIMIT $2))`;
