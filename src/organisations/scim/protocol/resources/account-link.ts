import type { EntityManager } from 'typeorm';
import { newId } from '../../../../database/id';
import type { Accounts } from '../../../../users/accounts.service';
import type { ComplexValue, UserDocument } from '../schema/user-document';

/** Something before and after one "@", without spaces, within what SMTP can carry (RFC 5321, section 4.5.3.1). */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const LONGEST_ADDRESS = 320;

/** The account that a directory entry is linked to now. */
export interface LinkedAccount {
  userId: string;
  /** `waiting`: nobody has signed in as it so far. */
  state: 'waiting' | 'claimed' | 'closed';
}

/**
 * The address by which a directory entry finds its account (docs/adr/0009-account-linking.md): of the e-mail addresses
 * the primary one, else the one for work, else the first; without any, a `userName` that is one. Values that are no
 * addresses, as "n/a", are passed over.
 */
export function addressOf({ userName, attributes }: Pick<UserDocument, 'userName' | 'attributes'>): string | undefined {
  const emails = Array.isArray(attributes.emails) ? attributes.emails : [];
  return [
    ...emails.filter(({ primary }) => primary === true),
    ...emails.filter(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work'),
    ...emails,
    { value: userName },
  ]
    .map(({ value }: ComplexValue) => value)
    .find((value): value is string => typeof value === 'string' && isAddress(value));
}

/**
 * The account of a new entry, or that of an entry whose address may have changed. An account that somebody has claimed
 * stays linked, whatever becomes of the address: nobody loses their account by a typing error, and nobody is handed
 * that of another. One that still waits for its owner is exchanged for the one that the address has now, which may be
 * somebody's whom the issuer has come to call so; a closed one is exchanged in any case.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @param document as it shall be
 * @param before as it was, with its account; undefined: the entry is new
 * @returns the account's id
 */
export async function linkAccount(
  manager: EntityManager,
  accounts: Accounts,
  document: UserDocument,
  before?: { document: UserDocument; account: LinkedAccount },
): Promise<string> {
  const address = addressOf(document);
  if (before?.account.state === 'claimed') return before.account.userId;
  // The address before the account: whoever signs in takes them in this order, too.
  const named = address === undefined ? undefined : await accounts.forEmail(manager, address);
  if (before?.account.state === 'waiting') {
    const { userId } = before.account;
    if (named?.id === userId) return userId;
    if (address === undefined && addressOf(before.document) === undefined) return userId;
    // Somebody may be claiming it at this moment.
    const [still] = await manager.query<object[]>(
      `SELECT 1 FROM users WHERE id = $1 AND claimed_at IS NULL FOR UPDATE`,
      [userId],
    );
    if (!still) return userId;
  }
  return (named ?? (await accounts.withoutEmail(manager))).id;
}

/** $1 id, $2 organisation, $3 the account, $4 the entry that was linked to it. */
const BURY = `
  INSERT INTO scim_users (id, org_id, user_id, user_name, active, deleted_at)
  SELECT $1, org_id, $3, user_name, false, now() FROM scim_users
  WHERE org_id = $2 AND id = $4
    AND EXISTS (SELECT 1 FROM memberships WHERE org_id = $2 AND user_id = $3 AND manual_role IS NOT NULL)`;

/**
 * Leaves a deleted entry for an account that an inactive entry was linked to until now, if the account has a manual role:
 * that must not come into force because the address of somebody who is deactivated changes (contract, section 7). An
 * active entry leaves none: its address may have been a mistake, and the account somebody else's.
 */
export async function buryFormerAccount(
  manager: EntityManager,
  orgId: string,
  accountId: string,
  entryId: string,
): Promise<void> {
  await manager.query(BURY, [newId(), orgId, accountId, entryId]);
}

function isAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && ADDRESS.test(text);
}
