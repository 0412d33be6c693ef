import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';
import type { Accounts } from '../users/accounts.service';
import { addressKey } from '../users/address';
import { User } from '../users/user.entity';
import { Invitation } from './invitation.entity';

/** $1 deleted organisation, $2 how many go at most. */
export const REMOVE_INVITATIONS = `
  DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE org_id = $1 LIMIT $2) RETURNING 1`;

/** $1 account, $2 its address as it is compared, or null. */
const REMOVE = `DELETE FROM invitations WHERE user_id = $1 OR answered_by = $1 OR address = $2`;

/**
 * Removes the invitations that name a person whose account is being deleted: by the account, by its address unless that is
 * another person's by now, or by a former address at which they were answered. Those that the person sent stay, and no
 * longer say who sent them.
 *
 * @param manager of the transaction that deletes the account, which holds its address
 */
export async function removeInvitations(
  manager: EntityManager,
  accounts: Pick<Accounts, 'holderOf'>,
  userId: string,
): Promise<void> {
  await execute(manager, REMOVE, [userId, await ownAddress(manager, accounts, userId)]);
  await manager.getRepository(Invitation).update({ invitedBy: userId }, { invitedBy: null });
}

async function ownAddress(
  manager: EntityManager,
  accounts: Pick<Accounts, 'holderOf'>,
  userId: string,
): Promise<string | null> {
  const account = await manager.getRepository(User).findOne({ select: { email: true }, where: { id: userId } });
  if (account?.email == null) return null;
  // None holds the address of an account that was closed before it is deleted.
  const holder = (await accounts.holderOf(manager, account.email)) ?? userId;
  return holder === userId ? addressKey(account.email) : null;
}
