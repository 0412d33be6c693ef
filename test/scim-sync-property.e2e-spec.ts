import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { newId } from '../src/database/id';
import { LastOwnerError } from '../src/http/errors';
import { type Role, ROLES } from '../src/organisations/role';
import { type MemberState, resolveEntry, roleInForce } from '../src/organisations/scim/roles/role-resolution';
import { SyncService } from '../src/organisations/scim/roles/sync.service';
import { createTestApp, type TestApp } from './support/app';
import { loadOrganisation, type OrganisationState, resolved } from './support/directory';
import { type Counts, storedMemberships, type SyncChange } from './support/organisations';

const GROUPS = 5;

/** One person: an index into the pool of accounts. */
interface Person {
  user: number;
  member: Omit<MemberState, 'userId'> | null;
  /** The living entry, and those that were deleted before it. */
  living: { active: boolean; groups: number[] } | null;
  deleted: { active: boolean; groups: number[]; at: number }[];
}

interface Case {
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

const person = (users: number): fc.Arbitrary<Person> =>
  fc.record({
    user: fc.nat({ max: users - 1 }),
    member: fc.option(member),
    living: fc.option(fc.record({ active: fc.boolean(), groups }), { freq: 2 }),
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

const organisation = (users: number, minLength: number): fc.Arbitrary<Case> =>
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
    lastOwnerPolicy: fc.constantFrom('retain', 'retain', 'retain', 'refuse'),
  });

describe('The sync, whatever the organisation', () => {
  let test: TestApp;
  let sync: SyncService;
  let users: string[];
  const seen = new Map<string, number>();

  beforeAll(async () => {
    test = await createTestApp();
    sync = test.app.get(SyncService);
    users = Array.from({ length: 80 }, newId);
    await insert(
      test.dataSource,
      'users',
      users.map((id) => ({ id })),
    );
  });

  afterAll(() => test.close());

  it('gives what the pure function gives, reports it, and writes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(organisation(3, 1), organisation(7, 0)), (one) => check(one)),
      { numRuns: 280 },
    );
    // Everything was visited, so the agreement means something.
    const kinds = ['joined', 'promoted', 'demoted', 'removed', 'retained', 'refused'];
    const reasons = ['mapping', 'default_role', 'no_default_role', 'deactivated', 'deleted', 'not_in_directory'];
    expect([...kinds, ...reasons].filter((what) => !seen.has(what))).toEqual([]);
  });

  it('does so for larger organisations too', async () => {
    await fc.assert(
      fc.asyncProperty(organisation(80, 60), (one) => check(one)),
      { numRuns: 10 },
    );
  });

  async function check(one: Case): Promise<void> {
    const orgId = await store(test.dataSource, users, one);
    const actor = { orgId, userId: users[0] ?? '', role: 'OWNER' as const };
    const before = await loadOrganisation(test.dataSource, orgId);
    const untouched = await storedMemberships(test.dataSource, orgId);
    const expected = resolved(before, Number.NaN);

    if (one.lastOwnerPolicy === 'refuse' && expected.some(({ retainedLastOwner }) => retainedLastOwner)) {
      await expect(sync.run(actor)).rejects.toThrow(LastOwnerError);
      expect(await storedMemberships(test.dataSource, orgId)).toEqual(untouched);
      return count('refused');
    }

    const run = await read(await sync.run(actor));
    const after = await loadOrganisation(test.dataSource, orgId);
    const joined = new Set(expected.filter(({ createdAt }) => Number.isNaN(createdAt)).map(({ userId }) => userId));
    expect(
      after.members.map((state) => (joined.has(state.userId) ? { ...state, createdAt: Number.NaN } : state)),
    ).toEqual(expected);
    const changes = expectedChanges(before, expected);
    expect(run.changes).toEqual(changes);
    expect(run.counts).toEqual(countsOf(before, changes));
    for (const { change, reason } of changes) [change, reason].forEach(count);

    const written = await storedMemberships(test.dataSource, orgId);
    const second = await read(await sync.run(actor));
    expect(second).toEqual({ changes: [], counts: countsOf(after, []) });
    expect(await storedMemberships(test.dataSource, orgId)).toEqual(written);
  }

  function count(what: string): void {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }

  async function read(runId: string): Promise<{ counts: Counts & { scanned: number }; changes: SyncChange[] }> {
    const [counts] = await test.dataSource.query<(Counts & { scanned: number })[]>(
      `SELECT scanned, joined, promoted, demoted, removed, retained, unchanged FROM scim_sync_runs WHERE id = $1`,
      [runId],
    );
    const changes = await test.dataSource.query<SyncChange[]>(
      `SELECT user_id, change, role_before, role_after, reason, mapping_id, group_id FROM scim_sync_changes
       WHERE run_id = $1 ORDER BY user_id`,
      [runId],
    );
    if (!counts) throw new Error('A run has a row.');
    return { counts, changes };
  }
});

/** What a run must report, from `resolveEntry` and the roles in force before and after. */
function expectedChanges(before: OrganisationState, after: MemberState[]): SyncChange[] {
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
function countsOf({ members, entries }: OrganisationState, changes: SyncChange[]): Counts & { scanned: number } {
  const memberIds = new Set(members.map(({ userId }) => userId));
  const scanned = new Set([
    ...[...entries].filter(([userId, { deleted }]) => !deleted || memberIds.has(userId)).map(([userId]) => userId),
    ...members
      .filter(({ scimRole, suspended, retainedLastOwner }) => scimRole !== null || suspended || retainedLastOwner)
      .map(({ userId }) => userId),
  ]).size;
  const of = (kind: SyncChange['change']) => changes.filter(({ change }) => change === kind).length;
  return {
    scanned,
    joined: of('joined'),
    promoted: of('promoted'),
    demoted: of('demoted'),
    removed: of('removed'),
    retained: of('retained'),
    unchanged: scanned - changes.length,
  };
}

async function insert(dataSource: DataSource, table: string, rows: object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  await dataSource.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Writes a case into the tables. */
async function store(dataSource: DataSource, users: string[], one: Case): Promise<string> {
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
    [...person.deleted, ...(person.living ? [{ ...person.living, at: null }] : [])].map(({ active, groups, at }) => ({
      groups,
      row: {
        id: newId(),
        org_id,
        user_id: userOf(person),
        user_name: newId(),
        active,
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
