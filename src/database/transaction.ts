import { DataSource, EntityManager } from 'typeorm';
import { isRetryable } from './database-errors';

const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction. A deadlock or serialization failure rolls back and runs it again, so that
 * concurrency never surfaces as an error; `work` therefore touches nothing but the database.
 *
 * @param work gets the manager of the transaction; what it returns is returned after the commit
 * @throws whatever `work` throws, after the rollback
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await dataSource.transaction(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}
