import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { firstIdAt } from './id';
import { execute, one } from './statements';
import { inTransaction } from './transaction';

const DAY_MS = 24 * 3_600_000;
const REST_MS = 10 * 60_000;
const AT_ONCE = 2_000;
const EXPIRED_AT_ONCE = 1_000;

/** One process at a time; the others have nothing to do. Released with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('row retention')) AS alone`;

/** Rows that are deleted after some time. */
export interface RetainedRows {
  /** Their name in the log: `the audit log`. */
  name: string;
  /** How long they are kept. */
  days: number;
  /**
   * A DELETE of the oldest rows. $1 is the first UUID version 7 of the rows to keep, $2 the maximum number to delete.
   * Needs an index in id order, so that the cost depends on the deleted rows only.
   */
  remove: string;
}

/** Rows that say themselves when they are over. */
export interface ExpiringRows {
  /** Their name in the log. */
  name: string;
  /** A DELETE of rows that are over. $1 is the time now, $2 the maximum number to delete. Needs an index. */
  remove: string;
}

/** Rows with whose end more happens than a statement. */
export interface EndingRows {
  /** Their name in the log. */
  name: string;
  /**
   * Deletes some of those that are over. Any process may do it at the same time.
   *
   * @returns whether there may be more
   */
  removeSome: (now: Date) => Promise<boolean>;
}

/**
 * Deletes rows older than their module declared, every ten minutes in every process that runs `worker`, in small
 * batches, each in its own transaction: a killed process loses one batch, and nothing waits for more than one.
 */
@Injectable()
export class RowRetention implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RowRetention.name);
  private readonly retained: RetainedRows[] = [];
  private readonly expiring: ExpiringRows[] = [];
  private readonly ending: EndingRows[] = [];
  private isEnding = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** For the modules that own the rows, at startup. Deleted in the order of registration. */
  register(...rows: readonly RetainedRows[]): void {
    this.retained.push(...rows);
  }

  /** The same for rows with an end of their own. */
  registerExpiring(...rows: readonly ExpiringRows[]): void {
    this.expiring.push(...rows);
  }

  /** The same for rows whose module deletes them. */
  registerEnding(...rows: readonly EndingRows[]): void {
    this.ending.push(...rows);
  }

  /** Before connections are closed: the current batch is the last one. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  /** Deletes everything that is due. Ends early if another process is doing it. */
  @Interval('row retention', REST_MS)
  async run(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    this.running = this.removeAll();
    await this.running;
  }

  private async removeAll(): Promise<void> {
    const now = this.clock.now();
    for (const { name, days, remove } of this.retained)
      await this.removeBatches(name, remove, firstIdAt(new Date(now.getTime() - days * DAY_MS)), AT_ONCE);
    for (const { name, remove } of this.expiring) await this.removeBatches(name, remove, now, EXPIRED_AT_ONCE);
    for (const { name, removeSome } of this.ending) await this.repeat(name, () => removeSome(now));
  }

  private removeBatches(name: string, remove: string, until: string | Date, atOnce: number): Promise<void> {
    return this.repeat(name, async () => (await this.removeSome(remove, [until, atOnce])) === atOnce);
  }

  /** @param removeSome says whether there may be more */
  private async repeat(name: string, removeSome: () => Promise<boolean>): Promise<void> {
    try {
      while (!this.isEnding && (await removeSome()));
    } catch (error) {
      // The next run tries again; until then there are more rows than necessary.
      this.logger.warn(`Old rows of ${name} could not be removed: ${(error as Error).message}`);
    }
  }

  /** @returns how many were deleted */
  private removeSome(remove: string, parameters: readonly unknown[]): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? execute(manager, remove, parameters) : 0;
    });
  }
}
