import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { newId } from '../../src/database/id';
import type { ActingMember } from '../../src/organisations/members/memberships.service';
import { type Role, ROLES } from '../../src/organisations/members/role';
import { type MemberState, resolveEntry, roleInForce } from '../../src/scim/roles/resolution/role-resolution';
import type { Consent } from '../../src/scim/directory/consent';
import type { SyncChange } from './api-types';
import type { OrganisationState } from './directory';
import type { Counts } from './organisations';

/** In each random organisation. */
export const GROUPS = 5;

/** One person: an index into the pool of accounts. */
export interface Person {
  user: number;
  member: Omit<MemberState, 'userId'> | null;
  /** The living entry, and those that were deleted before it. */
  living: { active: boolean; groups: number[]; consent: Consent } | null;
  deleted: { active: boolean; groups: number[]; at: number }[];
}

/** A whole organisation. */
export interface Case {
  people: Person[];
  /** In the order of their ids. One without a group waits for it. */
  mappings: { group: number | null; role: Role }[];
  defaultRole: Role | null;
  allowOwnerMapping: boolean;
  lastOwnerPolicy: 'retain' | 'refuse';
}

const groups = fc.subarray(Array.from({ length: GROUPS }, (_, group) => group));
/** Only what can be: a membership is there for a role or a retention. Days, so that several are equally old. */
const member: fc.Arbitrary<Omit<MemberState, 'userId'>> = fc
  .record({
    manualRole: fc.constantFrom<Role | null>(null, null, 'MEMBER', 'ADMIN', 'OWNER', 'OWNER'),
    scimRole: fc.constantFrom<Role | null>(null, null, null, ...ROLES),
    suspended: fc.constantFrom(false, false, true),
    retainedLastOwner: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    createdAt: fc.integer({ min: 1, max: 4 }).map((day) => Date.UTC(2026, 0, day)),
  })
  .filter(({ manualRole, scimRole, retainedLastOwner }) => !!manualRole || !!scimRole || retainedLastOwner);

const consent = fc.constantFrom<Consent>('NOT_NEEDED', 'NOT_NEEDED', 'NOT_NEEDED', 'ACCEPTED', 'PENDING', 'OPTED_OUT');

const person = (users: number): fc.Arbitrary<Person> =>
  fc.record({
    user: fc.nat({ max: users - 1 }),
    member: fc.option(member),
    living: fc.option(fc.record({ active: fc.boolean(), groups, consent }), { freq: 2 }),
    deleted: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Person['deleted']>([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.record({ active: fc.boolean(), groups, at: fc.integer({ min: 1, max: 2 }) }), {
          maxLength: 3,
        }),
      },
    ),
  });

/**
 * Any organisation that can be, in sync or not.
 *
 * @param users accounts in the pool
 * @param minLength people at least
 */
export const organisation = (users: number, minLength: number): fc.Arbitrary<Case> =>
  fc.record({
    people: fc.uniqueArray(person(users), { selector: ({ user }) => user, minLength, maxLength: users }),
    mappings: fc.uniqueArray(
      fc.record({ group: fc.option(fc.nat({ max: GROUPS - 1 })), role: fc.constantFrom(...ROLES) }),
      // One mapping at most for each group.
      { selector: (mapping) => mapping.group ?? mapping, maxLength: GROUPS + 2 },
    ),
    // OWNER for everybody is rare, or hardly an organisation would come near to having none.
    defaultRole: fc.constantFrom<Role | null>(null, null, 'MEMBER', 'MEMBER', 'ADMIN', 'ADMIN', 'OWNER'),
    allowOwnerMapping: fc.boolean(),
    lastOwnerPolicy: fc.constantFrom('retain', 'retain', 'refuse'),
  });

/** A change as a run stores it, without names. */
export type StoredChange = Omit<SyncChange, 'name' | 'email' | 'group_name'>;

/** What a run must report, from `resolveEntry` and the roles in force before and after. */
export function expectedChanges(before: OrganisationState, after: MemberState[]): StoredChange[] {
  const role = (states: MemberState[], userId: string): Role | null => {
    const state = states.find((one) => one.userId === userId);
    return state ? roleInForce(state) : null;
  };
  const everybody = new Set([...before.members.map(({ userId }) => userId), ...before.entries.keys()]);
  return [...everybody].sort().flatMap((user_id) => {
    const [role_before, role_after] = [role(before.members, user_id), role(after, user_id)];
    const wasRetained = before.members.some((one) => one.userId === user_id && one.retainedLastOwner);
    const isRetained = after.some((one) => one.userId === user_id && one.retainedLastOwner);
    const change = kindOf(role_before, role_after) ?? (isRetained && !wasRetained ? 'retained' : undefined);
    if (!change) return [];
    const { reason, mappingId, groupId } = resolveEntry(before.entries.get(user_id), before.mappings, before.settings);
    const why = isRetained
      ? ({ reason: 'last_owner', mapping_id: null, group_id: null } as const)
      : { reason, mapping_id: mappingId, group_id: groupId };
    return [{ user_id, change, role_before, role_after, ...why }];
  });
}

function kindOf(before: Role | null, after: Role | null): SyncChange['change'] | undefined {
  if (before === after) return undefined;
  if (before === null) return 'joined';
  if (after === null) return 'removed';
  return ROLES.indexOf(after) > ROLES.indexOf(before) ? 'promoted' : 'demoted';
}

/** Everybody whom the directory knows or has something to do with, but for tombstones of people without membership. */
export function countsOf(
  { members, entries }: OrganisationState,
  changes: StoredChange[],
): Counts & { scanned: number } {
  const memberIds = new Set(members.map(({ userId }) => userId));
  const scanned = new Set([
    ...[...entries].filter(([userId, { deleted }]) => !deleted || memberIds.has(userId)).map(([userId]) => userId),
    ...members
      .filter(({ scimRole, suspended, retainedLastOwner }) => scimRole !== null || suspended || retainedLastOwner)
      .map(({ userId }) => userId),
  ]).size;
  return { scanned, ...tally(changes), unchanged: scanned - changes.length };
}

export async function insert(dataSource: DataSource, table: string, rows: object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  await dataSource.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/**
 * Writes a case into the tables.
 *
 * @param users the ids of the accounts in the pool
 */
export async function store(dataSource: DataSource, users: string[], one: Case): Promise<string> {
  const org_id = newId();
  const groupIds = Array.from({ length: GROUPS }, newId);
  const userOf = ({ user }: Person): string => users[user] ?? '';
  await insert(dataSource, 'organisations', [{ id: org_id, name: 'Random', slug: org_id }]);
  await insert(dataSource, 'scim_settings', [
    {
      org_id,
      default_role: one.defaultRole,
      allow_owner_mapping: one.allowOwnerMapping,
      last_owner_policy: one.lastOwnerPolicy,
    },
  ]);
  await insert(
    dataSource,
    'memberships',
    one.people.flatMap((person) =>
      person.member === null
        ? []
        : [
            {
              org_id,
              user_id: userOf(person),
              manual_role: person.member.manualRole,
              scim_role: person.member.scimRole,
              suspended: person.member.suspended,
              retained_last_owner: person.member.retainedLastOwner,
              role: roleInForce(person.member),
              created_at: new Date(person.member.createdAt),
            },
          ],
    ),
  );
  const entries = one.people.flatMap((person) =>
    [
      ...person.deleted.map((entry) => ({ ...entry, consent: 'NOT_NEEDED' as const })),
      ...(person.living ? [{ ...person.living, consent: consentOf(person), at: null }] : []),
    ].map(({ active, groups, consent, at }) => ({
      groups,
      row: {
        id: newId(),
        org_id,
        user_id: userOf(person),
        user_name: newId(),
        active,
        consent,
        // What held before a person was deleted would come back with them.
        consent_user_id: at === null ? userOf(person) : null,
        deleted_at: at === null ? null : new Date(Date.UTC(2026, 1, at)),
      },
    })),
  );
  await insert(
    dataSource,
    'scim_users',
    entries.map(({ row }) => row),
  );
  await insert(
    dataSource,
    'scim_groups',
    groupIds.map((id) => ({ id, org_id, display_name: id })),
  );
  await insert(
    dataSource,
    'scim_group_members',
    entries.flatMap(({ groups, row }) => groups.map((group) => ({ group_id: groupIds[group], scim_user_id: row.id }))),
  );
  await insert(
    dataSource,
    'scim_role_mappings',
    one.mappings.map(({ group, role }) => ({
      id: newId(),
      org_id,
      group_id: group === null ? null : groupIds[group],
      group_name: newId(),
      role,
    })),
  );
  return org_id;
}

/** Adds an ADMIN whom the directory does not know, who may ask for a sync and on whom it changes nothing. */
export async function addAdmin(dataSource: DataSource, orgId: string): Promise<ActingMember> {
  const userId = newId();
  await insert(dataSource, 'users', [{ id: userId }]);
  const standing = { org_id: orgId, user_id: userId, manual_role: 'ADMIN', role: 'ADMIN' };
  const rest = { suspended: false, retained_last_owner: false, created_at: new Date() };
  await insert(dataSource, 'memberships', [{ ...standing, ...rest }]);
  return { orgId, userId, role: 'ADMIN', requestId: newId() };
}

/** Only an account that was claimed, of a person who is not a member by hand, waits for an answer; see `settleConsent`. */
function consentOf({ user, member, living }: Person): Consent {
  const canWait = isClaimed(user) && !member?.manualRole;
  return living?.consent === 'PENDING' && !canWait ? 'ACCEPTED' : (living?.consent ?? 'NOT_NEEDED');
}

const isClaimed = (user: number): boolean => user % 2 === 0;

/** Makes accounts that random organisations share. As every fourth nobody can sign in: no address of it is known. */
export async function createPool(dataSource: DataSource, size: number): Promise<string[]> {
  const users = Array.from({ length: size }, newId);
  await insert(
    dataSource,
    'users',
    users.map((id, index) => ({
      id,
      email: index % 4 === 1 ? null : `${id}@example.com`,
      claimed_at: isClaimed(index) ? new Date(0) : null,
    })),
  );
  return users;
}

/** Whether somebody would have to be retained as the last OWNER who is not yet: what the policy `refuse` refuses. */
export function newlyRetains(before: MemberState[], after: MemberState[]): boolean {
  const retained = new Set(before.filter(({ retainedLastOwner }) => retainedLastOwner).map(({ userId }) => userId));
  return after.some(({ userId, retainedLastOwner }) => retainedLastOwner && !retained.has(userId));
}

/** How many there are of each kind of change. */
export function tally(changes: StoredChange[]): Omit<Counts, 'unchanged'> {
  const of = (kind: SyncChange['change']) => changes.filter(({ change }) => change === kind).length;
  return {
    joined: of('joined'),
    promoted: of('promoted'),
    demoted: of('demoted'),
    removed: of('removed'),
    retained: of('retained'),
  };
}

/** @param expected of the pure function, in which whoever joins does so at `NaN`, since the database says when */
export function expectStates(states: MemberState[], expected: MemberState[]): void {
  const joined = new Set(expected.filter(({ createdAt }) => Number.isNaN(createdAt)).map(({ userId }) => userId));
  expect(states.map((state) => (joined.has(state.userId) ? { ...state, createdAt: Number.NaN } : state))).toEqual(
    expected,
  );
}
