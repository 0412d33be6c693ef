import type { PreparedStatement } from '../../database/prepared';

/** $1 how many at most. What another process is at is skipped. */
export const LOCK_EVENTS = `
  SELECT event_id FROM webhook_new_events ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** $1 events. */
export const END_EVENTS = `DELETE FROM webhook_new_events WHERE event_id = ANY ($1::uuid[])`;

/** The active endpoints that listen to events ($1), of the organisation or the person that the event belongs to. */
const LISTENING = `
    SELECT events.id AS event_id, events.type, endpoints.id AS endpoint_id
    FROM events JOIN webhook_endpoints AS endpoints ON endpoints.org_id = events.org_id
    WHERE events.id = ANY ($1::uuid[]) AND endpoints.is_active AND events.type = ANY (endpoints.event_types)
    UNION ALL
    SELECT events.id, events.type, endpoints.id
    FROM events JOIN webhook_endpoints AS endpoints ON endpoints.owner_id = events.owner_id AND endpoints.org_id IS NULL
    WHERE events.id = ANY ($1::uuid[]) AND endpoints.is_active AND events.type = ANY (endpoints.event_types)`;

/** $1 events. How many listen to each; nothing for those to which nobody does. */
export const COUNT_LISTENING: PreparedStatement = {
  name: 'webhook_count_listening',
  sql: `
  SELECT event_id, count(*)::int AS count FROM (${LISTENING}) AS listening GROUP BY event_id`,
};

/**
 * $1 events. In the order of their ids, as everybody locks lanes. Who disables an endpoint changes its lane, so from
 * here on none of these is disabled before the deliveries are there.
 */
export const LOCK_LISTENING_LANES: PreparedStatement = {
  name: 'webhook_lock_listening_lanes',
  sql: `
  SELECT endpoint_id FROM webhook_lanes
  WHERE endpoint_id IN (SELECT endpoint_id FROM (${LISTENING}) AS listening)
  ORDER BY endpoint_id FOR UPDATE`,
};

/**
 * $1 events, $2 now. Asks again who listens, since an endpoint may have been disabled before its lane was locked.
 * Gives the number of deliveries.
 */
export const MAKE_DELIVERIES: PreparedStatement = {
  name: 'webhook_make_deliveries',
  sql: `
  WITH made AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type)
    SELECT listening.endpoint_id, uuid_v7(), listening.event_id, listening.type
    FROM (${LISTENING}) AS listening
    JOIN webhook_new_events AS new_events ON new_events.event_id = listening.event_id
    JOIN webhook_lanes AS lanes ON lanes.endpoint_id = listening.endpoint_id
    WHERE lanes.active_since <= new_events.noticed_at
    ON CONFLICT (event_id, endpoint_id) DO NOTHING
    RETURNING id, endpoint_id, event_id
  ),
  queued AS (
    INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
    SELECT made.id, made.endpoint_id, made.event_id, lanes.generation, $2
    FROM made JOIN webhook_lanes AS lanes ON lanes.endpoint_id = made.endpoint_id
    ORDER BY made.event_id
  ),
  woken AS (
    UPDATE webhook_lanes SET wake_at = LEAST(wake_at, $2::timestamptz)
    WHERE endpoint_id IN (SELECT endpoint_id FROM made)
  )
  SELECT count(*)::int AS count FROM made`,
};
