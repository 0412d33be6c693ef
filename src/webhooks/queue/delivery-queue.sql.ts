/** $1 endpoint. Changing the queue of an endpoint requires the lock of its lane. */
export const LOCK_LANE = `SELECT FROM webhook_lanes WHERE endpoint_id = $1 FOR UPDATE`;

/**
 * $1 endpoint, $2 now, $3 deliveries. An attempt in flight continues; its result finds that the claim has ended.
 */
export const QUEUE_AGAIN = `
  WITH wanted AS (
    UPDATE webhook_deliveries SET status = 'PENDING', error = NULLIF(error, 'restored')
    WHERE endpoint_id = $1 AND id = ANY ($3::uuid[])
    RETURNING id, event_id, attempt_count
  ),
  woken AS (
    UPDATE webhook_lanes SET wake_at = LEAST(wake_at, $2::timestamptz)
    WHERE endpoint_id = $1 AND EXISTS (SELECT FROM wanted)
  )
  INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, attempt, due_at)
  SELECT wanted.id, $1, wanted.event_id, lanes.generation, wanted.attempt_count, $2
  FROM wanted JOIN webhook_lanes AS lanes ON lanes.endpoint_id = $1
  ON CONFLICT (delivery_id) DO UPDATE
    SET generation = excluded.generation, step = 0, due_at = excluded.due_at, claim_id = NULL,
        attempt = GREATEST(webhook_queue.attempt, excluded.attempt)
  RETURNING delivery_id`;

/** $1 endpoint, $2 now, $3 maximum number of rows. Deliveries in flight end with their result or claim. */
export const CANCEL_VOID = `
  WITH void AS (
    DELETE FROM webhook_queue WHERE delivery_id IN (
      SELECT queue.delivery_id FROM webhook_queue AS queue
      JOIN webhook_lanes AS lanes ON lanes.endpoint_id = queue.endpoint_id AND queue.generation < lanes.generation
      WHERE queue.endpoint_id = $1 AND (queue.claim_id IS NULL OR queue.due_at <= $2)
      LIMIT $3)
    RETURNING delivery_id
  ),
  cancelled AS (
    UPDATE webhook_deliveries SET status = 'CANCELLED'
    WHERE endpoint_id = $1 AND status = 'PENDING' AND id IN (SELECT delivery_id FROM void)
  )
  SELECT count(*)::int AS count FROM void`;

/** $1 endpoint. */
export const ENDED_DRAINING = `
  UPDATE webhook_lanes AS lanes SET is_draining = false
  WHERE endpoint_id = $1 AND NOT EXISTS (
    SELECT FROM webhook_queue AS queue
    WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation < lanes.generation)`;
