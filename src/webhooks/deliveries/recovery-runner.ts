import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { firstIdAt } from '../../database/id';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { EventRow } from '../../events/event.entity';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { DeliveryQueue } from '../engine/delivery-queue';
import { LOCK_LANE } from '../engine/delivery-queue.sql';
import type { WebhookLane } from '../engine/webhook-lane.entity';
import { LOCK_ENDPOINT, LOCK_RECOVERY, MAKE_MISSING, MOVE_ON, nextEvents, RUNNING } from './recovery.sql';
import type { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookRecovery } from './webhook-recovery.entity';

const EVENTS_AT_ONCE = 500;

/**
 * How far the time in an event's id may be from its `created_at`. The id is of the moment in which it was made, by the
 * clock of that process; `created_at` of the beginning of its transaction, by the clock of the database.
 */
const MARGIN_MS = 10 * 60_000;

const HOUR_MS = 3_600_000;

type Candidate = Pick<Columns<WebhookRecovery>, 'id' | 'endpoint_id'> & {
  /** Whether other recoveries of the tenant are running. */
  has_others: boolean;
};

type EndpointRow = Pick<Columns<WebhookEndpoint>, 'org_id' | 'owner_id' | 'event_types'>;

type RunningRow = Pick<Columns<WebhookRecovery>, 'since' | 'until' | 'include_missing' | 'position'> &
  Pick<Columns<WebhookLane>, 'generation'> & {
    is_void: boolean;
  };

interface LookedRow extends Pick<Columns<EventRow>, 'id' | 'type'> {
  is_meant: boolean;
  is_own_end: boolean;
  delivery_id: string | null;
  is_lost: boolean;
}

/**
 * Goes through the events of recoveries. Each step of one is a transaction that looks at the next events, queues what is
 * to be sent again and writes down how far it came: a process that is killed repeats nothing and skips nothing.
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
   * One step of one running recovery of each tenant, unless another process is at it. One that fails does not hold up the
   * others.
   *
   * @returns whether any of them has more to do
   * @throws the first error, when all have had their turn
   */
  async step(): Promise<boolean> {
    const errors: unknown[] = [];
    let more = false;
    for (const candidate of await many<Candidate>(this.dataSource, RUNNING)) {
      try {
        const hasMore = await inTransaction(this.dataSource, (manager) => this.advance(manager, candidate));
        if (hasMore !== undefined) more ||= hasMore || candidate.has_others;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return more;
  }

  /** @returns whether it has more to do; undefined when it was left to another process, or to a later step */
  private async advance(
    manager: EntityManager,
    { id, endpoint_id: endpointId }: Candidate,
  ): Promise<boolean | undefined> {
    const endpoint = await maybe<EndpointRow>(manager, LOCK_ENDPOINT, [endpointId]);
    if (!endpoint) return undefined;
    const recovery = await maybe<RunningRow>(manager, LOCK_RECOVERY, [id]);
    if (!recovery) return undefined;
    if (recovery.is_void) {
      // The endpoint was disabled, and what was queued so far is cancelled.
      await manager.update(WebhookRecovery, { id }, { status: 'CANCELLED', finishedAt: this.clock.now() });
      return false;
    }
    const looked = await this.look(manager, endpointId, endpoint, recovery);
    const meant = looked.filter(({ is_meant }) => is_meant);
    const lost = meant.flatMap(({ is_lost, delivery_id }) => (is_lost && delivery_id !== null ? [delivery_id] : []));
    const missing = recovery.include_missing ? this.missingOf(meant, endpoint) : [];
    const queued = await this.queueAll(manager, endpointId, lost, missing);
    const hasMore = looked.length === EVENTS_AT_ONCE;
    const finishedAt = hasMore ? null : this.clock.now();
    await execute(manager, MOVE_ON, [id, looked.at(-1)?.id ?? null, meant.length, queued, finishedAt]);
    return hasMore;
  }

  private look(
    manager: EntityManager,
    endpointId: string,
    { org_id, owner_id }: EndpointRow,
    { since, until, position, generation }: RunningRow,
  ): Promise<LookedRow[]> {
    return many<LookedRow>(manager, nextEvents(org_id === null ? 'owner_id' : 'org_id'), [
      endpointId,
      org_id ?? owner_id,
      position ?? firstIdAt(new Date(since.getTime() - MARGIN_MS)),
      firstIdAt(new Date(until.getTime() + MARGIN_MS)),
      EVENTS_AT_ONCE,
      since,
      until,
      generation,
    ]);
  }

  /** @returns how many deliveries are queued now */
  private async queueAll(
    manager: EntityManager,
    endpointId: string,
    lost: string[],
    missing: LookedRow[],
  ): Promise<number> {
    if (lost.length === 0 && missing.length === 0) return 0;
    // Before the deliveries, as everybody does; and not before it is needed, since nobody claims from it meanwhile.
    await execute(manager, LOCK_LANE, [endpointId]);
    const made = await many<Pick<Columns<WebhookDelivery>, 'id'>>(manager, MAKE_MISSING, [
      endpointId,
      missing.map(({ id }) => id),
      missing.map(({ type }) => type),
    ]);
    return (await this.queue.again(manager, endpointId, [...lost, ...made.map(({ id }) => id)])).length;
  }

  /** What has no delivery and should. The oldest ones count as gone an hour early: they may go at any moment. */
  private missingOf(events: LookedRow[], { event_types }: EndpointRow): LookedRow[] {
    const retention = (this.environment.webhooksRetentionDays * 24 - 1) * HOUR_MS;
    const oldest = firstIdAt(new Date(this.clock.now().getTime() - retention));
    return events.filter(
      ({ id, type, is_own_end, delivery_id }) =>
        delivery_id === null && !is_own_end && id >= oldest && event_types.includes(type),
    );
  }
}
