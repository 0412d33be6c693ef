import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, EntityManager } from 'typeorm';
import { MAX_LIFE_S } from '../auth/token-verifier';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import type { Columns } from '../database/columns';
import { execute, many, one } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { Organisation } from '../organisations/organisation.entity';
import { Directory } from '../organisations/directory';
import { Accounts } from '../users/accounts.service';
import { Departures } from './departures';
import { HOLD_WAITING_ACCOUNTS, REMOVE_UNKNOWN_ACCOUNTS } from './organisation-purge.sql';

const INTERVAL_MS = 60_000;
const ROW_BATCH_SIZE = 1_000;
/** Each locked address occupies a lock in the database's shared memory. */
const ACCOUNT_BATCH_SIZE = 100;

/** Lets one process run at a time; the others skip. Released with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('organisation purge')) AS alone`;

type Deleted = Pick<Columns<Organisation>, 'id'> & { deleted_at: Date };

/**
 * Removes the remaining rows of deleted organisations, in every process that runs `worker`. Works in small batches by
 * index, each in its own transaction, so that nothing waits for a directory of 100,000 users. Removes the row of the
 * organisation last.
 */
@Injectable()
export class OrganisationPurge implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OrganisationPurge.name);
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly accounts: Accounts,
    private readonly directory: Directory,
    private readonly departures: Departures,
    private readonly clock: Clock,
  ) {}

  /** Waits for the running batch before connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  @Interval('organisation purge', INTERVAL_MS)
  async run(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    this.running = this.purge().catch((error: unknown) =>
      // Retried at the next interval; until then the rows only take up space.
      this.logger.warn(`Deleted organisations could not be removed: ${(error as Error).message}`),
    );
    await this.running;
  }

  /** Removes everything that can be removed now. Stops early if another process is purging. */
  async purge(): Promise<void> {
    await this.accounts.forgetDeleted(new Date(this.clock.now().getTime() - MAX_LIFE_S * 1_000));
    const deleted = await many<Deleted>(
      this.dataSource,
      `SELECT id, deleted_at FROM organisations WHERE deleted_at IS NOT NULL ORDER BY deleted_at`,
    );
    for (const organisation of deleted) await this.purgeOne(organisation);
  }

  private async purgeOne({ id, deleted_at }: Deleted): Promise<void> {
    // Rows inserted while the organisation was being deleted.
    await this.exclusively(async (manager) => {
      await this.departures.removeOfOrganisation(manager, id);
      return 0;
    });
    for (const remove of this.departures.batches) {
      await this.inBatches((manager) => execute(manager, remove, [id, ROW_BATCH_SIZE]));
    }
    await this.inBatches((manager) => this.removeEntries(manager, id), ACCOUNT_BATCH_SIZE);
    await this.exclusively(async (manager) => {
      if ((await this.departures.removeWhenReady(manager, id, deleted_at)) > 0) return 0;
      return (await manager.getRepository(Organisation).delete({ id })).affected ?? 0;
    });
  }

  /** Removes directory entries and the unclaimed accounts that were created only for them. */
  private async removeEntries(manager: EntityManager, orgId: string): Promise<number> {
    const accounts = await this.directory.removeEntries(manager, orgId, ACCOUNT_BATCH_SIZE);
    const locked = await many<{ id: string }>(manager, HOLD_WAITING_ACCOUNTS, [accounts]);
    if (locked.length > 0) await execute(manager, REMOVE_UNKNOWN_ACCOUNTS, [locked.map(({ id }) => id)]);
    return accounts.length;
  }

  private async inBatches(
    step: (manager: EntityManager) => Promise<number>,
    batchSize = ROW_BATCH_SIZE,
  ): Promise<void> {
    while (!this.isStopping && (await this.exclusively(step)) === batchSize);
  }

  /** @returns the number of rows removed by `step`; 0 if another process is purging */
  private exclusively(step: (manager: EntityManager) => Promise<number>): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? step(manager) : 0;
    });
  }
}
