import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { LEAST_ID } from '../../database/id';
import { prepared } from '../../database/prepared';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.entity';
import { wakeWorkers } from './delivery-queue';
import { CHOOSE_DELIVERIES, END_EVENTS, LOCK_EVENTS, LOCK_LISTENING_LANES, MAKE_DELIVERIES } from './fan-out.sql';
import type { WebhookNewEvent } from './webhook-new-event.entity';

/** Tenants per step. */
const TENANTS_PER_STEP = 20;

interface NewEvent extends Pick<Columns<WebhookNewEvent>, 'tenant_id' | 'event_id'> {
  /** How many of its deliveries to create in this step. */
  most: number;
}

type ChosenDelivery = Pick<Columns<WebhookDelivery>, 'event_id' | 'endpoint_id'>;

/** Creates one delivery for every active endpoint that subscribes to an event; tenants take turns (ADR 14). */
@Injectable()
export class FanOut {
  /** The last tenant processed in this round. */
  private position = LEAST_ID;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Processes the first events of the next tenants. An event leaves the list of new ones in the transaction that
   * creates the last of its deliveries, so that a process that dies here leaves everything unchanged.
   *
   * @returns whether there may be more
   */
  async step(): Promise<boolean> {
    const from = this.position;
    const events = await inTransaction(this.dataSource, (manager) => this.advance(manager, from));
    const isRoundOver = new Set(events.map(({ tenant_id }) => tenant_id)).size < TENANTS_PER_STEP;
    this.position = isRoundOver ? LEAST_ID : (events.at(-1)?.tenant_id ?? LEAST_ID);
    return events.length > 0 || from !== LEAST_ID;
  }

  private async advance(manager: EntityManager, from: string): Promise<NewEvent[]> {
    const events = await prepared<NewEvent>(manager, LOCK_EVENTS, [from, TENANTS_PER_STEP]);
    if (events.length === 0) return events;
    const chosen = await prepared<ChosenDelivery>(manager, CHOOSE_DELIVERIES, [
      events.map(({ event_id }) => event_id),
      events.map(({ most }) => most),
    ]);
    if (chosen.length > 0) await this.createDeliveries(manager, chosen);
    const counts = new Map<string, number>();
    for (const { event_id } of chosen) counts.set(event_id, (counts.get(event_id) ?? 0) + 1);
    // The other events may have more deliveries; those created now are not chosen again.
    const completed = events.filter(({ event_id, most }) => (counts.get(event_id) ?? 0) < most);
    await execute(manager, END_EVENTS, [completed.map(({ event_id }) => event_id)]);
    return events;
  }

  private async createDeliveries(manager: EntityManager, chosen: readonly ChosenDelivery[]): Promise<void> {
    const endpointIds = chosen.map(({ endpoint_id }) => endpoint_id);
    await prepared(manager, LOCK_LISTENING_LANES, [[...new Set(endpointIds)]]);
    const [created] = await prepared<{ count: number }>(manager, MAKE_DELIVERIES, [
      chosen.map(({ event_id }) => event_id),
      endpointIds,
      this.clock.now(),
    ]);
    if (created && created.count > 0) await wakeWorkers(manager);
  }
}
