import type { EntityManager } from 'typeorm';
import { execute, many, maybe, one } from '../../../database/statements';
import type { StoredUser, UserDocument } from '../schema/user-document';
import type { AccountLink, LinkedAccount } from './account-link';
import {
  DELETE_USER_AND_PUBLISH_GROUP_CHANGES,
  FIND_USER,
  FIND_USERS,
  GROUPS_OF_USERS,
  INSERT_USER,
  INSERT_USERS,
  UPDATE_ACCOUNT_NOTE,
  UPDATE_USER,
} from './stored-users.sql';
import type { UserGroup } from '../to-scim';

/** A stored user with what decides whether the account may be replaced, and whether the organisation may know it. */
export type LinkedUser = StoredUser &
  Pick<LinkedAccount, 'state' | 'hasAddress' | 'accountNote'> & { isAgreedTo: boolean };

/** A user about to be stored. */
export interface NewUser {
  id: string;
  link: AccountLink;
  document: UserDocument;
}

/** @param id a UUID @returns undefined if it is deleted, or belongs to another organisation */
export function findUser(manager: EntityManager, orgId: string, id: string): Promise<LinkedUser | undefined> {
  return maybe<LinkedUser>(manager, FIND_USER, [orgId, id]);
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

export function insertUser(
  manager: EntityManager,
  orgId: string,
  { id, link, document }: NewUser,
): Promise<StoredUser> {
  return one<StoredUser>(manager, INSERT_USER, [orgId, id, ...columnsOf(link, document)]);
}

/**
 * Inserts many users, in one statement.
 *
 * @returns by id; a user that conflicts with another one of the organisation is not inserted and missing
 */
export async function insertUsers(
  manager: EntityManager,
  orgId: string,
  users: readonly NewUser[],
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
  }));
  const inserted = await many<StoredUser>(manager, INSERT_USERS, [orgId, JSON.stringify(rows)]);
  return new Map(inserted.map((user) => [user.id, user]));
}

/** @param manager of a transaction that holds the organisation's lock and has found the user in it */
export function updateUser(
  manager: EntityManager,
  orgId: string,
  id: string,
  link: AccountLink,
  document: UserDocument,
): Promise<StoredUser> {
  return one<StoredUser>(manager, UPDATE_USER, [orgId, id, ...columnsOf(link, document)]);
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
  await execute(manager, DELETE_USER_AND_PUBLISH_GROUP_CHANGES, [orgId, id]);
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

function columnsOf(
  { userId, accountNote }: AccountLink,
  { userName, externalId, displayName, active, attributes }: UserDocument,
): unknown[] {
  return [userId, accountNote, userName, externalId, displayName, active, JSON.stringify(attributes)];
}
