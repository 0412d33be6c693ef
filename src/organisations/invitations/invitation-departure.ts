import type { EntityManager } from 'typeorm';
import { addressKey } from '../../users/address';

/**
 * Removes the invitations that name a person whose account is being deleted, by the account or by its address. Those
 * that the person sent stay, and no longer say who sent them.
 *
 * @param manager of the transaction that deletes the account
 */
export async function removeInvitations(manager: EntityManager, userId: string): Promise<void> {
  const [account] = await manager.query<{ email: string | null }[]>(`SELECT email FROM users WHERE id = $1`, [userId]);
  const address = account?.email == null ? null : addressKey(account.email);
  await manager.query(`DELETE FROM invitations WHERE user_id = $1 OR address = $2`, [userId, address]);
  await manager.query(`UPDATE invitations SET invited_by = NULL WHERE invited_by = $1`, [userId]);
}
