import type { EntityManager } from 'typeorm';
import { isRetryable } from './database-errors';

const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction. After a deadlock or serialization failure it is rolled back and run again, so that
 * concurrency never surfaces as an error; `work` must therefore have no effects outside the database.
 *
 * @param connection the data source, or the manager of a connection reserved for the caller
 * @param work receives the manager of the transaction; its result is returned after the commit
 * @throws whatever `work` throws, after the rollback
 */
export async function inTransaction<T>(
  connection: Pick<EntityManager, 'transaction'>,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connection.transaction(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}
