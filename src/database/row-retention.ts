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

/** One process at a time; the others have nothing to do. Ends with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('row retention')) AS alone`;

/** Rows that are of no use after some time. */
export interface RetainedRows {
  /** In the words of the log: `the audit log`. */
  name: string;
  /** For how long they are kept. */
  days: number;
  /**
   * A DELETE of the oldest rows. $1 is the first UUID version 7 of those that stay, $2 how many go at most. An
   * index in the order of the ids has to give them, so that the cost is that of the rows that go, however many stay.
   */
  remove: string;
}

/**
 * Removes what is older than its owner said, every ten minutes in every process that runs `worker`, in small batches, each
 * a transaction of its own: a dead process loses one batch, and nobody waits for more than one.
 */
@Injectable()
export class RowRetention implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RowRetention.name);
  private readonly retained: RetainedRows[] = [];
  private isEnding = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** For the modules whose rows they are, at start. Removed in the order in which they were registered. */
  register(...rows: readonly RetainedRows[]): void {
    this.retained.push(...rows);
  }

  /** Before connections are closed: the batch that is under way is the last one. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  /** Removes all that is old. Ends early where another process does. */
  @Interval('row retention', REST_MS)
  async run(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    this.running = this.removeAll();
    await this.running;
  }

  private async removeAll(): Promise<void> {
    for (const rows of this.retained) {
      try {
        const first = firstIdAt(new Date(this.clock.now().getTime() - rows.days * DAY_MS));
        while (!this.isEnding && (await this.removeSome(rows, first)) === AT_ONCE);
      } catch (error) {
        // The next time tries again; until then there are more rows than need be.
        this.logger.warn(`Old rows of ${rows.name} could not be removed: ${(error as Error).message}`);
      }
    }
  }

  /** @returns how many went */
  private removeSome({ remove }: RetainedRows, first: string): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? execute(manager, remove, [first, AT_ONCE]) : 0;
    });
  }
}
