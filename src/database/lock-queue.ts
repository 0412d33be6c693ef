import type { DataSource, EntityManager } from 'typeorm';
import { ErrorCode, UnavailableError } from '../errors/errors';
import { withinDatabaseDeadline } from './deadline';
import { inTransaction } from './transaction';

/** Maximum number of pending changes per key in this process. Further ones would wait longer than any client. */
const MAX_WAITING = 200;
const RETRY_AFTER_S = 2;

/** The changes of one key that are running or waiting in this process. */
interface LockQueue {
  last: Promise<unknown>;
  count: number;
}

const queuesOf = new WeakMap<DataSource, Map<string, LockQueue>>();

/**
 * Runs a transaction that begins with taking a lock. Those of this process that take the same lock queue up before they
 * take a connection. Otherwise those that wait for one lock would occupy the whole connection pool.
 *
 * @param key of the lock
 * @param lockAndWork takes the lock itself
 * @throws UnavailableError if too many changes are waiting; DatabaseDeadlineError if the preceding ones take too long;
 *   any error of `lockAndWork`
 */
export async function queueForLock<T>(
  dataSource: DataSource,
  key: string,
  lockAndWork: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const queues = queuesOf.get(dataSource) ?? new Map<string, LockQueue>();
  queuesOf.set(dataSource, queues);
  const turns = queues.get(key) ?? { last: Promise.resolve(), count: 0 };
  if (turns.count >= MAX_WAITING) {
    const detail = 'Too many changes of this kind are pending. Try again shortly.';
    throw new UnavailableError(ErrorCode.ServiceUnavailable, detail, RETRY_AFTER_S);
  }
  queues.set(key, turns);
  turns.count++;
  const previous = turns.last;
  const current = withinDatabaseDeadline(previous)
    .then(() => inTransaction(dataSource, lockAndWork))
    .finally(() => {
      turns.count--;
      if (turns.count === 0) queues.delete(key);
    });
  // Even if this change gave up waiting, later ones must still run after the earlier ones.
  turns.last = Promise.allSettled([previous, current]);
  return current;
}
