import { fewRows } from '../../database/few-rows';
import type { PreparedStatement } from '../../database/prepared';

/** $1 endpoints. Changing the queue of an endpoint requires the lock of its lane; acquired in the order of ids. */
export const LOCK_LANES: PreparedStatement = {
  name: 'webhook_lock_lanes',
  sql: `
  SELECT FROM webhook_lanes WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE`,
};

/**
 * $1 endpoints. Comes before their lanes where a transaction may change a lane twice: the second time, PostgreSQL checks the
 * lane's foreign key, and locks the endpoint for that. A transaction that deletes the endpoint holds it already and waits for
 * the lane: a deadlock.
 */
export const LOCK_ENDPOINTS: PreparedStatement = {
  name: 'webhook_lock_endpoints',
  sql: `
  SELECT FROM webhook_endpoints WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE`,
};

/** Whether a result is what the delivery shows: the latest one, unless that failed after a success. */
const SHOWS = `(result.error IS NULL OR (result.number > deliveries.attempt_count AND deliveries.status <> 'SUCCEEDED'))`;

/**
 * Records the results of attempts whose lanes are locked: $1 a JSON array; `next_at` is null for the last attempt. $2 a
 * JSON array of counts by endpoint and hour.
 *
 * A result counts only while its claim is valid. If another process has reclaimed the delivery meanwhile, the attempt
 * is still recorded, and a success still ends the delivery, because it did arrive.
 */
export const RECORD: PreparedStatement = {
  name: 'webhook_record',
  sql: `
  WITH result AS MATERIALIZED (
    SELECT result.*, queue.claim_id = result.claim_id AS is_held, queue.generation = lane.generation AS is_current,
           -- Somebody asked for it to be sent again meanwhile.
           queue.claim_id IS NULL AND queue.step = 0 AS is_again
    FROM jsonb_to_recordset($1::jsonb) AS result (
      endpoint_id uuid, delivery_id uuid, claim_id uuid, number integer, started_at timestamptz, duration_ms integer,
      response_status smallint, response_body text, error text, error_message text, next_at timestamptz)
    CROSS JOIN LATERAL (
      SELECT generation FROM webhook_lanes WHERE endpoint_id = result.endpoint_id LIMIT 1) AS lane
    LEFT JOIN LATERAL (
      SELECT claim_id, generation, step FROM webhook_queue WHERE delivery_id = result.delivery_id LIMIT 1) AS queue ON true
    WHERE ${fewRows('result.number')}
  ),
  noted AS (
    UPDATE webhook_deliveries AS deliveries
    SET attempt_count = GREATEST(deliveries.attempt_count, result.number),
        last_attempt_at = CASE WHEN ${SHOWS} THEN result.started_at ELSE last_attempt_at END,
        response_status = CASE WHEN ${SHOWS} THEN result.response_status ELSE deliveries.response_status END,
        response_class = CASE WHEN ${SHOWS} THEN COALESCE(result.response_status / 100, 0) ELSE response_class END,
        error = CASE WHEN ${SHOWS} THEN result.error ELSE deliveries.error END,
        status = CASE
          WHEN result.is_again THEN deliveries.status
          WHEN result.error IS NULL THEN 'SUCCEEDED'
          WHEN result.is_held IS NOT TRUE THEN deliveries.status
          WHEN NOT result.is_current THEN 'CANCELLED'
          WHEN result.next_at IS NULL THEN 'FAILED'
          ELSE 'PENDING' END
    FROM result
    WHERE deliveries.endpoint_id = result.endpoint_id AND deliveries.id = result.delivery_id
    RETURNING deliveries.id
  ),
  attempted AS (
    INSERT INTO webhook_attempts
      (delivery_id, number, started_at, duration_ms, response_status, response_body, error, error_message)
    SELECT delivery_id, number, started_at, duration_ms, response_status, response_body, error, error_message
    FROM result WHERE delivery_id IN (SELECT id FROM noted)
    ON CONFLICT DO NOTHING
  ),
  ended AS (
    DELETE FROM webhook_queue WHERE delivery_id = ANY (ARRAY(
      SELECT delivery_id FROM result
      WHERE (error IS NULL AND NOT is_again) OR (is_held AND (next_at IS NULL OR NOT is_current))))
  ),
  counted AS (
    INSERT INTO webhook_hours AS hours (endpoint_id, hour, succeeded, failed, latencies)
    SELECT endpoint_id, hour, succeeded, failed, latencies
    FROM jsonb_to_recordset($2::jsonb) AS counted (
      endpoint_id uuid, hour timestamptz, succeeded integer, failed integer, latencies integer[])
    ORDER BY endpoint_id, hour
    ON CONFLICT (endpoint_id, hour) DO UPDATE
      SET succeeded = hours.succeeded + excluded.succeeded, failed = hours.failed + excluded.failed,
          latencies = ARRAY(SELECT old + new FROM unnest(hours.latencies, excluded.latencies)
                            WITH ORDINALITY AS pair (old, new, position) ORDER BY position)
  )
  UPDATE webhook_queue AS queue SET claim_id = NULL, due_at = result.next_at,
    -- What failed inside the service was not an attempt of the schedule.
    step = queue.step + (result.error <> 'interrupted')::int
  FROM result
  WHERE queue.delivery_id = result.delivery_id
    AND result.error IS NOT NULL AND result.is_held AND result.is_current AND result.next_at IS NOT NULL`,
};

/**
 * Sets the state of lanes, which are locked, after results: $1 a JSON array with, for each endpoint, whether there was a
 * success, and the first failure after the last one. The lanes also wake for what is due, since there are free slots
 * now; a statement after the queue, so that it sees the retries. Writes those that change: where everything succeeds,
 * hardly ever one. Returns all of them.
 */
export const JUDGE_LANES: PreparedStatement = {
  name: 'webhook_judge_lanes',
  sql: `
  WITH judged AS MATERIALIZED (
    SELECT judged.*, lanes.generation, (judged.failing_since, judged.is_proven, judged.wake_at)
                     IS DISTINCT FROM (lanes.failing_since, lanes.is_proven, lanes.wake_at) AS has_changed
    FROM jsonb_to_recordset($1::jsonb) AS result (endpoint_id uuid, succeeded boolean, failing_from timestamptz)
    -- The limit keeps the planner to one look at the index for each, however few lanes there are.
    CROSS JOIN LATERAL (SELECT * FROM webhook_lanes WHERE endpoint_id = result.endpoint_id LIMIT 1) AS lanes
    CROSS JOIN LATERAL (
      SELECT lanes.endpoint_id,
             CASE WHEN result.succeeded THEN result.failing_from
                  ELSE COALESCE(lanes.failing_since, result.failing_from) END::timestamptz(3) AS failing_since,
             lanes.is_proven OR result.succeeded AS is_proven,
             LEAST(lanes.wake_at, (
               SELECT min(due_at) FROM webhook_queue AS queue
               WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation)) AS wake_at
    ) AS judged
  ),
  moved AS (
    UPDATE webhook_lanes AS lanes
    SET failing_since = judged.failing_since, is_proven = judged.is_proven, wake_at = judged.wake_at
    FROM judged
    WHERE lanes.endpoint_id = judged.endpoint_id AND judged.has_changed AND ${fewRows('judged.generation')}
  )
  SELECT endpoint_id, failing_since, is_proven, wake_at FROM judged`,
};
