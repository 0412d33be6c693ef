import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { execute, many, one } from '../../database/statements';
import { CANCEL_VOID, ENDED_DRAINING, LOCK_LANE, QUEUE_AGAIN } from './delivery-queue.sql';
import type { WebhookQueueRow } from './webhook-queue.entity';

/** The channel on which processes are told that there is something to send. */
export const DELIVERIES_CHANNEL = 'webhook_deliveries';

/** Notifies all processes, once the transaction is committed, that there is something to send. */
export async function wakeWorkers(manager: EntityManager): Promise<void> {
  await execute(manager, `SELECT pg_notify($1, '')`, [DELIVERIES_CHANNEL]);
}

/** How many deliveries are cancelled at once: what a request may wait for. */
const CANCELLED_AT_ONCE = 1_000;

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
    const rows = await many<Pick<Columns<WebhookQueueRow>, 'delivery_id'>>(manager, QUEUE_AGAIN, [
      endpointId,
      this.clock.now(),
      deliveryIds,
    ]);
    if (rows.length > 0) await wakeWorkers(manager);
    return rows.map(({ delivery_id }) => delivery_id);
  }
}
