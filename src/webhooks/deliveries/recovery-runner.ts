import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { EventRow } from '../../events/event.entity';
import { DeliveryQueue } from '../queue/delivery-queue';
import { LOCK_LANE } from '../queue/delivery-queue.sql';
import { eventsOf, type ListeningEndpoint, oldestRecoverable, type RecoveryPeriod } from './recovery-events';
import { LOCK_ENDPOINT, LOCK_RECOVERY, MAKE_MISSING, MOVE_ON, nextEvents, RUNNING } from './recovery.sql';
import type { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookRecovery } from './webhook-recovery.entity';

const BATCH_SIZE = 500;

type RunningRecovery = Pick<Columns<WebhookRecovery>, 'id' | 'endpoint_id'> & {
  /** Whether other recoveries of the tenant are running. */
  has_others: boolean;
};

type RunningRow = RecoveryPeriod &
  Pick<Columns<WebhookRecovery>, 'include_missing' | 'position'> & {
    is_void: boolean;
  };

interface ScannedRow extends Pick<Columns<EventRow>, 'id' | 'type'> {
  is_meant: boolean;
  delivery_id: string | null;
  is_lost: boolean;
  is_missing: boolean;
}

/**
 * Processes the events of recoveries. Each step is a transaction that reads the next events, queues those to be sent
 * again and stores its position, so that a killed process repeats nothing and skips nothing.
 */
@Injectable()
export class RecoveryRunner {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly queue: DeliveryQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs one step of one running recovery per tenant, unless another process is working on it. A failing recovery does
   * not block the others.
   *
   * @returns whether any recovery has more work
   * @throws the first error, after all recoveries have had their turn
   */
  async step(): Promise<boolean> {
    const errors: unknown[] = [];
    let anyMore = false;
    for (const recovery of await many<RunningRecovery>(this.dataSource, RUNNING)) {
      try {
        const hasMore = await inTransaction(this.dataSource, (manager) => this.advance(manager, recovery));
        if (hasMore !== undefined) anyMore ||= hasMore || recovery.has_others;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return anyMore;
  }

  /** @returns whether it has more work; undefined if it was left to another process or a later step */
  private async advance(
    manager: EntityManager,
    { id, endpoint_id: endpointId }: RunningRecovery,
  ): Promise<boolean | undefined> {
    const endpoint = await maybe<ListeningEndpoint>(manager, LOCK_ENDPOINT, [endpointId]);
    if (!endpoint) return undefined;
    const recovery = await maybe<RunningRow>(manager, LOCK_RECOVERY, [id]);
    if (!recovery) return undefined;
    if (recovery.is_void) {
      // The endpoint was disabled, so what was queued so far is cancelled.
      await manager.update(WebhookRecovery, { id }, { status: 'CANCELLED', finishedAt: this.clock.now() });
      return false;
    }
    const scanned = await this.readEvents(manager, endpointId, endpoint, recovery);
    const inPeriod = scanned.filter(({ is_meant }) => is_meant);
    const lost = inPeriod.flatMap(({ is_lost, delivery_id }) => (is_lost && delivery_id !== null ? [delivery_id] : []));
    const missing = recovery.include_missing ? inPeriod.filter(({ is_missing }) => is_missing) : [];
    const queued = await this.queueAll(manager, endpointId, lost, missing);
    const hasMore = scanned.length === BATCH_SIZE;
    const finishedAt = hasMore ? null : this.clock.now();
    await execute(manager, MOVE_ON, [id, scanned.at(-1)?.id ?? null, inPeriod.length, queued, finishedAt]);
    return hasMore;
  }

  private readEvents(
    manager: EntityManager,
    endpointId: string,
    endpoint: ListeningEndpoint,
    recovery: RunningRow,
  ): Promise<ScannedRow[]> {
    const oldest = oldestRecoverable(this.clock.now(), this.environment.webhooksRetentionDays);
    const next = { position: recovery.position, most: BATCH_SIZE, oldest };
    return many<ScannedRow>(
      manager,
      nextEvents(endpoint.org_id === null ? 'owner_id' : 'org_id'),
      eventsOf(endpointId, endpoint, recovery, next),
    );
  }

  /** @returns the number of queued deliveries */
  private async queueAll(
    manager: EntityManager,
    endpointId: string,
    lost: string[],
    missing: ScannedRow[],
  ): Promise<number> {
    if (lost.length === 0 && missing.length === 0) return 0;
    // Locked before the deliveries, as everywhere, but as late as possible: a locked lane cannot be claimed from.
    await execute(manager, LOCK_LANE, [endpointId]);
    const created = await many<Pick<Columns<WebhookDelivery>, 'id'>>(manager, MAKE_MISSING, [
      endpointId,
      missing.map(({ id }) => id),
      missing.map(({ type }) => type),
    ]);
    return (await this.queue.again(manager, endpointId, [...lost, ...created.map(({ id }) => id)])).length;
  }
}
