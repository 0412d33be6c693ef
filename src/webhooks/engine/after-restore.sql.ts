/** Locks all lanes, which whoever changes what is queued has to hold (ADR 7). */
export const LOCK_ALL_LANES = `SELECT FROM webhook_lanes ORDER BY endpoint_id FOR UPDATE`;

/** What is queued: waiting, to be retried, or in flight when the backup was made. */
export const CANCEL_QUEUED = `
  WITH removed AS (
    DELETE FROM webhook_queue RETURNING endpoint_id, delivery_id
  )
  UPDATE webhook_deliveries AS deliveries SET status = 'CANCELLED', error = 'restored'
  FROM removed
  WHERE deliveries.endpoint_id = removed.endpoint_id AND deliveries.id = removed.delivery_id
    AND deliveries.status = 'PENDING'`;

/**
 * Events whose deliveries had not been created: creates them as cancelled, for the endpoints that would have received
 * them (`LOCK_EVENTS` in `fan-out.sql.ts`), so that owners see what was not sent.
 */
export const CANCEL_NEW_EVENTS = `
  WITH removed AS (
    DELETE FROM webhook_new_events RETURNING event_id, noticed_at
  )
  INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type, status, error)
  SELECT listening.endpoint_id, uuid_v7(), events.id, events.type, 'CANCELLED', 'restored'
  FROM removed
  JOIN events ON events.id = removed.event_id
  CROSS JOIN LATERAL (
    SELECT id AS endpoint_id FROM webhook_endpoints
    WHERE org_id = events.org_id AND is_active AND events.type = ANY (event_types)
    UNION ALL
    SELECT id FROM webhook_endpoints
    WHERE org_id IS NULL AND owner_id = events.owner_id AND is_active AND events.type = ANY (event_types)
  ) AS listening
  JOIN webhook_lanes AS lanes
    ON lanes.endpoint_id = listening.endpoint_id AND lanes.active_since <= removed.noticed_at
  ON CONFLICT (event_id, endpoint_id) DO NOTHING`;

/** Recoveries that would have redelivered more. */
export const CANCEL_RECOVERIES = `
  UPDATE webhook_recoveries SET status = 'CANCELLED', finished_at = now() WHERE status = 'RUNNING'`;

/** No endpoint gets another delivery before somebody enables it. */
export const DISABLE_ENDPOINTS = `
  UPDATE webhook_endpoints
  SET is_active = false, disabled_reason = 'restored', disabled_at = now(),
      updated_at = GREATEST(now(), updated_at + interval '1 millisecond')
  WHERE is_active`;
