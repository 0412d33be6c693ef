import type { EntityManager } from 'typeorm';
import { isRetryable } from './database-errors';
import type { TransactionClient } from './transaction-client';

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

/**
 * Commits in the same round trip as the prepared statements that are issued together with it, the last ones of the
 * transaction: `Promise.all([prepared(…), commitTogether(manager)])`. The work must not throw after that: it would not be
 * rolled back.
 *
 * @returns after the commit, or at once in a transaction within another
 * @throws the error of those statements, or of the commit; then nothing was committed
 */
export async function commitTogether(manager: EntityManager): Promise<void> {
  const client = (await manager.queryRunner?.connect()) as TransactionClient | undefined;
  await client?.commitTogether();
}

/**
 * For statements that are issued together, in one round trip, although what an earlier one finds may refuse the request:
 * waits for all of them, so that the error does not depend on which of them fails first. As the work
 * then throws, what a later one has done is rolled back.
 *
 * @returns their results
 * @throws the error of the first of them that failed, in the order given
 */
export async function firstErrorOf<T extends readonly unknown[]>(
  issued: readonly [...T],
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  for (const { status, reason } of (await Promise.allSettled(issued)) as Partial<PromiseRejectedResult>[]) {
    if (status === 'rejected') throw reason;
  }
  return Promise.all(issued);
}
