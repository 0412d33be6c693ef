import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';
import { AuthenticationError, ErrorCode } from '../errors/errors';

/**
 * Keeps an account from being deleted until the end of the transaction. For whatever makes something that goes with the
 * account: its row stays, so no foreign key refuses what is made while it is being deleted.
 *
 * @param manager of a transaction that has the organisation's lock already, if it needs one
 * @throws AuthenticationError once the account is closed, as for its tokens; if it is being deleted, when that has ended
 */
export async function requireOpenAccount(manager: EntityManager, userId: string): Promise<void> {
  if (!manager.queryRunner?.isTransactionActive) throw new Error('An account was held outside a transaction.');
  const count = await execute(manager, `SELECT FROM users WHERE id = $1 AND closed_at IS NULL FOR KEY SHARE`, [userId]);
  if (count === 0) throw new AuthenticationError(ErrorCode.InvalidToken, 'The account was deleted.');
}
