import type { EntityManager } from 'typeorm';
import { MIN_ID } from '../../../database/id';
import { prepared } from '../../../database/prepared';
import { execute, many, one } from '../../../database/statements';
import type { StoredGroup } from '../schema/group-document';
import {
  ALL_MEMBERS,
  CHUNK,
  DELETE_GROUP,
  FIND_GROUP,
  FIND_GROUP_TO_CHANGE,
  GROUP_SIZES,
  INSERT_GROUP,
  MAX_MEMBERS_OF_A_PAGE,
  NEXT_MEMBERS,
  UPDATE_GROUP,
} from './stored-groups.sql';
import type { GroupMember } from './to-scim';

type Member = GroupMember & { groupId: string };

/** Members by the ids of their groups. */
export type MembersByGroup = Map<string, GroupMember[]>;

/** @param id a UUID @returns undefined if it belongs to another organisation */
export async function findGroup(manager: EntityManager, orgId: string, id: string): Promise<StoredGroup | undefined> {
  return (await findGroups(manager, orgId, [id]))[0];
}

/** The same in a transaction that holds the directory's lock. */
export async function findGroupToChange(
  manager: EntityManager,
  orgId: string,
  id: string,
): Promise<StoredGroup | undefined> {
  const [group] = await prepared<StoredGroup>(manager, FIND_GROUP_TO_CHANGE, [orgId, id]);
  return group;
}

/** @returns those that exist, in any order */
export function findGroups(manager: EntityManager, orgId: string, ids: string[]): Promise<StoredGroup[]> {
  return many<StoredGroup>(manager, FIND_GROUP, [orgId, ids]);
}

export function insertGroup(
  manager: EntityManager,
  orgId: string,
  { id, displayName, externalId }: Pick<StoredGroup, 'id' | 'displayName' | 'externalId'>,
): Promise<StoredGroup> {
  return one<StoredGroup>(manager, INSERT_GROUP, [orgId, id, displayName, externalId]);
}

/**
 * Increments the version; must also be called if only the members changed.
 *
 * @param manager of a transaction that holds the organisation's lock and has found the group in it
 */
export async function updateGroup(
  manager: EntityManager,
  orgId: string,
  { id, displayName, externalId }: Pick<StoredGroup, 'id' | 'displayName' | 'externalId'>,
): Promise<StoredGroup> {
  const [group] = await prepared<StoredGroup>(manager, UPDATE_GROUP, [orgId, id, displayName, externalId]);
  if (!group) throw new Error('The group to change was not found.');
  return group;
}

export async function deleteGroup(manager: EntityManager, orgId: string, id: string): Promise<void> {
  await execute(manager, DELETE_GROUP, [orgId, id]);
}

/**
 * All members of a group, however many.
 *
 * @param manager of a transaction, so that all statements see the same members
 */
export async function membersOf(manager: EntityManager, orgId: string, groupId: string): Promise<GroupMember[]> {
  const members: GroupMember[] = [];
  for (let after = MIN_ID; ;) {
    const chunk = await many<Member>(manager, NEXT_MEMBERS, [orgId, groupId, after]);
    for (const { groupId: _, ...member } of chunk) members.push(member);
    const last = chunk.at(-1);
    if (!last || chunk.length < CHUNK) return members;
    after = last.id;
  }
}

/**
 * All members of the groups of a page. If the groups have more members than one response should hold, the page ends
 * before the first group that would exceed the limit: a provider may list fewer resources than requested (RFC 7644,
 * section 3.4.2.4), while a group without some of its members would be wrong.
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
  const sizes = await many<{ id: string; members: number }>(manager, GROUP_SIZES, [groupIds]);
  const sizeOf = new Map(sizes.map(({ id, members }) => [id, members]));
  const members: MembersByGroup = new Map();
  const few: string[] = [];
  let total = 0;
  let waiting = 0;
  for (const id of groupIds) {
    const size = sizeOf.get(id) ?? 0;
    total += size;
    if (total > MAX_MEMBERS_OF_A_PAGE && members.size > 0) break;
    members.set(id, []);
    if (size > CHUNK) {
      members.set(id, await membersOf(manager, orgId, id));
    } else if (size > 0) {
      if (waiting + size > CHUNK) {
        await fill(manager, orgId, few.splice(0), members);
        waiting = 0;
      }
      few.push(id);
      waiting += size;
    }
  }
  await fill(manager, orgId, few, members);
  return members;
}

async function fill(manager: EntityManager, orgId: string, ids: string[], members: MembersByGroup): Promise<void> {
  if (ids.length === 0) return;
  for (const { groupId, ...member } of await many<Member>(manager, ALL_MEMBERS, [orgId, ids])) {
    members.get(groupId)?.push(member);
  }
}
