import type { PreparedStatement } from '../../database/prepared';

/** Deliveries per step. A step takes about 20 ms, which is how long an event waits for those of others at most. */
const DELIVERIES_PER_STEP = 400;

/**
 * Deliveries of one tenant per step: the maximum even if it is alone, since others may come, and the minimum however
 * many tenants there are.
 */
const MAX_PER_TENANT = 100;
const MIN_PER_TENANT = 20;

const ENDPOINTS_OF_TENANT = `
    (SELECT count(*) FROM webhook_endpoints WHERE org_id = turn.tenant_id)
    + (SELECT count(*) FROM webhook_endpoints WHERE org_id IS NULL AND owner_id = turn.tenant_id)`;

/**
 * The first new events of the next tenants, whose ids come after $1; $2 maximum number of tenants. The tenants share
 * the deliveries of one step, so that a flood of events, or many endpoints, of one tenant does not delay others. `most`
 * is how many deliveries of the event are created in this step. Tenants are found by jumping from one to the next in
 * the index. Events that another process has locked are skipped.
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
    SELECT GREATEST(${MIN_PER_TENANT}, LEAST(${MAX_PER_TENANT}, ${DELIVERIES_PER_STEP} / GREATEST(1, count(*))))::int AS most
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
 * The deliveries to create: $1 events, $2 maximum number of deliveries of each. They go to the active, subscribed
 * endpoints of the owner of the event that were active at that time. Excludes existing deliveries.
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
 * $1 endpoints. Locks their lanes in the order of ids, as everywhere. Disabling an endpoint changes its lane, so from
 * here on none of them can be disabled before the deliveries are inserted.
 */
export const LOCK_LISTENING_LANES: PreparedStatement = {
  name: 'webhook_lock_listening_lanes',
  sql: `
  SELECT FROM webhook_lanes WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE`,
};

/**
 * $1 event and $2 endpoint of each delivery, $3 now. Leaves out endpoints that were disabled or unsubscribed before
 * their lanes were locked. Returns the number of deliveries.
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
