import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { execute, many, one } from '../../database/statements';
import { EndpointQueue } from '../endpoints/endpoint-queue';
import { DeliveryCounters } from './delivery-counters';
import { CANCEL_VOID, ENDED_DRAINING, LOCK_LANE, QUEUE_AGAIN } from './delivery-queue.sql';
import { WebhookLane } from './webhook-lane.entity';
import type { WebhookQueueRow } from './webhook-queue.entity';

/** Notifies processes that there is something to send. */
export const DELIVERIES_CHANNEL = 'webhook_deliveries';

/** Notifies all processes, once the transaction is committed, that there is something to send. */
export async function wakeWorkers(manager: EntityManager): Promise<void> {
  await execute(manager, `SELECT pg_notify($1, '')`, [DELIVERIES_CHANNEL]);
}

/** Few enough for a request to wait for. */
const CANCEL_BATCH_SIZE = 1_000;

/**
 * The queue of an endpoint, in its lane (ADR 7). All methods run in the transaction of the caller; a caller that also
 * needs the lock of the endpoint acquires it first.
 */
@Injectable()
export class DeliveryQueue extends EndpointQueue {
  constructor(
    private readonly clock: Clock,
    private readonly counters: DeliveryCounters,
  ) {
    super();
  }

  /** Cancels the deliveries here if they are few and leaves many to the worker; none of them is sent in either case. */
  async drainSoon(manager: EntityManager, endpointId: string): Promise<void> {
    await this.drain(manager, endpointId);
    await wakeWorkers(manager);
  }

  async markUnproven(manager: EntityManager, endpointId: string): Promise<void> {
    await manager.update(WebhookLane, { endpointId, isProven: true }, { isProven: false });
  }

  /**
   * Cancels one batch of void deliveries.
   *
   * @returns whether there may be more that can be cancelled now
   */
  async drain(manager: EntityManager, endpointId: string): Promise<boolean> {
    await execute(manager, LOCK_LANE, [endpointId]);
    const { count } = await one<{ count: number }>(manager, CANCEL_VOID, [
      endpointId,
      this.clock.now(),
      CANCEL_BATCH_SIZE,
    ]);
    this.counters.addCancelled(count);
    await execute(manager, ENDED_DRAINING, [endpointId]);
    return count === CANCEL_BATCH_SIZE;
  }

  /**
   * Queues deliveries of an active endpoint again, whatever their status, from the start of the retry schedule.
   *
   * @param deliveryIds of that endpoint; others are ignored
   * @returns the queued ones
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
