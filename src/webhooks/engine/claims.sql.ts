import type { PreparedStatement } from '../../database/prepared';
import { sealedCredentials } from '../endpoint-credentials';

/**
 * $1 now, $2 and $3 how many at most of those that work and of those that fail. Who waited longest comes first; what
 * another process has locked it is looking after.
 */
export const LOCK_DUE_LANES: PreparedStatement = {
  name: 'webhook_lock_due_lanes',
  sql: `
  WITH healthy AS (
    SELECT endpoint_id, wake_at, false AS is_failing FROM webhook_lanes WHERE wake_at <= $1 AND failing_since IS NULL
    ORDER BY wake_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ),
  failing AS (
    SELECT endpoint_id, wake_at, true AS is_failing FROM webhook_lanes WHERE wake_at <= $1 AND failing_since IS NOT NULL
    ORDER BY wake_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  SELECT endpoint_id, is_failing FROM (SELECT * FROM healthy UNION ALL SELECT * FROM failing) AS due ORDER BY wake_at`,
};

/**
 * $1 endpoints whose lanes are locked, $2 now, $3 deliveries at most of each. A statement of its own after the lock, so
 * that it sees what the holder before did. $4 whether each fails. In the order of $1.
 */
export const READ_LANES: PreparedStatement = {
  name: 'webhook_read_lanes',
  sql: `
  SELECT lanes.endpoint_id, wanted.is_failing, lanes.generation, lanes.tokens, lanes.tokens_at, endpoints.rate_limit_per_second AS rate,
         (SELECT count(*)::int FROM webhook_queue AS queue
          WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at > $2) AS under_way,
         ARRAY(SELECT delivery_id FROM webhook_queue AS queue
               WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation AND queue.due_at <= $2
               ORDER BY queue.due_at, queue.delivery_id LIMIT $3) AS due,
         LEAST((SELECT min(due_at) FROM webhook_queue AS queue
                WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation AND queue.due_at > $2),
               (SELECT min(due_at) FROM webhook_queue AS queue
                WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at > $2)) AS next_due
  FROM unnest($1::uuid[], $4::boolean[]) WITH ORDINALITY AS wanted (endpoint_id, is_failing, place)
  JOIN webhook_lanes AS lanes ON lanes.endpoint_id = wanted.endpoint_id
  JOIN webhook_endpoints AS endpoints ON endpoints.id = lanes.endpoint_id
  ORDER BY wanted.place`,
};

/** $1 deliveries, $2 when the claim ends, $3 claim, $4 now. */
export const CLAIM: PreparedStatement = {
  name: 'webhook_claim',
  sql: `
  WITH claimed AS (
    UPDATE webhook_queue SET claim_id = $3, attempt = attempt + 1, due_at = $2
    WHERE delivery_id = ANY ($1::uuid[])
    RETURNING delivery_id, endpoint_id, event_id, attempt, step
  )
  SELECT claimed.delivery_id, claimed.event_id, claimed.attempt, claimed.step, endpoints.target_url,
         ${sealedCredentials('endpoints', '$4')}, events.type, events.created_at, events.data::text AS data
  FROM claimed
  JOIN events ON events.id = claimed.event_id
  JOIN webhook_endpoints AS endpoints ON endpoints.id = claimed.endpoint_id`,
};

/** $1 endpoints, $2 when to look at each again, $3 its tokens, $4 now. */
export const MOVE_LANES: PreparedStatement = {
  name: 'webhook_move_lanes',
  sql: `
  UPDATE webhook_lanes AS lanes SET wake_at = moved.wake_at, tokens = moved.tokens, tokens_at = $4
  FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[]) AS moved (endpoint_id, wake_at, tokens)
  WHERE lanes.endpoint_id = moved.endpoint_id`,
};

/** When something will be due; null: nothing is queued. $1 and $2 whether those that work and those that fail count. */
export const NEXT_WAKE: PreparedStatement = {
  name: 'webhook_next_wake',
  sql: `
  SELECT min(wake_at) AS wake_at FROM (
    (SELECT wake_at FROM webhook_lanes WHERE failing_since IS NULL AND $1 ORDER BY wake_at LIMIT 1)
    UNION ALL
    (SELECT wake_at FROM webhook_lanes WHERE failing_since IS NOT NULL AND $2 ORDER BY wake_at LIMIT 1)) AS first`,
};
