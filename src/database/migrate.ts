import { DataSource, MigrationExecutor } from 'typeorm';
import { execute } from './statements';

/** Any constant will do, as long as every release uses the same: "tool" in ASCII. */
const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Brings the schema up to date. Replicas may call this at the same moment: a session-level advisory lock lets one
 * work while the others wait, and those find nothing left to do. All on one connection, since a pool may have no second.
 *
 * @param dataSource connected
 * @returns the names of the migrations that ran here
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const session = dataSource.createQueryRunner();
  const { manager } = session;
  try {
    // Waiting for another replica, or building an index, may well take longer than a request may.
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
