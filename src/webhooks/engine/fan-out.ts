import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { prepared } from '../../database/prepared';
import { inTransaction } from '../../database/transaction';
import { DELIVERIES_CHANNEL } from './delivery-queue';
import { COUNT_LISTENING, END_EVENTS, LOCK_EVENTS, LOCK_LISTENING_LANES, MAKE_DELIVERIES } from './fan-out.sql';

const EVENTS_AT_ONCE = 200;

/** So many take less than a tenth of a second, in which nobody else gets at their lanes. */
const DELIVERIES_AT_ONCE = 2_000;

/** Makes one delivery for every active endpoint that listens to an event. */
@Injectable()
export class FanOut {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the events that came first. They leave the list of new ones in the transaction that makes their deliveries:
   * a process that dies here leaves everything as it was.
   *
   * @returns whether there may be more
   */
  async step(): Promise<boolean> {
    return inTransaction(this.dataSource, async (manager) => {
      const locked = await manager.query<{ event_id: string }[]>(LOCK_EVENTS, [EVENTS_AT_ONCE]);
      if (locked.length === 0) return false;
      const events = await this.some(
        manager,
        locked.map(({ event_id }) => event_id),
      );
      await prepared(manager, LOCK_LISTENING_LANES, [events]);
      const [made] = await prepared<{ count: number }>(manager, MAKE_DELIVERIES, [events, this.clock.now()]);
      await manager.query(END_EVENTS, [events]);
      if (made && made.count > 0) await manager.query(`SELECT pg_notify($1, '')`, [DELIVERIES_CHANNEL]);
      return events.length < locked.length || locked.length === EVENTS_AT_ONCE;
    });
  }

  /** The first ones, as many as make no more deliveries than that; one at least. */
  private async some(manager: EntityManager, events: string[]): Promise<string[]> {
    const rows = await prepared<{ event_id: string; count: number }>(manager, COUNT_LISTENING, [events]);
    const listening = new Map(rows.map(({ event_id, count }) => [event_id, count]));
    let deliveries = 0;
    const end = events.findIndex((event, index) => {
      deliveries += listening.get(event) ?? 0;
      return index > 0 && deliveries > DELIVERIES_AT_ONCE;
    });
    return end === -1 ? events : events.slice(0, end);
  }
}
