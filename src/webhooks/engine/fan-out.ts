import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { prepared } from '../../database/prepared';
import { inTransaction } from '../../database/transaction';
import { DELIVERIES_CHANNEL } from './delivery-queue';
import { LOCK_LISTENING_LANES, MAKE_DELIVERIES, TAKE_EVENTS } from './fan-out.sql';

/** Small enough that a transaction takes a few hundredths of a second, also with many endpoints for each event. */
const EVENTS_AT_ONCE = 200;

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
      const [taken] = await manager.query<[{ event_id: string }[], number]>(TAKE_EVENTS, [EVENTS_AT_ONCE]);
      if (taken.length === 0) return false;
      const events = taken.map(({ event_id }) => event_id);
      await prepared(manager, LOCK_LISTENING_LANES, [events]);
      const [made] = await prepared<{ count: number }>(manager, MAKE_DELIVERIES, [events, this.clock.now()]);
      if (made && made.count > 0) await manager.query(`SELECT pg_notify($1, '')`, [DELIVERIES_CHANNEL]);
      return taken.length === EVENTS_AT_ONCE;
    });
  }
}
