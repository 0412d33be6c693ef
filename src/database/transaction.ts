import type { EntityManager } from 'typeorm';
import { isRetryable } from './database-errors';

const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction. A deadlock or serialization failure rolls back and runs it again, so that
 * concurrency never surfaces as an error; `work` therefore touches nothing but the database.
 *
 * @param connection the data source, or the manager of a connection that is kept for the caller
 * @param work gets the manager of the transaction; what it returns is returned after the commit
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
