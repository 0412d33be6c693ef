/** `$1`: the addresses. */
export const KEPT_ICONS = `SELECT src, media_type, bytes, failure, due_at FROM fetched_icons WHERE src = ANY ($1)`;

/** `$1` to `$3`: address, type, bytes; `$4`: now; `$5`: when it is fetched again if it is asked for. */
export const KEEP_ICON = `
  INSERT INTO fetched_icons (src, media_type, bytes, fetched_at, due_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ON CONSTRAINT fetched_icons_pkey DO UPDATE
    SET media_type = excluded.media_type, bytes = excluded.bytes, failure = NULL, fetched_at = excluded.fetched_at,
        due_at = excluded.due_at`;

/**
 * `$1` and `$2`: address and failure; `$3`: now; `$4`: when it is tried again if it is asked for. A picture that was good
 * before stays.
 */
export const KEEP_FAILURE = `
  INSERT INTO fetched_icons AS kept (src, failure, fetched_at, due_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT ON CONSTRAINT fetched_icons_pkey DO UPDATE
    SET failure = CASE WHEN kept.bytes IS NULL THEN excluded.failure END, fetched_at = excluded.fetched_at,
        due_at = excluded.due_at`;

/** `$1`: the time now; `$2`: rows. Icons that no one has asked for in the 30 days since they became due. */
export const REMOVE_FORGOTTEN_ICONS = `
  DELETE FROM fetched_icons WHERE src IN (
    SELECT src FROM fetched_icons WHERE due_at < $1::timestamptz - interval '30 days' ORDER BY due_at, src LIMIT $2)`;
