import type { EntityManager } from 'typeorm';
import type { Columns } from '../../../database/columns';
import { newId } from '../../../database/id';
import { prepared } from '../../../database/prepared';
import { execute, maybe } from '../../../database/statements';
import type { Account, Accounts, FoundAccount } from '../../../users/accounts.service';
import { addressKey } from '../../../users/address';
import type { AccountNote } from '../../directory/account-note';
import type { ScimUser } from '../../directory/scim-user.entity';
import type { ComplexValue, UserDocument } from '../schema/user-document';
import type { AccountLink, LinkedAccount } from '../stored/linked-account';
import { IS_OWN } from '../tenancy';

/** Something before and after one "@", without spaces, within the limits of SMTP (RFC 5321, section 4.5.3.1). */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const MAX_ADDRESS_LENGTH = 320;

type LinkableDocument = Pick<UserDocument, 'userName' | 'attributes'>;

/**
 * The address by which a directory entry finds its account (docs/adr/0009-account-linking.md): the primary e-mail
 * address, or the one of type work, or the first; without any, the `userName` if it is an address. Values that are not
 * addresses, such as "n/a", are skipped.
 */
export function addressOf({ userName, attributes }: LinkableDocument): string | undefined {
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

/** @returns the addresses by which `linkAccounts` looks for accounts first */
export function addressesOf(documents: readonly LinkableDocument[]): string[] {
  return documents.flatMap((document) => addressOf(document) ?? []);
}

/**
 * The accounts of new entries: the one of the address; if another entry of the organisation has that account, the one
 * of a `userName` that is an address; otherwise one that cannot be claimed. The result is the same as for one entry
 * after another: an account that an earlier one gets by its `userName` is taken for a later one that has it as its
 * address. The number of statements does not depend on the number of entries.
 *
 * @param manager of a transaction that holds the organisation's lock and the addresses of the documents (`addressesOf`)
 * @returns in the order of the documents; no account twice
 */
export async function linkAccounts(
  manager: EntityManager,
  accounts: Accounts,
  orgId: string,
  documents: readonly LinkableDocument[],
): Promise<AccountLink[]> {
  const addresses = documents.map(addressOf);
  const byAddress = await accountsOf(manager, accounts, addresses, true);
  const taken = await takenAmong(manager, orgId, byAddress, null);
  const isTaken = (index: number): boolean => taken.has(byAddress[index]?.id ?? '');
  const byUserName = await accountsOf(manager, accounts, neededUserNames(documents, addresses, isTaken));
  const linked = new Set([...taken, ...(await takenAmong(manager, orgId, byUserName, null))]);
  const links = documents.map((_, index): AccountLink | undefined => {
    const candidates: [FoundAccount | undefined, AccountNote | null][] = [
      [byAddress[index], null],
      [byUserName[index], 'linked_by_user_name'],
    ];
    for (const [account, accountNote] of candidates) {
      if (!account || linked.has(account.id)) continue;
      linked.add(account.id);
      return { userId: account.id, accountNote, isNew: account.isNew };
    }
    return undefined;
  });
  const unclaimable = await accounts.withoutEmails(manager, links.filter((link) => link === undefined).length);
  return links.map((link, index) => {
    if (link) return link;
    const account = unclaimable.pop();
    if (!account) throw new Error('Too few accounts without an address were created.');
    return { userId: account.id, accountNote: addresses[index] === undefined ? null : 'address_taken', isNew: true };
  });
}

/**
 * The `userName`s that new entries need, because the account of their address is linked to another entry by the time it
 * is their turn. For the other entries no account may be looked up, since that creates a missing account.
 *
 * @param addresses of the documents
 * @param isTaken whether an existing entry is linked to the account of the address at an index
 * @returns in the order of the documents
 */
function neededUserNames(
  documents: readonly LinkableDocument[],
  addresses: readonly (string | undefined)[],
  isTaken: (index: number) => boolean,
): (string | undefined)[] {
  // Once a document has requested an account, the account is taken: by this document, or by an earlier one.
  const takenKeys = new Set<string>();
  return documents.map(({ userName }, index) => {
    const address = addresses[index];
    if (address === undefined) return undefined;
    const key = addressKey(address);
    const isFree = !isTaken(index) && !takenKeys.has(key);
    takenKeys.add(key);
    if (isFree || !isAddress(userName)) return undefined;
    takenKeys.add(addressKey(userName));
    return userName;
  });
}

/**
 * The account of an entry that changes. A claimed account stays linked, whatever happens to the address: nobody loses
 * their account through a typing error, and nobody is given someone else's. One that still waits for its owner is
 * replaced by the one that the entry would get if it were new; a closed one is always replaced. An entry that keeps its
 * account loses its note once no other entry has its address.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @param document the new state
 * @param entryId of the entry
 * @param before its current account
 */
export async function relinkAccount(
  manager: EntityManager,
  accounts: Accounts,
  orgId: string,
  document: LinkableDocument,
  entryId: string,
  before: LinkedAccount,
): Promise<AccountLink> {
  const address = addressOf(document);
  const sameAccount = async (): Promise<AccountLink> => ({
    userId: before.userId,
    accountNote: await remainingNote(manager, accounts, orgId, entryId, address, before.accountNote),
  });
  if (before.state === 'claimed') return sameAccount();
  const replacement = await replacementFor(manager, accounts, orgId, document, entryId);
  const accountNote = address === undefined ? null : 'address_taken';
  const isUnclaimable = before.state === 'waiting' && !before.hasAddress;
  if (!replacement && isUnclaimable) return { userId: before.userId, accountNote };
  if (!(await mayExchange(manager, before, replacement?.userId))) return sameAccount();
  if (replacement) return replacement;
  const [account] = await accounts.withoutEmails(manager, 1);
  if (!account) throw new Error('No account without an address was created.');
  return { userId: account.id, accountNote };
}

/**
 * The account that an existing entry would get if it were new: the one of its address, or of its `userName`. Called
 * before the lock on the current account: sign-in locks the address before the account, too.
 *
 * @returns undefined: an account that cannot be claimed
 */
async function replacementFor(
  manager: EntityManager,
  accounts: Accounts,
  orgId: string,
  document: LinkableDocument,
  entryId: string,
): Promise<AccountLink | undefined> {
  const address = addressOf(document);
  const ofAddress = await freeAccount(manager, accounts, orgId, entryId, address);
  if (ofAddress !== undefined) return { userId: ofAddress, accountNote: null };
  if (address === undefined || !isAddress(document.userName)) return undefined;
  const ofUserName = await freeAccount(manager, accounts, orgId, entryId, document.userName);
  return ofUserName === undefined ? undefined : { userId: ofUserName, accountNote: 'linked_by_user_name' };
}

/** @returns the note of an entry that keeps its account: null once no other entry has the account of its address */
async function remainingNote(
  manager: EntityManager,
  accounts: Accounts,
  orgId: string,
  entryId: string,
  address: string | undefined,
  accountNote: AccountNote | null,
): Promise<AccountNote | null> {
  if (accountNote === null || address === undefined) return null;
  const holderId = await accounts.holderOf(manager, address);
  const taken = await takenAmong(manager, orgId, [holderId === undefined ? undefined : { id: holderId }], entryId);
  return taken.size > 0 ? accountNote : null;
}

/** @returns the id of the account of an address, unless another entry of the organisation is linked to it */
async function freeAccount(
  manager: EntityManager,
  accounts: Accounts,
  orgId: string,
  entryId: string,
  address: string | undefined,
): Promise<string | undefined> {
  const accountsForAddress = await accountsOf(manager, accounts, [address]);
  const taken = await takenAmong(manager, orgId, accountsForAddress, entryId);
  return accountsForAddress.find((account) => account && !taken.has(account.id))?.id;
}

/** A waiting account that is being claimed at this moment stays. */
async function mayExchange(
  manager: EntityManager,
  { userId, state }: LinkedAccount,
  replacementId: string | undefined,
): Promise<boolean> {
  if (state !== 'waiting' || replacementId === userId) return true;
  const still = await maybe<object>(manager, `SELECT 1 FROM users WHERE id = $1 AND claimed_at IS NULL FOR UPDATE`, [
    userId,
  ]);
  return still !== undefined;
}

async function accountsOf(
  manager: EntityManager,
  accounts: Accounts,
  addresses: readonly (string | undefined)[],
  areHeld = false,
): Promise<(FoundAccount | undefined)[]> {
  const matches = await accounts.forEmails(
    manager,
    addresses.filter((address) => address !== undefined),
    areHeld,
  );
  return addresses.map((address) => (address === undefined ? undefined : matches.shift()));
}

/** $1 organisation, $2 accounts, $3 an entry to ignore. One account at a time: see tenancy.ts. */
const TAKEN = {
  name: 'accounts of other entries',
  sql: `
  SELECT found.user_id FROM unnest((SELECT $2::uuid[])) AS account (id)
  CROSS JOIN LATERAL (
    SELECT user_id FROM scim_users
    WHERE scim_users.user_id = account.id AND ${IS_OWN} AND deleted_at IS NULL
      AND scim_users.id IS DISTINCT FROM $3::uuid LIMIT 1
  ) AS found`,
};

/** The accounts that non-deleted entries of the organisation are linked to. */
async function takenAmong(
  manager: EntityManager,
  orgId: string,
  candidates: readonly ((Pick<Account, 'id'> & Partial<FoundAccount>) | undefined)[],
  entryId: string | null,
): Promise<Set<string>> {
  const ids = candidates.flatMap((account) => (account && !account.isNew ? account.id : []));
  if (ids.length === 0) return new Set();
  const rows = await prepared<Pick<Columns<ScimUser>, 'user_id'>>(manager, TAKEN, [orgId, ids, entryId]);
  return new Set(rows.map(({ user_id }) => user_id));
}

/** $1 id, $2 organisation, $3 the account, $4 the entry that was linked to it. */
const INSERT_DELETED_ENTRY = `
  INSERT INTO scim_users (id, org_id, user_id, user_name, active, deleted_at)
  SELECT $1, org_id, $3, user_name, false, now() FROM scim_users
  WHERE org_id = $2 AND id = $4
    AND EXISTS (SELECT 1 FROM memberships WHERE org_id = $2 AND user_id = $3 AND manual_role IS NOT NULL)`;

/**
 * Inserts a deleted entry for an account that an inactive entry has just been unlinked from, if the account has a
 * manual role: changing the address of a deactivated user must not put it into effect (contract, section 7). None is
 * inserted for an active entry: its address may have been a mistake, and the account someone else's.
 */
export async function leaveDeletedEntry(
  manager: EntityManager,
  orgId: string,
  accountId: string,
  entryId: string,
): Promise<void> {
  await execute(manager, INSERT_DELETED_ENTRY, [newId(), orgId, accountId, entryId]);
}

function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text);
}
