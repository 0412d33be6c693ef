import type { DataSource, EntityManager } from 'typeorm';
import { execute } from '../database/statements';
import { queueForLock } from '../database/lock-queue';
import { NotFoundError } from '../errors/errors';
import { ErrorCode } from './organisation.errors';

/** $1 organisation. One row, unless it does not exist; on its own or in a WITH of a statement that does more. */
export const LOCK_ORGANISATION = `SELECT FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

interface LockOptions {
  /** Runs in the same transaction before waiting for the lock; if it throws, the transaction ends without waiting. */
  first?: (manager: EntityManager) => Promise<void>;
}

/**
 * Runs `work` in one transaction that holds the organisation's lock, which serialises all changes of roles.
 *
 * @param orgId as stored in the database (lower case)
 * @throws NotFoundError if the organisation does not exist; what queueForLock throws
 */
export function inOrganisation<T>(
  dataSource: DataSource,
  orgId: string,
  work: (manager: EntityManager) => Promise<T>,
  { first }: LockOptions = {},
): Promise<T> {
  return queueForLock(dataSource, orgId, async (manager) => {
    await first?.(manager);
    await lockOrganisation(manager, orgId);
    return work(manager);
  });
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
