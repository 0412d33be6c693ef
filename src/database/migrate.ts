import { DataSource } from 'typeorm';

/** Any constant will do, as long as every release uses the same: "tool" in ASCII. */
const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Brings the schema up to date. Replicas may call this at the same moment: a session-level advisory lock lets one
 * work while the others wait, and those find nothing left to do.
 *
 * @param dataSource connected
 * @returns the names of the migrations that ran here
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    // The wait for another replica may well be longer than a request's statement_timeout.
    await lock.query(`SET statement_timeout = 0`);
    await lock.query(`SELECT pg_advisory_lock($1)`, [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]).catch(() => undefined);
    await lock.query(`RESET statement_timeout`).catch(() => undefined);
    await lock.release();
  }
}
