import type { EntityManager } from 'typeorm';
import { execute } from '../../../database/statements';

/** $1 account. Grants, with the codes and refresh tokens that came from them, and what was remembered of consent. */
export const END_GRANTS = `DELETE FROM oauth_artifacts WHERE account_id = $1`;

/**
 * Ends everything that an account has allowed clients to do for it, with the access tokens that were issued before.
 *
 * @param manager of the transaction that signs the person out everywhere, or removes the account
 */
export async function endGrantsOf(manager: EntityManager, userId: string): Promise<void> {
  await execute(manager, END_GRANTS, [userId]);
}
