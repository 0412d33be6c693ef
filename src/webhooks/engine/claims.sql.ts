import { fewRows } from '../../database/few-rows';
import type { PreparedStatement } from '../../database/prepared';
import { sealedCredentials } from '../endpoints/endpoint-credentials';
import { endpointOf, foundEndpoints, noteFound } from './found-endpoints';

/**
 * Tenants whose turn it is, for their lanes of one kind: first those that hold no slot of this process, then those slot
 * holders that may get more; each group by longest wait.
 */
const dueTenants = (isDoubtful: boolean, limit: string, holders: string, hungry: string) => `
    SELECT * FROM (
      SELECT tenant_id, is_doubtful, wake_at FROM webhook_tenants
      WHERE is_doubtful = ${isDoubtful} AND wake_at <= $1 AND tenant_id <> ALL (${holders}::uuid[])
      ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS newcomers
    UNION ALL
    SELECT * FROM (
      SELECT tenant_id, is_doubtful, wake_at FROM webhook_tenants
      WHERE is_doubtful = ${isDoubtful} AND wake_at <= $1 AND tenant_id = ANY (${hungry}::uuid[])
      ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS holders`;

/**
 * The lanes of each tenant that have waited longest: as many as get a slot if all tenants get the same, plus one to
 * determine when to look again.
 */
const dueLanes = (kind: string, isOfKind: string, slots: string) => `
    SELECT ${kind}.tenant_id, ${kind}.is_doubtful, ${kind}.wake_at AS tenant_wake_at, lanes.endpoint_id, lanes.wake_at
    FROM ${kind} LEFT JOIN LATERAL (
      SELECT endpoint_id, lanes.wake_at FROM webhook_lanes AS lanes
      WHERE lanes.tenant_id = ${kind}.tenant_id AND ${isOfKind} AND lanes.wake_at <= $1
      ORDER BY lanes.wake_at LIMIT (SELECT 1 + ceil(${slots}::float8 / 2 / count(*))::int FROM ${kind})
      FOR UPDATE SKIP LOCKED) AS lanes ON true`;

/**
 * Locks what is due: tenants, and lanes of each. $1 now; $2 and $3 free slots for proven and for doubtful lanes; $4
 * tenants that hold slots for proven lanes, $5 those of them that may get more; $6 and $7 the same for doubtful lanes.
 * Whatever another process has locked is handled by it, so nothing here waits. A tenant none of whose lanes could be
 * locked is returned once, without an endpoint. The endpoints are noted for `READ_LANES`.
 */
export const LOCK_DUE: PreparedStatement = {
  name: 'webhook_lock_due',
  sql: `
  WITH proven AS MATERIALIZED (${dueTenants(false, '$2', '$4', '$5')}
  ),
  doubtful AS MATERIALIZED (${dueTenants(true, '$3', '$6', '$7')}
  ),
  due AS MATERIALIZED (
    SELECT * FROM (${dueLanes('proven', 'lanes.is_proven AND lanes.failing_since IS NULL', '$2')}) AS of_proven
    UNION ALL
    SELECT * FROM (${dueLanes('doubtful', '(NOT lanes.is_proven OR lanes.failing_since IS NOT NULL)', '$3')}) AS of_doubtful
  ),
  noted AS MATERIALIZED (
    SELECT ${noteFound('endpoint_id')} FROM due WHERE endpoint_id IS NOT NULL
  )
  SELECT tenant_id, is_doubtful, endpoint_id FROM due CROSS JOIN noted
  ORDER BY tenant_wake_at, tenant_id, due.wake_at`,
};

/**
 * The lanes that were locked, $1 `FOUND_ENDPOINTS`, at $2, now; $3 free slots. A separate statement after the lock, so that
 * it sees the changes of the previous lock holder. Of each lane it reads, `read`, an equal share of the slots and a few more,
 * but no more than one beyond $4, the bound of an endpoint.
 */
export const READ_LANES: PreparedStatement = {
  name: 'webhook_read_lanes',
  sql: `
  SELECT lanes.endpoint_id, most.read, lanes.generation, lanes.tokens, lanes.tokens_at, endpoints.rate_limit_per_second AS rate,
         (SELECT count(*)::int FROM webhook_queue AS queue
          WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at > $2) AS under_way,
         ARRAY(SELECT delivery_id FROM webhook_queue AS queue
               WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation AND queue.due_at <= $2
               ORDER BY queue.due_at, queue.delivery_id LIMIT most.read) AS due,
         -- Those whose sender died, or took longer than its lease: only counted.
         ARRAY(SELECT delivery_id FROM webhook_queue AS queue
               WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at <= $2
               ORDER BY queue.due_at LIMIT most.read) AS abandoned,
         LEAST((SELECT min(due_at) FROM webhook_queue AS queue
                WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation AND queue.due_at > $2),
               (SELECT min(due_at) FROM webhook_queue AS queue
                WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at > $2)) AS next_due
  FROM (
    SELECT LEAST(4 + ceil($3::float8 / 2 / cardinality(${foundEndpoints('$1')})), $4::int + 1)::int AS read) AS most
  JOIN webhook_lanes AS lanes ON lanes.endpoint_id = ANY (${foundEndpoints('$1')})
  CROSS JOIN LATERAL ${endpointOf('lanes.endpoint_id')} AS endpoints`,
};

/** $1 deliveries, $2 end of the claim, $3 claim, $4 now. */
export const CLAIM: PreparedStatement = {
  name: 'webhook_claim',
  sql: `
  WITH claimed AS (
    UPDATE webhook_queue SET claim_id = $3, attempt = attempt + 1, due_at = $2
    WHERE delivery_id = ANY ($1::uuid[])
    RETURNING delivery_id, endpoint_id, event_id, attempt, step
  )
  SELECT claimed.delivery_id, claimed.event_id, claimed.attempt, claimed.step,
         ${sealedCredentials('endpoints', '$4')}, events.type, events.created_at, events.traceparent, events.data::text AS data
  FROM claimed
  CROSS JOIN LATERAL (
    -- The limit keeps the planner to one look at the index for each, whatever it believes of the size of the table.
    SELECT type, created_at, traceparent, data FROM events WHERE id = claimed.event_id LIMIT 1) AS events
  CROSS JOIN LATERAL ${endpointOf('claimed.endpoint_id')} AS endpoints`,
};

/** $1 endpoints, $2 when to check each again, $3 its tokens, $4 now. */
export const MOVE_LANES: PreparedStatement = {
  name: 'webhook_move_lanes',
  sql: `
  UPDATE webhook_lanes AS lanes SET wake_at = moved.wake_at, tokens = moved.tokens, tokens_at = $4
  FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[]) AS moved (endpoint_id, wake_at, tokens)
  WHERE lanes.endpoint_id = moved.endpoint_id`,
};

/**
 * Sets the wake-up times of locked tenants from their lanes: $1 tenants, $2 the kind of each. A separate statement
 * after the lanes, so that it also sees those that others woke before the lock.
 *
 * Returns when something will be due; null if nothing is queued. $3 and $4 whether proven and doubtful lanes count; $5
 * and $6 the tenants of either kind that do not count for what is due at $7, now; $8 and $9 those of $1 of either kind.
 */
export const MOVE_TENANTS: PreparedStatement = {
  name: 'webhook_move_tenants',
  sql: `
  WITH moved AS (
    UPDATE webhook_tenants AS tenants SET wake_at = CASE
      WHEN tenants.is_doubtful THEN (
        SELECT min(wake_at) FROM webhook_lanes AS lanes
        WHERE lanes.tenant_id = tenants.tenant_id AND (NOT lanes.is_proven OR lanes.failing_since IS NOT NULL))
      ELSE (
        SELECT min(wake_at) FROM webhook_lanes AS lanes
        WHERE lanes.tenant_id = tenants.tenant_id AND lanes.is_proven AND lanes.failing_since IS NULL)
      END
    FROM unnest($1::uuid[], $2::boolean[]) WITH ORDINALITY AS given (tenant_id, is_doubtful, place)
    WHERE tenants.tenant_id = given.tenant_id AND tenants.is_doubtful = given.is_doubtful AND ${fewRows('given.place')}
    RETURNING tenants.tenant_id, tenants.is_doubtful, tenants.wake_at
  )
  SELECT min(wake_at) AS wake_at FROM (
    SELECT wake_at FROM moved
    WHERE CASE WHEN is_doubtful THEN $4 AND (tenant_id <> ALL ($6::uuid[]) OR wake_at > $7)
               ELSE $3 AND (tenant_id <> ALL ($5::uuid[]) OR wake_at > $7) END
    UNION ALL
    -- Of those that were moved this still sees the time before.
    (SELECT wake_at FROM webhook_tenants
     WHERE NOT is_doubtful AND $3 AND (tenant_id <> ALL ($5::uuid[]) OR wake_at > $7) AND tenant_id <> ALL ($8::uuid[])
     ORDER BY wake_at LIMIT 1)
    UNION ALL
    (SELECT wake_at FROM webhook_tenants
     WHERE is_doubtful AND $4 AND (tenant_id <> ALL ($6::uuid[]) OR wake_at > $7) AND tenant_id <> ALL ($9::uuid[])
     ORDER BY wake_at LIMIT 1)) AS first`,
};
