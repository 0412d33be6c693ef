import type { EntityManager } from 'typeorm';
import { prepared } from '../../../database/prepared';
import { execute, many, maybe } from '../../../database/statements';
import { causingTrace } from '../../../events/outbox';
import type { StoredUser, UserDocument } from '../schema/user-document';
import type { AccountLink, LinkedAccount } from './linked-account';
import {
  DELETE_USER_AND_PUBLISH_GROUP_CHANGES,
  FIND_USER,
  FIND_USER_TO_CHANGE,
  FIND_USERS,
  GROUPS_OF_USERS,
  INSERT_USER,
  INSERT_USERS,
  UPDATE_ACCOUNT_NOTE,
  UPDATE_USER,
} from './stored-users.sql';
import type { UserGroup } from './to-scim';

/** A stored user with what decides whether the account may be replaced, and whether the organisation may know it. */
export type LinkedUser = StoredUser &
  Pick<LinkedAccount, 'state' | 'hasAddress' | 'accountNote'> & { isAgreedTo: boolean };

/** A user about to be stored. */
export interface UserToStore {
  id: string;
  link: AccountLink;
  document: UserDocument;
}

/** @param id a UUID @returns undefined if it is deleted, or belongs to another organisation */
export function findUser(manager: EntityManager, orgId: string, id: string): Promise<LinkedUser | undefined> {
  return maybe<LinkedUser>(manager, FIND_USER, [orgId, id]);
}

/** The same in a transaction that holds the directory's lock. */
export async function findUserToChange(
  manager: EntityManager,
  orgId: string,
  id: string,
): Promise<LinkedUser | undefined> {
  const [user] = await prepared<LinkedUser>(manager, FIND_USER_TO_CHANGE, [orgId, id]);
  return user;
}

/**
 * The users of a page. Users with large attributes, such as certificates, may exceed one response; the page then ends
 * before them, as a provider may list fewer resources than requested (RFC 7644, section 3.4.2.4).
 *
 * @param ids in the order of the page
 * @returns the first of these users, at least one, in any order
 */
export function findUsers(manager: EntityManager, orgId: string, ids: string[]): Promise<StoredUser[]> {
  return many<StoredUser>(manager, FIND_USERS, [orgId, ids]);
}

export async function insertUser(
  manager: EntityManager,
  orgId: string,
  { id, link, document }: UserToStore,
): Promise<StoredUser> {
  const values = [orgId, id, ...columnsOf(link, document), agreedAccount(link)];
  const [user] = await prepared<StoredUser>(manager, INSERT_USER, values);
  if (!user) throw new Error('The new user was not returned.');
  return user;
}

/**
 * Inserts many users, in one statement.
 *
 * @returns by id; a user that conflicts with another one of the organisation is not inserted and missing
 */
export async function insertUsers(
  manager: EntityManager,
  orgId: string,
  users: readonly UserToStore[],
): Promise<Map<string, StoredUser>> {
  const rows = users.map(({ id, link, document }) => ({
    id,
    user_id: link.userId,
    account_note: link.accountNote,
    user_name: document.userName,
    external_id: document.externalId,
    display_name: document.displayName,
    active: document.active,
    attributes: document.attributes,
    consent_user_id: agreedAccount(link),
  }));
  const inserted = await prepared<StoredUser>(manager, INSERT_USERS, [orgId, JSON.stringify(rows)]);
  return new Map(inserted.map((user) => [user.id, user]));
}

/** @param manager of a transaction that holds the organisation's lock and has found the user in it */
export async function updateUser(
  manager: EntityManager,
  orgId: string,
  id: string,
  link: AccountLink,
  document: UserDocument,
): Promise<StoredUser> {
  const [user] = await prepared<StoredUser>(manager, UPDATE_USER, [orgId, id, ...columnsOf(link, document)]);
  if (!user) throw new Error('The user to change was not found.');
  return user;
}

export async function updateAccountNote(
  manager: EntityManager,
  orgId: string,
  id: string,
  accountNote: AccountLink['accountNote'],
): Promise<void> {
  await execute(manager, UPDATE_ACCOUNT_NOTE, [orgId, id, accountNote]);
}

export async function deleteUser(manager: EntityManager, orgId: string, id: string): Promise<void> {
  await execute(manager, DELETE_USER_AND_PUBLISH_GROUP_CHANGES, [orgId, id, causingTrace()]);
}

/** The groups of users, by user id, in one statement. */
export async function groupsOf(
  manager: EntityManager,
  orgId: string,
  userIds: string[],
): Promise<Map<string, UserGroup[]>> {
  const groups = new Map<string, UserGroup[]>(userIds.map((userId) => [userId, []]));
  for (const { userId, ...group } of await many<UserGroup & { userId: string }>(manager, GROUPS_OF_USERS, [
    orgId,
    userIds,
  ])) {
    groups.get(userId)?.push(group);
  }
  return groups;
}

/** @returns the account if nobody has to agree to the link, because it was created for the entry */
function agreedAccount({ userId, isNew }: AccountLink): string | null {
  return isNew ? userId : null;
}

function columnsOf(
  { userId, accountNote }: AccountLink,
  { userName, externalId, displayName, active, attributes }: UserDocument,
): unknown[] {
  return [userId, accountNote, userName, externalId, displayName, active, JSON.stringify(attributes)];
}
