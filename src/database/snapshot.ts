import type { DataSource, EntityManager } from 'typeorm';
import { execute } from './statements';

const READ_ONLY = `SELECT set_config('transaction_read_only', 'on', true)`;

const PATIENCE = `SELECT set_config('statement_timeout', $1, true)`;

/**
 * Until the next ANALYZE the planner believes that a directory imported today has one user, and would rather sort all
 * of it than use an index in the right order. Unavoidable sorts still happen; disabling sorts only makes their
 * estimated cost huge, which must not trigger JIT compilation.
 */
const ALONG_INDEXES = `${READ_ONLY}, set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`;

/**
 * Runs `work`, which only reads, so that all of its statements see the same snapshot.
 *
 * @param patience milliseconds that one statement may take
 * @param alongIndexes for reading a part of something large in an order for which there is an index
 * @throws whatever `work` throws
 */
export function inSnapshot<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
  { alongIndexes = false, patience }: { alongIndexes?: boolean; patience?: number } = {},
): Promise<T> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    await execute(manager, alongIndexes ? ALONG_INDEXES : READ_ONLY);
    if (patience !== undefined) await execute(manager, PATIENCE, [String(patience)]);
    return work(manager);
  });
}
