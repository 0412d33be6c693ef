import type { DataSource } from 'typeorm';
import { eventually } from './eventually';

/**
 * Runs `work` while a transaction of its own holds what a statement locks.
 *
 * @param lock `LOCK TABLE …`, `SELECT … FOR UPDATE` or the like
 * @param work gets a function that lets go before its end
 */
export async function holding<T>(
  dataSource: DataSource,
  lock: string,
  work: (release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(lock);
    return await work(() => runner.commitTransaction());
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Waits until so many connections to this database wait for a lock, or `isOver` says that it will not come to that. */
export async function untilBlocked(dataSource: DataSource, count: number, isOver = () => false): Promise<void> {
  const sql = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(
    () => dataSource.query<object[]>(sql),
    (blocked) => blocked.length >= count || isOver(),
    10_000,
  );
}
