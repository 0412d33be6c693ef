import type { EntityManager } from 'typeorm';
import { GREATEST_ID, LEAST_ID } from '../../../database/id';
import { execute, many, one } from '../../../database/statements';
import type { StoredGroup } from '../schema/group-document';
import { IS_OWN } from './tenancy';
import type { GroupMember } from './to-scim';

export const GROUP_COLUMNS = `
  scim_groups.id, scim_groups.display_name AS "displayName", scim_groups.external_id AS "externalId",
  scim_groups.version, scim_groups.created_at AS "createdAt", scim_groups.updated_at AS "updatedAt"`;

/** Members that one statement reads at most. */
const CHUNK = 10_000;

/** Members of all groups of a page together, unless it is of one group: what a list holds in memory. */
const MOST_MEMBERS_OF_A_PAGE = 100_000;

/** $1 organisation, $2 ids. */
const FIND = `
  SELECT found.* FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT ${GROUP_COLUMNS} FROM scim_groups WHERE scim_groups.id = wanted.id AND ${IS_OWN} LIMIT 1
  ) AS found`;

const INSERT = `
  INSERT INTO scim_groups (org_id, id, display_name, external_id) VALUES ($1, $2, $3, $4) RETURNING ${GROUP_COLUMNS}`;

/** The clock's time: of two transactions, the one that began later may have got the organisation's lock first. */
const UPDATE = `
  UPDATE scim_groups
  SET display_name = $3, external_id = $4, version = version + 1, updated_at = clock_timestamp()
  WHERE id = $2 AND ${IS_OWN}
  RETURNING ${GROUP_COLUMNS}`;

/**
 * $1 organisation, $2 group, $3 the member after whom to begin. Whose the members are is asked of the group, and they
 * are taken from the primary key, which the comparison of two columns leaves as the only way.
 */
const NEXT_MEMBERS = `
  SELECT chunk.group_id AS "groupId", member.*
  FROM (
    SELECT group_id, scim_user_id FROM scim_group_members
    WHERE (group_id, scim_user_id) > ($2, $3) AND (group_id, scim_user_id) <= ($2, '${GREATEST_ID}')
      AND EXISTS (SELECT 1 FROM scim_groups WHERE id = $2 AND ${IS_OWN})
    ORDER BY group_id, scim_user_id LIMIT ${CHUNK}
  ) AS chunk
  CROSS JOIN LATERAL (
    SELECT id, user_name AS "userName", display_name AS "displayName"
    FROM scim_users WHERE id = chunk.scim_user_id LIMIT 1
  ) AS member
  ORDER BY chunk.group_id, chunk.scim_user_id`;

/** $1 organisation, $2 groups, who have few members. */
const ALL_MEMBERS = `
  SELECT scim_group_members.group_id AS "groupId", member.*
  FROM scim_group_members
  CROSS JOIN LATERAL (
    SELECT id, user_name AS "userName", display_name AS "displayName"
    FROM scim_users WHERE id = scim_group_members.scim_user_id LIMIT 1
  ) AS member
  WHERE group_id = ANY (ARRAY(SELECT id FROM scim_groups WHERE id = ANY ($2::uuid[]) AND ${IS_OWN}))
  ORDER BY group_id, member.id`;

/** $1 groups. Beyond what a page may hold, there is no use in going on counting. */
const SIZES = `
  SELECT page.id, size.members
  FROM unnest($1::uuid[]) AS page (id)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS members
    FROM (SELECT 1 FROM scim_group_members WHERE group_id = page.id LIMIT ${MOST_MEMBERS_OF_A_PAGE}) AS counted
  ) AS size`;

type Member = GroupMember & { groupId: string };

/** Members by the ids of their groups. */
export type MembersByGroup = Map<string, GroupMember[]>;

/** @param id a UUID @returns undefined for one of another organisation */
export async function findGroup(manager: EntityManager, orgId: string, id: string): Promise<StoredGroup | undefined> {
  return (await findGroups(manager, orgId, [id]))[0];
}

/** @returns those that are there, in any order */
export function findGroups(manager: EntityManager, orgId: string, ids: string[]): Promise<StoredGroup[]> {
  return many<StoredGroup>(manager, FIND, [orgId, ids]);
}

export function insertGroup(
  manager: EntityManager,
  orgId: string,
  { id, displayName, externalId }: Pick<StoredGroup, 'id' | 'displayName' | 'externalId'>,
): Promise<StoredGroup> {
  return one<StoredGroup>(manager, INSERT, [orgId, id, displayName, externalId]);
}

/**
 * Counts the version up; to be called for a change of the members too.
 *
 * @param manager of a transaction that holds the organisation's lock and has found the group in it
 */
export function updateGroup(
  manager: EntityManager,
  orgId: string,
  { id, displayName, externalId }: Pick<StoredGroup, 'id' | 'displayName' | 'externalId'>,
): Promise<StoredGroup> {
  return one<StoredGroup>(manager, UPDATE, [orgId, id, displayName, externalId]);
}

export async function deleteGroup(manager: EntityManager, orgId: string, id: string): Promise<void> {
  await execute(manager, `DELETE FROM scim_groups WHERE id = $2 AND ${IS_OWN}`, [orgId, id]);
}

/**
 * All members of a group, however many.
 *
 * @param manager of a transaction, so that all statements see the same members
 */
export async function membersOf(manager: EntityManager, orgId: string, groupId: string): Promise<GroupMember[]> {
  const members: GroupMember[] = [];
  for (let after = LEAST_ID; ;) {
    const chunk = await many<Member>(manager, NEXT_MEMBERS, [orgId, groupId, after]);
    for (const { groupId: _, ...member } of chunk) members.push(member);
    const last = chunk.at(-1);
    if (!last || chunk.length < CHUNK) return members;
    after = last.id;
  }
}

/**
 * All members of the groups of a page. A page whose groups have more members together than one answer should hold ends
 * before the group that would be too much: a provider may list fewer resources than asked for (RFC 7644, section
 * 3.4.2.4), while a group without some of its members would be a wrong one.
 *
 * @param manager of a transaction, so that all statements see the same members
 * @param groupIds in the order of the page
 * @returns the first of these groups, at least one, with their members
 */
export async function membersOfPage(
  manager: EntityManager,
  orgId: string,
  groupIds: string[],
): Promise<MembersByGroup> {
  if (groupIds.length === 0) return new Map();
  const sizes = await many<{ id: string; members: number }>(manager, SIZES, [groupIds]);
  const sizeOf = new Map(sizes.map(({ id, members }) => [id, members]));
  const found: MembersByGroup = new Map();
  const few: string[] = [];
  let total = 0;
  let waiting = 0;
  for (const id of groupIds) {
    const size = sizeOf.get(id) ?? 0;
    total += size;
    if (total > MOST_MEMBERS_OF_A_PAGE && found.size > 0) break;
    found.set(id, []);
    if (size > CHUNK) {
      found.set(id, await membersOf(manager, orgId, id));
    } else if (size > 0) {
      if (waiting + size > CHUNK) {
        await fill(manager, orgId, few.splice(0), found);
        waiting = 0;
      }
      few.push(id);
      waiting += size;
    }
  }
  await fill(manager, orgId, few, found);
  return found;
}

async function fill(manager: EntityManager, orgId: string, ids: string[], found: MembersByGroup): Promise<void> {
  if (ids.length === 0) return;
  for (const { groupId, ...member } of await many<Member>(manager, ALL_MEMBERS, [orgId, ids])) {
    found.get(groupId)?.push(member);
  }
}
