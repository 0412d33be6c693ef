import type { EntityManager } from 'typeorm';
import { prepared, type PreparedStatement } from '../database/prepared';
import { AuthenticationError, ErrorCode } from '../errors/errors';

const HOLD: PreparedStatement = {
  name: 'user_hold',
  sql: `SELECT id FROM users WHERE id = $1 AND closed_at IS NULL FOR KEY SHARE`,
};

/**
 * Prevents the deletion of an account until the end of the transaction. Needed by everything that inserts rows of the
 * account: the user row remains after the deletion, so no foreign key rejects a concurrent insert.
 *
 * @param manager of a transaction that already holds the organisation's lock, if it needs one
 * @throws AuthenticationError if the account is closed, as for its tokens; waits if it is being deleted
 */
export async function requireOpenAccount(manager: EntityManager, userId: string): Promise<void> {
  if (!(await holdAccount(manager, userId))) throw accountIsClosed();
}

/** What a closed account of the caller is answered with, as its tokens are. */
export function accountIsClosed(): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, 'The account was deleted.');
}

/**
 * The same for an account that is not the caller's, or where something else decides.
 *
 * @returns whether it exists and is not closed; if it is being deleted, after that has ended
 */
export async function holdAccount(manager: EntityManager, userId: string): Promise<boolean> {
  if (!manager.queryRunner?.isTransactionActive) throw new Error('An account was held outside a transaction.');
  const rows = await prepared(manager, HOLD, [userId]);
  return rows.length > 0;
}
