/** An upstream that has not answered for so long is down; one lost answer is not told to anyone. */
const DOWN_AFTER = `interval '1 minute'`;
/** Each of the two events, for one entry. */
const AT_MOST_EVERY = `interval '5 minutes'`;
/** In one transaction. */
export const MAX_TOLD = 100;

/** Enabled entries of enabled endpoints, with the owners of the bundles. */
const SERVED = `
  JOIN bundle_endpoints AS endpoints ON endpoints.bundle_id = uses.bundle_id AND endpoints.is_enabled
  JOIN bundle_entries AS entries
    ON entries.id = uses.entry_id AND entries.bundle_id = uses.bundle_id AND entries.is_enabled
  JOIN bundles ON bundles.id = uses.bundle_id`;
const OF_BUNDLE = `uses.bundle_id, uses.entry_id, bundles.name, bundles.org_id, bundles.owner_id`;

/** Entries whose upstream is down, which no one was told; now they are. Found from the upstreams that are down, which are few. */
export const TELL_DOWN = `
  WITH due AS (
    SELECT ${OF_BUNDLE}, down.down_since, down.list_error
    FROM (SELECT id, down_since, list_error FROM upstreams WHERE down_since <= now() - ${DOWN_AFTER}) AS down
    JOIN endpoint_upstreams AS uses ON uses.upstream_id = down.id AND NOT uses.is_down
      AND (uses.told_down_at IS NULL OR uses.told_down_at <= now() - ${AT_MOST_EVERY})
    ${SERVED}
    LIMIT ${MAX_TOLD} FOR NO KEY UPDATE OF uses SKIP LOCKED
  )
  UPDATE endpoint_upstreams AS told SET is_down = true, told_down_at = now() FROM due
  WHERE told.bundle_id = due.bundle_id AND told.entry_id = due.entry_id
  RETURNING due.bundle_id, due.entry_id, due.name, due.org_id, due.owner_id, due.down_since, due.list_error`;

/** Entries that are said to be down, and whose upstream answers again. */
export const TELL_RECOVERED = `
  WITH due AS (
    SELECT ${OF_BUNDLE}
    FROM (SELECT bundle_id, entry_id, upstream_id FROM endpoint_upstreams
          WHERE is_down AND (told_recovered_at IS NULL OR told_recovered_at <= now() - ${AT_MOST_EVERY})) AS down
    JOIN upstreams ON upstreams.id = down.upstream_id AND upstreams.down_since IS NULL
    JOIN endpoint_upstreams AS uses ON uses.bundle_id = down.bundle_id AND uses.entry_id = down.entry_id AND uses.is_down
    ${SERVED}
    LIMIT ${MAX_TOLD} FOR NO KEY UPDATE OF uses SKIP LOCKED
  )
  UPDATE endpoint_upstreams AS told SET is_down = false, told_recovered_at = now() FROM due
  WHERE told.bundle_id = due.bundle_id AND told.entry_id = due.entry_id
  RETURNING due.bundle_id, due.entry_id, due.name, due.org_id, due.owner_id`;
