import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';
import type { Accounts } from '../users/accounts.service';
import { addressKey } from '../users/address';
import { User } from '../users/user.entity';
import { Invitation } from './invitation.entity';

/** $1 deleted organisation, $2 batch size. */
export const REMOVE_INVITATIONS = `
  DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE org_id = $1 LIMIT $2) RETURNING 1`;

/** $1 account, $2 its normalised address or null. */
const REMOVE = `DELETE FROM invitations WHERE user_id = $1 OR answered_by = $1 OR address = $2`;

/**
 * Removes the invitations to a user whose account is being deleted: those to the account, to its address unless another
 * account has it by now, and those answered under a former address. Invitations sent by the user lose their sender.
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
  // If the account was closed before, nobody holds its address.
  const holder = (await accounts.holderOf(manager, account.email)) ?? userId;
  return holder === userId ? addressKey(account.email) : null;
}
