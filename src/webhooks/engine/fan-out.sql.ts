import type { PreparedStatement } from '../../database/prepared';
import { sealedCredentials } from '../endpoints/endpoint-credentials';
import { endpointOf, foundEndpoints, noteFound } from './found-endpoints';

/** Deliveries per step. A step takes about 20 ms, which is how long an event waits for those of others at most. */
const DELIVERIES_PER_STEP = 400;

/**
 * Deliveries of one tenant per step: the maximum even if it is alone, since others may come, and the minimum however
 * many tenants there are.
 */
const MAX_PER_TENANT = 100;
const MIN_PER_TENANT = 20;

const endEvents = (events: string) => `DELETE FROM webhook_new_events WHERE event_id = ANY (${events}::uuid[])`;

const ENDPOINTS_OF_TENANT = `
    (SELECT count(*) FROM webhook_endpoints WHERE org_id = turn.tenant_id)
    + (SELECT count(*) FROM webhook_endpoints WHERE org_id IS NULL AND owner_id = turn.tenant_id)`;

/**
 * The first new events of the next tenants, whose ids come after $1; $2 maximum number of tenants. The tenants share
 * the deliveries of one step, so that a flood of events, or many endpoints, of one tenant does not delay others. Tenants
 * are found by jumping from one to the next in the index. Events that another process has locked are skipped.
 *
 * `most` is how many deliveries of the event are created in this step, `room` how many events of its tenant are in it
 * at most. `endpoint_ids` are the endpoints that get one, noted for the statements below: those of the owner of the event
 * that are active, subscribe to it, were active at that time and have no delivery of it. Another process may have created
 * some of these after this statement began; `MAKE_DELIVERIES` leaves them out. An event that is gone has none.
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
  share AS MATERIALIZED (
    SELECT GREATEST(${MIN_PER_TENANT}, LEAST(${MAX_PER_TENANT}, ${DELIVERIES_PER_STEP} / GREATEST(1, count(*))))::int AS most
    FROM jumps WHERE tenant_id IS NOT NULL
  ),
  turn AS MATERIALIZED (
    SELECT turn.tenant_id, share.most,
           GREATEST(1, share.most / GREATEST(1, ${ENDPOINTS_OF_TENANT}))::int AS room
    FROM jumps AS turn CROSS JOIN share WHERE turn.tenant_id IS NOT NULL
  ),
  locked AS MATERIALIZED (
    SELECT turn.*, first.event_id, first.noticed_at FROM turn CROSS JOIN LATERAL (
      SELECT event_id, noticed_at FROM webhook_new_events WHERE tenant_id = turn.tenant_id ORDER BY event_id
      LIMIT turn.room FOR UPDATE SKIP LOCKED) AS first
  ),
  chosen AS MATERIALIZED (
    SELECT locked.tenant_id, locked.event_id, locked.most, locked.room,
           events.type, events.created_at, events.traceparent, events.data,
           ARRAY(
             SELECT listening.endpoint_id FROM (
               SELECT id AS endpoint_id FROM webhook_endpoints
               WHERE org_id = events.org_id AND is_active AND events.type = ANY (event_types)
               UNION ALL
               SELECT id FROM webhook_endpoints
               WHERE org_id IS NULL AND owner_id = events.owner_id AND is_active AND events.type = ANY (event_types)
             ) AS listening
             WHERE (SELECT active_since FROM webhook_lanes AS lanes WHERE lanes.endpoint_id = listening.endpoint_id)
                   <= locked.noticed_at
               -- Not EXISTS, for which the planner may read all of the table once.
               AND (SELECT true FROM webhook_deliveries AS deliveries
                    WHERE deliveries.event_id = events.id AND deliveries.endpoint_id = listening.endpoint_id LIMIT 1) IS NULL
             LIMIT locked.most) AS endpoint_ids
    FROM locked LEFT JOIN LATERAL (
      -- The limit keeps the planner to one look at the index for each, whatever it believes of the size of the table.
      SELECT id, type, org_id, owner_id, created_at, traceparent, data::text AS data FROM events WHERE id = locked.event_id LIMIT 1
    ) AS events ON true
  ),
  noted AS MATERIALIZED (
    SELECT ${noteFound('endpoint_id')}
    FROM chosen CROSS JOIN unnest(chosen.endpoint_ids) AS endpoint_id
  )
  SELECT chosen.* FROM chosen CROSS JOIN noted ORDER BY chosen.tenant_id, chosen.event_id`,
};

/**
 * Locks the lanes of the endpoints that were found, $1 `FOUND_ENDPOINTS`, in the order of ids, as everywhere. Disabling an
 * endpoint changes its lane, so from here on none of them can be disabled before the deliveries are inserted.
 */
export const LOCK_LISTENING_LANES: PreparedStatement = {
  name: 'webhook_lock_listening_lanes',
  sql: `
  SELECT FROM webhook_lanes WHERE endpoint_id = ANY (${foundEndpoints('$1')}) ORDER BY endpoint_id FOR UPDATE`,
};

/**
 * The lanes that were locked, $1 `FOUND_ENDPOINTS`, at $2, now. A separate statement after the lock, so that it sees the
 * changes of the previous lock holder.
 */
export const READ_LISTENING_LANES: PreparedStatement = {
  name: 'webhook_read_listening_lanes',
  sql: `
  SELECT lanes.tenant_id, lanes.generation, lanes.wake_at, lanes.tokens, lanes.tokens_at,
         NOT lanes.is_proven OR lanes.failing_since IS NOT NULL AS is_doubtful,
         endpoints.rate_limit_per_second AS rate, ${sealedCredentials('endpoints', '$2')},
         (SELECT count(*)::int FROM webhook_queue AS queue
          WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at > $2) AS under_way,
         -- Not EXISTS, for which the planner may read all of the queue once.
         (SELECT true FROM webhook_queue AS queue
          WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation AND queue.due_at <= $2
          LIMIT 1) IS NOT NULL AS has_due
  FROM webhook_lanes AS lanes CROSS JOIN LATERAL ${endpointOf('lanes.endpoint_id')} AS endpoints
  WHERE lanes.endpoint_id = ANY (${foundEndpoints('$1')})`,
};

/**
 * $1 id, $2 event, $3 its type and $4 endpoint of each delivery, $5 now. Leaves out endpoints that were disabled or
 * unsubscribed before their lanes were locked. $6 those that this process claims at once, by the claim $7 until $8; the
 * others are due now. $9 events whose last deliveries these are. Returns the created deliveries.
 */
export const MAKE_DELIVERIES: PreparedStatement = {
  name: 'webhook_make_deliveries',
  sql: `
  WITH made AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type)
    SELECT endpoints.id, chosen.id, chosen.event_id, chosen.type
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) AS chosen (id, event_id, type, endpoint_id)
    CROSS JOIN LATERAL ${endpointOf('chosen.endpoint_id')} AS endpoints
    WHERE endpoints.is_active AND chosen.type = ANY (endpoints.event_types)
    ON CONFLICT (event_id, endpoint_id) DO NOTHING
    RETURNING id, endpoint_id, event_id
  ),
  queued AS (
    INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, attempt, due_at, claim_id)
    SELECT made.id, made.endpoint_id, made.event_id, lanes.generation,
           CASE WHEN claimed.id IS NULL THEN 0 ELSE 1 END,
           CASE WHEN claimed.id IS NULL THEN $5::timestamptz ELSE $8::timestamptz END,
           CASE WHEN claimed.id IS NULL THEN NULL ELSE $7::uuid END
    FROM made CROSS JOIN LATERAL (
      SELECT generation FROM webhook_lanes WHERE endpoint_id = made.endpoint_id LIMIT 1) AS lanes
    LEFT JOIN unnest($6::uuid[]) AS claimed (id) ON claimed.id = made.id
  ),
  ended AS (
    ${endEvents('$9')}
  )
  SELECT id FROM made`,
};

/** $1 endpoints whose lanes are locked, $2 when to check each again, $3 its tokens, or null to keep them, $4 now. */
export const WAKE_LANES: PreparedStatement = {
  name: 'webhook_wake_lanes',
  sql: `
  UPDATE webhook_lanes AS lanes
  SET wake_at = woken.wake_at, tokens = COALESCE(woken.tokens, lanes.tokens),
      tokens_at = CASE WHEN woken.tokens IS NULL THEN lanes.tokens_at ELSE $4::timestamptz END
  FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[]) AS woken (endpoint_id, wake_at, tokens)
  WHERE lanes.endpoint_id = woken.endpoint_id`,
};

/** $1 events that no endpoint subscribes to any more. */
export const END_EVENTS: PreparedStatement = { name: 'webhook_end_events', sql: endEvents('$1') };
