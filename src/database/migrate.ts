import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { couldNotLock } from './database-errors';
import { requireKnownSchema } from './schema-requirements';
import { inSession } from './session';
import { execute, one } from './statements';

/** Any constant will do, as long as every release uses the same: "tool" in ASCII. */
export const MIGRATION_LOCK = 0x746f6f6c;

const POLL_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Settings of a run, for tests. */
export interface MigrateOptions {
  /** Where operators read what happens; pino has these. */
  log?: { info: (text: string) => void; warn: (text: string) => void; debug: (text: string) => void };
  /**
   * How long a migration waits for a lock before it lets those pass who queue behind it, and tries again; milliseconds.
   */
  lockTimeout?: number;
  /** How long a migration tries to get its locks before the start fails; milliseconds. */
  patience?: number;
}

/**
 * Migrates the schema while other releases serve (ADR 36). Replicas may call this simultaneously: a session-level advisory
 * lock lets one work while the others wait, and those then find nothing to do. Uses a single connection, since a pool may
 * not have a second; it has to be a session of its own, so not one of a pooler in transaction mode.
 *
 * Each migration is a transaction, unless it says `transaction = false`. It waits at most `lockTimeout` for a lock, because
 * everything that wants the table queues behind it; then it is rolled back and repeated.
 *
 * @param dataSource connected
 * @returns the names of the migrations that ran here
 * @throws NewerSchemaError if the schema needs a newer release than this
 * @throws Error for the operator if a migration does not get its locks
 */
export async function migrate(dataSource: DataSource, options: MigrateOptions = {}): Promise<string[]> {
  return inSession(dataSource, async (session) => {
    const { manager } = session;
    try {
      // Building an index may take longer than a request may.
      await execute(manager, `SELECT set_config('statement_timeout', '0', false)`);
      await waitForTurn(session, options);
      await requireKnownSchema(manager, dataSource.migrations);
      const executor = new MigrationExecutor(session.dataSource, session);
      const pending = await executor.getPendingMigrations();
      for (const migration of pending) await runPatiently(executor, session, migration, options);
      return pending.map(({ name }) => name);
    } finally {
      await execute(manager, `SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]).catch(() => undefined);
      await execute(manager, `RESET statement_timeout`).catch(() => undefined);
    }
  });
}

/**
 * Asks again and again instead of waiting in PostgreSQL: a statement that waits has a snapshot, and
 * `CREATE INDEX CONCURRENTLY` of the process that migrates waits for all of those, which would be a deadlock.
 */
async function waitForTurn({ manager }: QueryRunner, { log }: MigrateOptions): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { isOurs } = await one<{ isOurs: boolean }>(manager, `SELECT pg_try_advisory_lock($1) AS "isOurs"`, [
      MIGRATION_LOCK,
    ]);
    if (isOurs) return;
    if (tries === 0) log?.info('Another process is migrating the database; waiting for it.');
    await sleep(POLL_MS);
  }
}

async function runPatiently(
  executor: MigrationExecutor,
  session: QueryRunner,
  migration: Migration,
  { log, lockTimeout = 500, patience = 600_000 }: MigrateOptions,
): Promise<void> {
  const began = performance.now();
  for (let tries = 1; ; tries++) {
    const tryBegan = performance.now();
    try {
      await runOnce(executor, session, migration, lockTimeout);
      log?.debug(`Migration ${migration.name}: ${Math.round(performance.now() - tryBegan)} ms.`);
      return;
    } catch (error) {
      if (!couldNotLock(error)) throw error;
      if (performance.now() - began > patience)
        throw new Error(
          `${migration.name} did not get its locks within ${Math.round(patience / 1_000)} s. ` +
            'pg_stat_activity shows which transactions have been open for long; end them and start again.',
          { cause: error },
        );
      log?.warn(`Migration ${migration.name} waits for other transactions; trying again.`);
      await sleep(Math.min(tries * 1_000, MAX_PAUSE_MS, patience));
    }
  }
}

async function runOnce(
  executor: MigrationExecutor,
  session: QueryRunner,
  migration: Migration,
  lockTimeout: number,
): Promise<void> {
  if (migration.instance?.transaction === false) {
    await limitLocks(session, lockTimeout, false);
    await executor.executeMigration(migration).finally(() => execute(session.manager, `RESET lock_timeout`));
    return;
  }
  await session.startTransaction();
  try {
    await limitLocks(session, lockTimeout, true);
    await executor.executeMigration(migration);
    await session.commitTransaction();
  } catch (error) {
    await session.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** @param isLocal whether it ends with the transaction */
async function limitLocks({ manager }: QueryRunner, milliseconds: number, isLocal: boolean): Promise<void> {
  await execute(manager, `SELECT set_config('lock_timeout', $1, $2)`, [String(milliseconds), isLocal]);
}
