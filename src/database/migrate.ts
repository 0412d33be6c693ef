import { DataSource, MigrationExecutor } from 'typeorm';
import { execute } from './statements';

/** Any constant will do, as long as every release uses the same: "tool" in ASCII. */
export const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Migrates the schema. Replicas may call this simultaneously: a session-level advisory lock lets one work while the
 * others wait, and those then find nothing to do. Uses a single connection, since a pool may not have a second.
 *
 * @param dataSource connected
 * @returns the names of the migrations that ran here
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const session = dataSource.createQueryRunner();
  const { manager } = session;
  try {
    // Waiting for another replica, or building an index, may take longer than a request may.
    await execute(manager, `SET statement_timeout = 0`);
    await execute(manager, `SELECT pg_advisory_lock($1)`, [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, session);
    executor.transaction = 'each';
    const ran = await executor.executePendingMigrations();
    return ran.map((migration) => migration.name);
  } finally {
    await execute(manager, `SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]).catch(() => undefined);
    await execute(manager, `RESET statement_timeout`).catch(() => undefined);
    await session.release();
  }
}
