import type { DataSource, EntityManager } from 'typeorm';
import { withinDatabaseDeadline } from '../database/deadline';
import { execute } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { NotFoundError, UnavailableError } from '../errors/errors';
import { ErrorCode } from './organisation.errors';

/**
 * Maximum number of pending changes per organisation in this process. Further ones would wait longer than any client.
 */
const MAX_WAITING = 200;
const RETRY_AFTER_S = 2;

/** The changes of one organisation that are running or waiting in this process. */
interface Turns {
  last: Promise<unknown>;
  count: number;
}

/** $1 organisation. One row, unless it does not exist; on its own or in a WITH of a statement that does more. */
export const LOCK_ORGANISATION = `SELECT FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

const turnsOf = new WeakMap<DataSource, Map<string, Turns>>();

interface LockOptions {
  /** Runs in the same transaction before waiting for the lock; if it throws, the transaction ends without waiting. */
  first?: (manager: EntityManager) => Promise<void>;
}

/**
 * Runs `work` in one transaction that holds the organisation's lock, which serialises all changes of roles.
 *
 * @param orgId as stored in the database (lower case)
 * @throws NotFoundError if the organisation does not exist; what inTurn throws
 */
export function inOrganisation<T>(
  dataSource: DataSource,
  orgId: string,
  work: (manager: EntityManager) => Promise<T>,
  { first }: LockOptions = {},
): Promise<T> {
  return inTurn(dataSource, orgId, async (manager) => {
    await first?.(manager);
    await lockOrganisation(manager, orgId);
    return work(manager);
  });
}

/**
 * Runs a transaction that begins with taking the organisation's lock. Changes of this process queue up before they take
 * a connection. Otherwise one busy organisation would occupy the whole connection pool.
 *
 * @param orgId as stored in the database (lower case)
 * @param lockAndWork takes the lock itself
 * @throws UnavailableError if too many changes are waiting; DatabaseDeadlineError if the preceding ones take too long;
 *   any error of `lockAndWork`
 */
export async function inTurn<T>(
  dataSource: DataSource,
  orgId: string,
  lockAndWork: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const queues = turnsOf.get(dataSource) ?? new Map<string, Turns>();
  turnsOf.set(dataSource, queues);
  const turns = queues.get(orgId) ?? { last: Promise.resolve(), count: 0 };
  if (turns.count >= MAX_WAITING) {
    const detail = 'Too many changes to this organisation are pending. Try again shortly.';
    throw new UnavailableError(ErrorCode.ServiceUnavailable, detail, RETRY_AFTER_S);
  }
  queues.set(orgId, turns);
  turns.count++;
  const previous = turns.last;
  const current = withinDatabaseDeadline(previous)
    .then(() => inTransaction(dataSource, lockAndWork))
    .finally(() => {
      turns.count--;
      if (turns.count === 0) queues.delete(orgId);
    });
  // Even if this change gave up waiting, later ones must still run after the earlier ones.
  turns.last = Promise.allSettled([previous, current]);
  return current;
}

/**
 * Locks the organisation until the end of the transaction. The lock is as strong as that of a plain UPDATE, so rows
 * that refer to the organisation can still be inserted.
 *
 * @throws NotFoundError if the organisation does not exist
 */
export async function lockOrganisation(manager: EntityManager, orgId: string): Promise<void> {
  const count = await execute(manager, LOCK_ORGANISATION, [orgId]);
  if (count === 0) throw new NotFoundError(ErrorCode.OrganisationNotFound, orgId);
}
