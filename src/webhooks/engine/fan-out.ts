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

/** Tenants of one step. */
const TENANTS_AT_ONCE = 20;

interface NewEvent extends Pick<Columns<WebhookNewEvent>, 'tenant_id' | 'event_id'> {
  /** How many deliveries of it are to be made in this step. */
  most: number;
}

type ChosenDelivery = Pick<Columns<WebhookDelivery>, 'event_id' | 'endpoint_id'>;

/** Makes one delivery for every active endpoint that listens to an event; tenants take turns (ADR 14). */
@Injectable()
export class FanOut {
  /** The last tenant that had its turn in this round. */
  private position = LEAST_ID;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the first events of the next tenants. An event leaves the list of new ones in the transaction that makes the last
   * of its deliveries: a process that dies here leaves everything as it was.
   *
   * @returns whether there may be more
   */
  async step(): Promise<boolean> {
    const from = this.position;
    const events = await inTransaction(this.dataSource, (manager) => this.advance(manager, from));
    const isRoundOver = new Set(events.map(({ tenant_id }) => tenant_id)).size < TENANTS_AT_ONCE;
    this.position = isRoundOver ? LEAST_ID : (events.at(-1)?.tenant_id ?? LEAST_ID);
    return events.length > 0 || from !== LEAST_ID;
  }

  private async advance(manager: EntityManager, from: string): Promise<NewEvent[]> {
    const events = await prepared<NewEvent>(manager, LOCK_EVENTS, [from, TENANTS_AT_ONCE]);
    if (events.length === 0) return events;
    const chosen = await prepared<ChosenDelivery>(manager, CHOOSE_DELIVERIES, [
      events.map(({ event_id }) => event_id),
      events.map(({ most }) => most),
    ]);
    if (chosen.length > 0) await this.make(manager, chosen);
    const counts = new Map<string, number>();
    for (const { event_id } of chosen) counts.set(event_id, (counts.get(event_id) ?? 0) + 1);
    // Of the others there may be more deliveries; those that were made now are not chosen again.
    const ended = events.filter(({ event_id, most }) => (counts.get(event_id) ?? 0) < most);
    await execute(manager, END_EVENTS, [ended.map(({ event_id }) => event_id)]);
    return events;
  }

  private async make(manager: EntityManager, chosen: readonly ChosenDelivery[]): Promise<void> {
    const endpointIds = chosen.map(({ endpoint_id }) => endpoint_id);
    await prepared(manager, LOCK_LISTENING_LANES, [[...new Set(endpointIds)]]);
    const [made] = await prepared<{ count: number }>(manager, MAKE_DELIVERIES, [
      chosen.map(({ event_id }) => event_id),
      endpointIds,
      this.clock.now(),
    ]);
    if (made && made.count > 0) await wakeWorkers(manager);
  }
}
