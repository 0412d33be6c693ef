import type { EntityManager } from 'typeorm';
import { execute, many, maybe, one } from '../../../database/statements';
import { isAgreedTo } from '../../directory/directory-consent';
import type { StoredUser, UserDocument } from '../schema/user-document';
import type { AccountLink, LinkedAccount } from './account-link';
import { IS_OWN } from './tenancy';
import type { UserGroup } from './to-scim';

export const USER_COLUMNS = `
  scim_users.id, scim_users.user_id AS "userId", scim_users.user_name AS "userName",
  scim_users.external_id AS "externalId", scim_users.display_name AS "displayName", scim_users.active,
  scim_users.attributes, scim_users.version, scim_users.created_at AS "createdAt", scim_users.updated_at AS "updatedAt"`;

/** A stored user with what decides whether the account may be exchanged, and whether the organisation may know it. */
export type LinkedUser = StoredUser &
  Pick<LinkedAccount, 'state' | 'hasAddress' | 'accountNote'> & { isAgreedTo: boolean };

/** A user that is about to be stored. */
export interface NewUser {
  id: string;
  link: AccountLink;
  document: UserDocument;
}

const FIND = `
  SELECT ${USER_COLUMNS},
         CASE WHEN users.closed_at IS NOT NULL THEN 'closed'
              WHEN users.claimed_at IS NOT NULL THEN 'claimed' ELSE 'waiting' END AS state,
         users.email IS NOT NULL AS "hasAddress", scim_users.account_note AS "accountNote",
         ${isAgreedTo('scim_users')} AS "isAgreedTo"
  FROM scim_users JOIN users ON users.id = scim_users.user_id
  WHERE scim_users.id = $2 AND ${IS_OWN} AND scim_users.deleted_at IS NULL`;

/** Bytes of what the users of a page say of themselves: as much of a list as is held in memory. Most say two thousand. */
const MOST_BYTES_OF_A_PAGE = 16_777_216;

/** $1 organisation, $2 ids in the order of a page. Those that are left of the first byte too many, at least one. */
const FIND_MANY = `
  SELECT found.*
  FROM (
    SELECT wanted.id, sum(size) OVER (ORDER BY place) - size AS bytes_before
    FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
    CROSS JOIN LATERAL (
      SELECT octet_length(attributes::text) AS size FROM scim_users WHERE id = wanted.id AND ${IS_OWN} LIMIT 1
    ) AS measured
  ) AS page
  CROSS JOIN LATERAL (
    SELECT ${USER_COLUMNS} FROM scim_users
    WHERE scim_users.id = page.id AND ${IS_OWN} AND scim_users.deleted_at IS NULL LIMIT 1
  ) AS found
  WHERE page.bytes_before < ${MOST_BYTES_OF_A_PAGE}`;

const INSERT = `
  INSERT INTO scim_users (org_id, id, user_id, account_note, user_name, external_id, display_name, active, attributes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  RETURNING ${USER_COLUMNS}`;

/**
 * $1 organisation, $2 users as JSON. In their order, so that of two who clash the first is inserted; one who clashes
 * with an entry that is there is not.
 */
const INSERT_MANY = `
  INSERT INTO scim_users (org_id, id, user_id, account_note, user_name, external_id, display_name, active, attributes)
  SELECT $1, id, user_id, account_note, user_name, external_id, display_name, active, attributes
  FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (id uuid, user_id uuid, account_note text, user_name text,
                  external_id text, display_name text, active boolean, attributes jsonb)) WITH ORDINALITY
  ORDER BY ordinality
  ON CONFLICT DO NOTHING
  RETURNING ${USER_COLUMNS}`;

/** The clock's time: of two transactions, the one that began later may have got the organisation's lock first. */
const UPDATE = `
  UPDATE scim_users
  SET user_id = $3, account_note = $4, user_name = $5, external_id = $6, display_name = $7, active = $8,
      attributes = $9,
      version = version + 1, updated_at = clock_timestamp(),
      is_twin = is_twin AND username_key(user_name) = username_key($5)
  WHERE id = $2 AND ${IS_OWN} AND deleted_at IS NULL
  RETURNING ${USER_COLUMNS}`;

/** No change of the SCIM resource, which does not have the note: the version stays. */
const UPDATE_NOTE = `
  UPDATE scim_users SET account_note = $3 WHERE id = $2 AND ${IS_OWN} AND deleted_at IS NULL`;

/**
 * $1 organisation, $2 user. The entry stays, to keep its access away; it leaves its groups, which are different groups
 * then, and say so: in one statement, whatever their number.
 */
const DELETE = `
  WITH deleted AS (
    UPDATE scim_users SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
    WHERE id = $2 AND ${IS_OWN} AND deleted_at IS NULL
  ),
  left_groups AS (
    DELETE FROM scim_group_members WHERE scim_user_id = $2 RETURNING group_id
  ),
  changed AS (
    UPDATE scim_groups SET version = version + 1, updated_at = clock_timestamp()
    FROM left_groups WHERE scim_groups.id = left_groups.group_id AND ${IS_OWN}
    RETURNING scim_groups.id, display_name
  )
  INSERT INTO events (id, type, org_id, data)
  SELECT uuid_v7(), 'scim.group_changed', $1,
         jsonb_build_object('org_id', $1::uuid, 'group_id', id, 'display_name', display_name, 'change', 'updated',
                            'changed', '["members"]'::jsonb, 'members_added', 0, 'members_removed', 1)
  FROM changed`;

/** $1 organisation, $2 users. */
const GROUPS = `
  SELECT scim_group_members.scim_user_id AS "userId", joined.id, joined.display_name AS "displayName"
  FROM scim_group_members
  CROSS JOIN LATERAL (
    SELECT id, display_name FROM scim_groups WHERE id = scim_group_members.group_id AND ${IS_OWN} LIMIT 1
  ) AS joined
  WHERE scim_group_members.scim_user_id = ANY ($2::uuid[])
  ORDER BY joined.id`;

/** @param id a UUID @returns undefined for one that is deleted, or of another organisation */
export function findUser(manager: EntityManager, orgId: string, id: string): Promise<LinkedUser | undefined> {
  return maybe<LinkedUser>(manager, FIND, [orgId, id]);
}

/**
 * The users of a page. Those who have large certificates or the like may be too much for one answer; the page ends before
 * them, as a provider may list fewer resources than asked for (RFC 7644, section 3.4.2.4).
 *
 * @param ids in the order of the page
 * @returns the first of these users, at least one, in any order
 */
export function findUsers(manager: EntityManager, orgId: string, ids: string[]): Promise<StoredUser[]> {
  return many<StoredUser>(manager, FIND_MANY, [orgId, ids]);
}

export function insertUser(
  manager: EntityManager,
  orgId: string,
  { id, link, document }: NewUser,
): Promise<StoredUser> {
  return one<StoredUser>(manager, INSERT, [orgId, id, ...columnsOf(link, document)]);
}

/**
 * Inserts many users, in one statement.
 *
 * @returns by their ids; one who clashes with another user of the organisation is not inserted and not there
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
  const inserted = await many<StoredUser>(manager, INSERT_MANY, [orgId, JSON.stringify(rows)]);
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
  return one<StoredUser>(manager, UPDATE, [orgId, id, ...columnsOf(link, document)]);
}

export async function updateAccountNote(
  manager: EntityManager,
  orgId: string,
  id: string,
  accountNote: AccountLink['accountNote'],
): Promise<void> {
  await execute(manager, UPDATE_NOTE, [orgId, id, accountNote]);
}

export async function deleteUser(manager: EntityManager, orgId: string, id: string): Promise<void> {
  await execute(manager, DELETE, [orgId, id]);
}

/** The groups that users are in, by the ids of the users, in one statement. */
export async function groupsOf(
  manager: EntityManager,
  orgId: string,
  userIds: string[],
): Promise<Map<string, UserGroup[]>> {
  const groups = new Map<string, UserGroup[]>(userIds.map((userId) => [userId, []]));
  for (const { userId, ...group } of await many<UserGroup & { userId: string }>(manager, GROUPS, [orgId, userIds])) {
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
