import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, EntityManager } from 'typeorm';
import { LONGEST_LIFE_S } from '../auth/token-verifier';
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

const REST_MS = 60_000;
const ROWS_AT_ONCE = 1_000;
/** Each address that is held is a lock in the shared memory of the database. */
const ACCOUNTS_AT_ONCE = 100;

/** One process at a time; the others have nothing to do. Ends with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('organisation purge')) AS alone`;

type Deleted = Pick<Columns<Organisation>, 'id'> & { deleted_at: Date };

/**
 * Removes what is left of deleted organisations, in every process that runs `worker`, in small batches by an index: each
 * is a transaction, so that nobody waits for a directory of 100,000. An organisation's row goes last.
 */
@Injectable()
export class OrganisationPurge implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OrganisationPurge.name);
  private isEnding = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly accounts: Accounts,
    private readonly directory: Directory,
    private readonly departures: Departures,
    private readonly clock: Clock,
  ) {}

  /** Before connections are closed: the batch that is under way is the last one. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  @Interval('organisation purge', REST_MS)
  async run(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    this.running = this.purge().catch((error: unknown) =>
      // The next time tries again; until then there is more in the database than need be.
      this.logger.warn(`Deleted organisations could not be removed: ${(error as Error).message}`),
    );
    await this.running;
  }

  /** Removes all that can go now. Ends early where another process is at it. */
  async purge(): Promise<void> {
    await this.accounts.forgetDeleted(new Date(this.clock.now().getTime() - LONGEST_LIFE_S * 1_000));
    const deleted = await many<Deleted>(
      this.dataSource,
      `SELECT id, deleted_at FROM organisations WHERE deleted_at IS NOT NULL ORDER BY deleted_at`,
    );
    for (const organisation of deleted) await this.purgeOne(organisation);
  }

  private async purgeOne({ id, deleted_at }: Deleted): Promise<void> {
    // What was being created for it while it was deleted.
    await this.alone(async (manager) => {
      await this.departures.removeOfOrganisation(manager, id);
      return 0;
    });
    for (const remove of this.departures.batches) {
      await this.inBatches((manager) => execute(manager, remove, [id, ROWS_AT_ONCE]));
    }
    await this.inBatches((manager) => this.removePeople(manager, id), ACCOUNTS_AT_ONCE);
    await this.alone(async (manager) => {
      if ((await this.departures.removeWhenReady(manager, id, deleted_at)) > 0) return 0;
      return (await manager.getRepository(Organisation).delete({ id })).affected ?? 0;
    });
  }

  /** Entries, and the accounts that were made for them alone and that nobody has claimed. */
  private async removePeople(manager: EntityManager, orgId: string): Promise<number> {
    const accounts = await this.directory.removeEntries(manager, orgId, ACCOUNTS_AT_ONCE);
    const held = await many<{ id: string }>(manager, HOLD_WAITING_ACCOUNTS, [accounts]);
    if (held.length > 0) await execute(manager, REMOVE_UNKNOWN_ACCOUNTS, [held.map(({ id }) => id)]);
    return accounts.length;
  }

  private async inBatches(step: (manager: EntityManager) => Promise<number>, atOnce = ROWS_AT_ONCE): Promise<void> {
    while (!this.isEnding && (await this.alone(step)) === atOnce);
  }

  /** @returns what `step` does, the number of rows that went; none where another process is at it */
  private alone(step: (manager: EntityManager) => Promise<number>): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? step(manager) : 0;
    });
  }
}
