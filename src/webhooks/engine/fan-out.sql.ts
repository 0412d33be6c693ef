import type { PreparedStatement } from '../../database/prepared';

/** Deliveries of one step, as many as take some 20 ms: so long at most does an event wait for those of others. */
const DELIVERIES_AT_ONCE = 400;

/** Of one tenant in a step: when it is alone, since another one may come; and however many they are. */
const MOST_OF_TENANT = 100;
const LEAST_OF_TENANT = 20;

const ENDPOINTS_OF_TENANT = `
    (SELECT count(*) FROM webhook_endpoints WHERE org_id = turn.tenant_id)
    + (SELECT count(*) FROM webhook_endpoints WHERE org_id IS NULL AND owner_id = turn.tenant_id)`;

/**
 * The first events of the next tenants that have new ones, whose ids come after $1; $2 how many tenants at most. They share
 * what is made in one step, so that a flood of one tenant's events, or its many endpoints, hold up nobody else's. \`most\` is
 * how many deliveries of the event are to be made now. Tenants are found by jumping from one to the next in the index.
 * What another process is at is skipped.
 */
export const LOCK_EVENTS: PreparedStatement = {
  name: 'webhook_lock_events',
  sql: `
  WITH RECURSIVE jumps (tenant_id, place) AS (
    SELECT (SELECT tenant_id FROM webhook_new_events WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1), 1
    UNION ALL
    SELECT (SELECT tenant_id FROM webhook_new_events WHERE tenant_id > jumps.tenant_id ORDER BY tenant_id LIMIT 1),
           jumps.place + 1
    FROM jumps WHERE jumps.tenant_id IS NOT NULL AND jumps.place < $2
  ),
  turn AS MATERIALIZED (SELECT tenant_id FROM jumps WHERE tenant_id IS NOT NULL),
  share AS MATERIALIZED (
    SELECT GREATEST(${LEAST_OF_TENANT}, LEAST(${MOST_OF_TENANT}, ${DELIVERIES_AT_ONCE} / GREATEST(1, count(*))))::int AS most
    FROM turn
  )
  SELECT turn.tenant_id, first.event_id, share.most FROM turn CROSS JOIN share CROSS JOIN LATERAL (
    SELECT event_id FROM webhook_new_events WHERE tenant_id = turn.tenant_id ORDER BY event_id
    LIMIT GREATEST(1, share.most / GREATEST(1, ${ENDPOINTS_OF_TENANT}))
    FOR UPDATE SKIP LOCKED) AS first
  ORDER BY turn.tenant_id, first.event_id`,
};

/** $1 events. */
export const END_EVENTS = `DELETE FROM webhook_new_events WHERE event_id = ANY ($1::uuid[])`;

/**
 * Which deliveries are to be made: $1 events, $2 at most of each. To the active endpoints that listen, of the organisation
 * or the person that the event belongs to, and were active by then; without those that there are.
 */
export const CHOOSE_DELIVERIES: PreparedStatement = {
  name: 'webhook_choose_deliveries',
  sql: `
  SELECT events.id AS event_id, chosen.endpoint_id
  FROM unnest($1::uuid[], $2::int[]) AS wanted (event_id, most)
  JOIN events ON events.id = wanted.event_id
  JOIN webhook_new_events AS new_events ON new_events.event_id = wanted.event_id
  CROSS JOIN LATERAL (
    SELECT listening.endpoint_id FROM (
      SELECT id AS endpoint_id FROM webhook_endpoints
      WHERE org_id = events.org_id AND is_active AND events.type = ANY (event_types)
      UNION ALL
      SELECT id FROM webhook_endpoints
      WHERE org_id IS NULL AND owner_id = events.owner_id AND is_active AND events.type = ANY (event_types)) AS listening
    JOIN webhook_lanes AS lanes ON lanes.endpoint_id = listening.endpoint_id
    WHERE lanes.active_since <= new_events.noticed_at
      AND NOT EXISTS (SELECT FROM webhook_deliveries AS deliveries
                      WHERE deliveries.event_id = events.id AND deliveries.endpoint_id = listening.endpoint_id)
    LIMIT wanted.most) AS chosen`,
};

/**
 * $1 endpoints. In the order of their ids, as everybody locks lanes. Who disables an endpoint changes its lane, so from
 * here on none of these is disabled before the deliveries are there.
 */
export const LOCK_LISTENING_LANES: PreparedStatement = {
  name: 'webhook_lock_listening_lanes',
  sql: `
  SELECT FROM webhook_lanes WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE`,
};

/**
 * $1 events and $2 the endpoint of each delivery, $3 now. Leaves out endpoints that were disabled, or stopped to listen,
 * before their lanes were locked. Gives the number of deliveries.
 */
export const MAKE_DELIVERIES: PreparedStatement = {
  name: 'webhook_make_deliveries',
  sql: `
  WITH made AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type)
    SELECT endpoints.id, uuid_v7(), events.id, events.type
    FROM unnest($1::uuid[], $2::uuid[]) AS chosen (event_id, endpoint_id)
    JOIN events ON events.id = chosen.event_id
    JOIN webhook_endpoints AS endpoints ON endpoints.id = chosen.endpoint_id
    WHERE endpoints.is_active AND events.type = ANY (endpoints.event_types)
    ON CONFLICT (event_id, endpoint_id) DO NOTHING
    RETURNING id, endpoint_id, event_id
  ),
  queued AS (
    INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
    SELECT made.id, made.endpoint_id, made.event_id, lanes.generation, $3
    FROM made JOIN webhook_lanes AS lanes ON lanes.endpoint_id = made.endpoint_id
    ORDER BY made.event_id
  ),
  woken AS (
    UPDATE webhook_lanes SET wake_at = LEAST(wake_at, $3::timestamptz)
    WHERE endpoint_id IN (SELECT endpoint_id FROM made)
  )
  SELECT count(*)::int AS count FROM made`,
};
