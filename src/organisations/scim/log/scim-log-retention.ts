import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Clock } from '../../../config/clock';
import { Environment } from '../../../config/environment';
import { firstIdAt } from '../../../database/id';
import { inTransaction } from '../../../database/transaction';

const KEPT_MS = 30 * 24 * 3_600_000;
const REST_MS = 10 * 60_000;
const AT_ONCE = 2_000;

/** One process at a time; the others have nothing to do. Ends with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('scim log retention')) AS alone`;

/** $1 the first id that stays, $2 how many at most. */
const REMOVE = `
  DELETE FROM scim_log WHERE id IN (SELECT id FROM scim_log WHERE id < $1 ORDER BY id LIMIT $2) RETURNING id`;

/**
 * Removes what has been in the provisioning log for 30 days, in every process that runs `worker`, in small batches by
 * the primary key: the cost is that of the rows that go.
 */
@Injectable()
export class ScimLogRetention implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ScimLogRetention.name);
  private isEnding = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** Before connections are closed: the batch that is under way is the last one. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  @Interval('scim log retention', REST_MS)
  async run(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    this.running = this.removeOld().catch((error: unknown) =>
      // The next time tries again; until then there is more in the log than need be.
      this.logger.warn(`The provisioning log could not be shortened: ${(error as Error).message}`),
    );
    await this.running;
  }

  /** Removes all that is old. Ends early where another process is at it. */
  async removeOld(): Promise<void> {
    const first = firstIdAt(new Date(this.clock.now().getTime() - KEPT_MS));
    while (!this.isEnding && (await this.removeSome(first)) === AT_ONCE);
  }

  /** @returns how many went */
  private removeSome(first: string): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const [row] = await manager.query<{ alone: boolean }[]>(ALONE);
      if (!row?.alone) return 0;
      const [removed] = await manager.query<[object[], number]>(REMOVE, [first, AT_ONCE]);
      return removed.length;
    });
  }
}
