/** Lets one process run at a time; the others skip. Released with the transaction. */
export const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('webhook retention')) AS alone`;

/**
 * $1 events, $2 maximum number of rows. Pending deliveries are kept regardless of age. Returns the removed deliveries.
 */
export const REMOVE_DELIVERIES = `
  DELETE FROM webhook_deliveries WHERE (event_id, endpoint_id) IN (
    SELECT event_id, endpoint_id FROM webhook_deliveries
    WHERE event_id = ANY ($1::uuid[]) AND status <> 'PENDING' LIMIT $2)
  AND status <> 'PENDING' RETURNING id`;

/** $1 events. A separate statement after the deliveries, so that it sees which are left. */
export const REMOVE_EVENTS = `
  DELETE FROM events WHERE id = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = events.id)
    AND NOT EXISTS (SELECT FROM webhook_new_events WHERE event_id = events.id)`;

/**
 * After two minutes, every attempt in flight to a removed endpoint has been recorded or never will be. Before that,
 * each endpoint is visited once, starting after $1 and $2 (its removal time and id): visiting all of them in every step
 * would mean a million visits for a thousand endpoints deleted together.
 */
export const NEXT_REMOVED = `
  (SELECT endpoint_id, removed_at::text, true AS is_settled FROM webhook_removed_endpoints
   WHERE removed_at < now() - interval '2 minutes' ORDER BY removed_at, endpoint_id LIMIT 1)
  UNION ALL
  (SELECT endpoint_id, removed_at::text, false FROM webhook_removed_endpoints
   WHERE (removed_at, endpoint_id) > ($1::timestamptz, $2::uuid) ORDER BY removed_at, endpoint_id LIMIT 1)
  LIMIT 1`;

/** $1 endpoint, $2 maximum number of rows. */
export const REMOVE_DELIVERIES_OF = `
  DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND id IN (
    SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT $2)
  RETURNING id`;
