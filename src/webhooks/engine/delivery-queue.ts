import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { execute, many, one } from '../../database/statements';

/** The channel on which processes are told that there is something to send. */
export const DELIVERIES_CHANNEL = 'webhook_deliveries';

/** Tells all processes, when the transaction is committed, that there is something to send. */
export async function wakeWorkers(manager: EntityManager): Promise<void> {
  await execute(manager, `SELECT pg_notify($1, '')`, [DELIVERIES_CHANNEL]);
}

/** How many deliveries are cancelled at once: what a request may wait for. */
const CANCELLED_AT_ONCE = 1_000;

/** $1 endpoint. Who changes what is queued for it holds its lane. */
const LOCK_LANE = `SELECT FROM webhook_lanes WHERE endpoint_id = $1 FOR UPDATE`;

/**
 * $1 endpoint, $2 now, $3 deliveries. An attempt that is under way goes on; its result finds the claim gone.
 */
const QUEUE_AGAIN = `
  WITH wanted AS (
    UPDATE webhook_deliveries SET status = 'PENDING' WHERE endpoint_id = $1 AND id = ANY ($3::uuid[])
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

/** $1 endpoint, $2 now, $3 rows at most. What is being sent is left to its result, or to the end of its claim. */
const CANCEL_VOID = `
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
const ENDED_DRAINING = `
  UPDATE webhook_lanes AS lanes SET is_draining = false
  WHERE endpoint_id = $1 AND NOT EXISTS (
    SELECT FROM webhook_queue AS queue
    WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation < lanes.generation)`;

/**
 * What is to be sent to an endpoint, in the endpoint's lane (ADR 7). Everything here runs in the transaction of its
 * caller; who needs the lock of the endpoint as well takes it first.
 */
@Injectable()
export class DeliveryQueue {
  constructor(private readonly clock: Clock) {}

  /**
   * To be called where an endpoint is disabled, by which a trigger has voided everything that is queued for it. Its
   * deliveries are cancelled here when they are few, by the worker when they are many; none of them is sent in either
   * case.
   */
  async drainSoon(manager: EntityManager, endpointId: string): Promise<void> {
    await this.drain(manager, endpointId);
    await wakeWorkers(manager);
  }

  /**
   * Cancels void deliveries, so many at once.
   *
   * @returns whether there may be more that can be cancelled now
   */
  async drain(manager: EntityManager, endpointId: string): Promise<boolean> {
    await execute(manager, LOCK_LANE, [endpointId]);
    const { count } = await one<{ count: number }>(manager, CANCEL_VOID, [
      endpointId,
      this.clock.now(),
      CANCELLED_AT_ONCE,
    ]);
    await execute(manager, ENDED_DRAINING, [endpointId]);
    return count === CANCELLED_AT_ONCE;
  }

  /**
   * Sends deliveries of an active endpoint again, from the beginning of the retry schedule, whatever became of them.
   *
   * @param deliveryIds of that endpoint; others are left alone
   * @returns those that are queued now
   */
  async again(manager: EntityManager, endpointId: string, deliveryIds: readonly string[]): Promise<string[]> {
    await execute(manager, LOCK_LANE, [endpointId]);
    const rows = await many<{ delivery_id: string }>(manager, QUEUE_AGAIN, [endpointId, this.clock.now(), deliveryIds]);
    if (rows.length > 0) await wakeWorkers(manager);
    return rows.map(({ delivery_id }) => delivery_id);
  }
}
