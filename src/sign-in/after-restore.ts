import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';

/**
 * Ends every link that works once: to set a password, to open an account, to set the instance up. One that was used
 * after the backup would work again.
 *
 * @param manager of a transaction
 * @returns how many links ended
 */
export async function endLinks(manager: EntityManager): Promise<number> {
  const resets = await execute(manager, `DELETE FROM password_resets`);
  const invitations = await execute(manager, `DELETE FROM account_invitations`);
  return resets + invitations + (await execute(manager, `DELETE FROM set_up_tokens`));
}
