import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../../config/environment';
import { execute, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { DELETE_EXPIRED } from './artifacts.sql';

const REST_MS = 60_000;
const AT_ONCE = 1_000;

/** One process at a time; the others have nothing to do. Released with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('expired oauth artifacts')) AS alone`;

/** $1 how many at most. Registered clients that nobody has used for 30 days; those of administrators stay. */
const DELETE_UNUSED_CLIENTS = `
  DELETE FROM oauth_clients WHERE id IN (
    SELECT id FROM oauth_clients WHERE source = 'REGISTRATION' AND last_used_at < now() - interval '30 days'
    ORDER BY last_used_at LIMIT $1
  )`;

/** Deletes what has expired, every minute in every process that runs `worker`, 1,000 rows at once. */
@Injectable()
export class ArtifactRetention implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ArtifactRetention.name);
  private isEnding = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
  ) {}

  /** Before connections are closed: the current batch is the last one. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  /** Deletes everything that is due. Ends early if another process is doing it. */
  @Interval('expired oauth artifacts', REST_MS)
  async run(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    this.running = this.removeAll();
    await this.running;
  }

  private async removeAll(): Promise<void> {
    try {
      while (!this.isEnding && (await this.removeSome(deleteExpired)) === AT_ONCE);
      while (!this.isEnding && (await this.removeSome(deleteUnusedClients)) === AT_ONCE);
    } catch (error) {
      // The next run tries again; until then there are more rows than necessary.
      this.logger.warn(`Expired codes and tokens could not be removed: ${(error as Error).message}`);
    }
  }

  /** @returns how many were deleted */
  private removeSome(remove: (manager: EntityManager) => Promise<number>): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? remove(manager) : 0;
    });
  }
}

function deleteExpired(manager: EntityManager): Promise<number> {
  return execute(manager, DELETE_EXPIRED, [AT_ONCE]);
}

function deleteUnusedClients(manager: EntityManager): Promise<number> {
  return execute(manager, DELETE_UNUSED_CLIENTS, [AT_ONCE]);
}
