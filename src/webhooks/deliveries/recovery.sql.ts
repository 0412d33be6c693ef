/**
 * One running recovery per tenant, so that a tenant with recoveries for hundreds of endpoints does not block others.
 * Chosen at random, so that a failing recovery does not block the others of its tenant.
 */
export const RUNNING = `
  SELECT DISTINCT ON (lanes.tenant_id) recoveries.id, recoveries.endpoint_id,
         count(*) OVER (PARTITION BY lanes.tenant_id) > 1 AS has_others
  FROM webhook_recoveries AS recoveries JOIN webhook_lanes AS lanes ON lanes.endpoint_id = recoveries.endpoint_id
  WHERE recoveries.status = 'RUNNING' ORDER BY lanes.tenant_id, random()`;

/** $1 endpoint. Skipped if locked by a step of another process or a change of the endpoint. */
export const LOCK_ENDPOINT = `
  SELECT org_id, owner_id, event_types FROM webhook_endpoints WHERE id = $1 FOR UPDATE SKIP LOCKED`;

/** $1 recovery. The generation changes only under the lock of the endpoint. */
export const LOCK_RECOVERY = `
  SELECT recoveries.since, recoveries.until, recoveries.include_missing, recoveries.position, lanes.generation,
         recoveries.generation <> lanes.generation AS is_void
  FROM webhook_recoveries AS recoveries JOIN webhook_lanes AS lanes ON lanes.endpoint_id = recoveries.endpoint_id
  WHERE recoveries.id = $1 AND recoveries.status = 'RUNNING' FOR UPDATE OF recoveries`;

/**
 * The next events of an organisation or user, ordered by id, with their delivery to one endpoint.
 * $1 endpoint, $2 organisation or user, $3 the id after which to start, $4 the id before which to stop, $5 how many,
 * $6 and $7 since and until, $8 generation of the lane, $9 the event types to which it subscribes, $10 the oldest id of
 * an event that may be sent although it never was: retention is about to remove older ones.
 *
 * `created_at` decides which of them are in the period. A delivery that is still queued from before the endpoint was
 * disabled will be cancelled, so it already counts as cancelled. An endpoint is not notified of its own disabling.
 *
 * Compared and ordered as a row, and cut off after the limit; delivery-list.sql.ts explains why.
 *
 * @param owner the column with the owner of an event
 */
export function nextEvents(owner: 'org_id' | 'owner_id'): string {
  return `
  WITH looked AS MATERIALIZED (
    SELECT * FROM (
      SELECT ${owner} AS owner, id, type, created_at, data FROM events
      WHERE ${owner} IS NOT NULL AND (${owner}, id) > ((SELECT $2::uuid), $3)
      ORDER BY ${owner}, id LIMIT $5) AS next
    WHERE owner = $2 AND id < $4
  )
  SELECT looked.id, looked.type, looked.created_at >= $6 AND looked.created_at < $7 AS is_meant,
         delivery.id AS delivery_id, COALESCE(delivery.is_lost, false) AS is_lost,
         delivery.id IS NULL AND looked.type = ANY ($9::text[]) AND looked.id >= $10::uuid
           AND NOT (looked.type = 'webhook.endpoint_disabled' AND looked.data ->> 'endpoint_id' = $1::uuid::text) AS is_missing
  FROM looked LEFT JOIN LATERAL (
    SELECT deliveries.id,
           deliveries.status IN ('FAILED', 'CANCELLED')
             OR (deliveries.status = 'PENDING'
                 AND EXISTS (SELECT FROM webhook_queue AS queue
                             WHERE queue.delivery_id = deliveries.id AND queue.generation < $8)) AS is_lost
    FROM webhook_deliveries AS deliveries
    WHERE deliveries.event_id = looked.id AND deliveries.endpoint_id = $1 LIMIT 1) AS delivery ON true
  ORDER BY looked.id`;
}

/**
 * What a recovery would do with the same events, and the last of them; the parameters are the same.
 *
 * @param owner the column with the owner of an event
 */
export function countEvents(owner: 'org_id' | 'owner_id'): string {
  return `
  SELECT count(*)::int AS looked, count(*) FILTER (WHERE is_meant)::int AS scanned,
         count(*) FILTER (WHERE is_meant AND is_lost)::int AS lost,
         count(*) FILTER (WHERE is_meant AND is_missing)::int AS missing,
         (array_agg(id ORDER BY id DESC))[1] AS last
  FROM (${nextEvents(owner)}) AS events`;
}

/** $1 endpoint, $2 events, $3 their types. Skips deliveries that another transaction has inserted meanwhile. */
export const MAKE_MISSING = `
  INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type)
  SELECT $1, uuid_v7(), missing.id, missing.type FROM unnest($2::uuid[], $3::text[]) AS missing (id, type)
  ON CONFLICT (event_id, endpoint_id) DO NOTHING
  RETURNING id`;

/** $1 recovery, $2 position, $3 events, $4 deliveries, $5 when it finished, or null. */
export const MOVE_ON = `
  UPDATE webhook_recoveries
  SET position = COALESCE($2, position), scanned = scanned + $3, queued = queued + $4, finished_at = $5,
      status = CASE WHEN $5::timestamptz IS NULL THEN status ELSE 'COMPLETED' END
  WHERE id = $1`;
