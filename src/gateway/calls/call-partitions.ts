import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { outsideRequests } from '../../database/deadline';
import { RowRetention } from '../../database/row-retention';
import { type Connection, execute, many, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { messageOf } from '../../errors/message-of';
import {
  ALONE,
  attachDay,
  CallDay,
  createDay,
  DAYS,
  dropDay,
  IS_BY_DEFAULT,
  REMOVE_BY_DEFAULT,
  SOON_OR_NEVER,
} from './call-partitions.sql';

/** Days that are made ahead: so long may the job fail before rows go to the default partition. */
const AHEAD = 3;
const EVERY_MS = 3_600_000;

/**
 * The days of the record of calls, each a partition that is made ahead and dropped as a whole when it is old
 * (`CALLS_RETENTION_DAYS`). Runs in every process whose RUN contains `worker`, in one at a time. Rows of a day that was not
 * made are in the default partition: reading finds them as well, and they are deleted one by one.
 */
@Injectable()
export class CallPartitions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CallPartitions.name);
  private readonly isWorker: boolean;
  private readonly days: number;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    { run, limits }: Environment,
    retention: RowRetention,
  ) {
    this.isWorker = run.has('worker');
    this.days = limits.callsRetentionDays;
    const name = 'the record of calls';
    retention.register({ name, days: this.days, remove: REMOVE_BY_DEFAULT });
    retention.registerEnding({ name, removeSome: (now) => this.dropOldest(now) });
  }

  onApplicationBootstrap(): void {
    this.prepare();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }

  @Interval('days of the record of calls', EVERY_MS)
  prepare(): void {
    if (this.isWorker) this.running = this.running.then(() => outsideRequests(() => this.prepareAll()));
  }

  /** Makes today and the days after it, as far as they are missing. @throws what the driver throws */
  async makeAhead(): Promise<void> {
    const now = this.clock.now();
    const existing = await daysIn(this.dataSource);
    for (let ahead = 0; ahead <= AHEAD; ahead++) {
      const day = CallDay.of(now, ahead);
      if (!existing.includes(day.table)) await this.make(day);
    }
  }

  /** Drops the oldest day, if all of it is too old. @returns whether there may be more */
  async dropOldest(now: Date): Promise<boolean> {
    const days = (await daysIn(this.dataSource)).map((table) => CallDay.named(table));
    const old = days.find((day) => day?.isOver(this.days, now));
    if (!old) return false;
    return this.alone(async (manager) => {
      if (!(await daysIn(manager)).includes(old.table)) return true;
      await execute(manager, dropDay(old));
      this.logger.log(`Dropped a day of the record of calls: ${old.table}.`);
      return true;
    });
  }

  private async prepareAll(): Promise<void> {
    try {
      await this.makeAhead();
    } catch (error) {
      this.logger.warn(`Days of the record of calls could not be made ahead: ${messageOf(error)}`);
    }
  }

  private async make(day: CallDay): Promise<void> {
    await this.alone(async (manager) => {
      // Its rows would have to be moved while more are written; the day after has a table of its own again.
      if ((await daysIn(manager)).includes(day.table) || (await isByDefault(manager, day))) return false;
      await execute(manager, createDay(day));
      await execute(manager, attachDay(day));
      return true;
    });
  }

  /** @returns what the work returns; false if another process is at it */
  private alone(work: (manager: EntityManager) => Promise<boolean>): Promise<boolean> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      if (!alone) return false;
      await execute(manager, SOON_OR_NEVER);
      return work(manager);
    });
  }
}

/** @returns the tables of all days, the oldest first */
async function daysIn(connection: Connection): Promise<string[]> {
  return (await many<{ name: string }>(connection, DAYS)).map(({ name }) => name);
}

/** @returns whether a day has rows that are in the default partition */
async function isByDefault(manager: EntityManager, { from, until }: CallDay): Promise<boolean> {
  return (await one<{ is_by_default: boolean }>(manager, IS_BY_DEFAULT, [from, until])).is_by_default;
}
