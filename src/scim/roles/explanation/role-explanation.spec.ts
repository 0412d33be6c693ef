import fc from 'fast-check';
import { highest, type Role, ROLES } from '../../../organisations/members/role';
import { explainRole, type MappedGroup, type PersonFacts, staysLastOwner } from './role-explanation';
import { resolveEntry, roleInForce, type ScimSettings } from '../resolution/role-resolution';

const AGREED = { consent: 'NOT_NEEDED' } as const;
const SETTINGS: ScimSettings = { defaultRole: 'MEMBER', allowOwnerMapping: false, lastOwnerPolicy: 'retain' };

const group = (name: string, role: Role): MappedGroup => ({
  mappingId: `mapping of ${name}`,
  groupId: `group ${name}`,
  groupName: name,
  role,
  mappedSince: new Date('2026-03-01T10:00:00Z'),
  memberSince: new Date('2026-04-02T10:00:00Z'),
  heir: null,
});

type Stored = { manual?: Role; scim?: Role; suspended?: boolean; retained?: boolean };

function member({ manual, scim, suspended = false, retained = false }: Stored): NonNullable<PersonFacts['member']> {
  const state = {
    manualRole: manual ?? null,
    scimRole: scim ?? null,
    suspended,
    retainedLastOwner: retained,
  };
  return { ...state, role: roleInForce(state) };
}

const facts = (stored: Stored | null, rest: Partial<PersonFacts> = {}): PersonFacts => ({
  member: stored && member(stored),
  entry: { active: true, deletedAt: null, ...AGREED },
  groups: [],
  settings: SETTINGS,
  ...rest,
});

const OFF = { entry: { active: false, deletedAt: null, ...AGREED } };
const DELETED = { entry: { active: true, deletedAt: new Date(), ...AGREED } };
const PENDING = { entry: { active: true, deletedAt: null, consent: 'PENDING' as const } };
const OPTED_OUT = { entry: { active: true, deletedAt: null, consent: 'OPTED_OUT' as const } };
const UNKNOWN = { entry: null };
const CLOSED = { settings: { ...SETTINGS, defaultRole: null } };

describe('The summary of a role explanation', () => {
  it.each<[summary: string, facts: PersonFacts]>([
    [
      'ADMIN: the person has been in the group "Platform" since 2026-04-02, and the group has been mapped to ADMIN since 2026-03-01.',
      facts({ scim: 'ADMIN' }, { groups: [group('Staff', 'MEMBER'), group('Platform', 'ADMIN')] }),
    ],
    [
      'MEMBER, the default role: the person is active in the directory and in no mapped group.',
      facts({ scim: 'MEMBER' }),
    ],
    [
      'MEMBER, the default role: the person is active in the directory and in no mapped group that counts.',
      facts({ scim: 'MEMBER' }, { groups: [group('Founders', 'OWNER')] }),
    ],
    [
      'No access: the person is active in the directory but in no mapped group, and there is no default role.',
      facts(null, CLOSED),
    ],
    ['OWNER, assigned manually; the directory gives MEMBER.', facts({ manual: 'OWNER', scim: 'MEMBER' })],
    ['MEMBER, assigned manually; the directory gives no role.', facts({ manual: 'MEMBER' }, CLOSED)],
    ['ADMIN, assigned manually; the person is not in the directory.', facts({ manual: 'ADMIN' }, UNKNOWN)],
    ['No access: the person is deactivated in the directory.', facts(null, OFF)],
    [
      'No access: the person is deactivated in the directory, which also suspends the manual role ADMIN.',
      facts({ manual: 'ADMIN', suspended: true }, OFF),
    ],
    ['No access: the person was deleted from the directory.', facts(null, DELETED)],
    [
      'No access yet: the person is active in the directory, but already had an account, and the organisation is not vouched for with regard to the domain of their address. They have to accept the membership.',
      facts(null, PENDING),
    ],
    [
      'No access: the person left the organisation or declined the membership. Only they can come back, by accepting it.',
      facts(null, OPTED_OUT),
    ],
    ['ADMIN, assigned manually; the directory gives no role.', facts({ manual: 'ADMIN' }, OPTED_OUT)],
    [
      'OWNER only until there is another active OWNER: the person is deactivated in the directory, but an organisation keeps at least one.',
      facts({ manual: 'OWNER', suspended: true, retained: true }, OFF),
    ],
    [
      'OWNER only until there is another active OWNER: the role would be MEMBER, but an organisation keeps at least one.',
      facts({ scim: 'MEMBER', retained: true }),
    ],
    [
      'OWNER only until there is another active OWNER: the role would be none, but an organisation keeps at least one.',
      facts({ retained: true }, UNKNOWN),
    ],
    [
      'ADMIN, the default role: the person is active in the directory and in no mapped group. The next sync changes that.',
      facts({ scim: 'ADMIN' }),
    ],
  ])('reads: %s', (summary, one) => {
    expect(explainRole(one).summary).toBe(summary);
  });
});

describe('A role explanation', () => {
  const roleOrNull = fc.constantFrom<Role | null>(null, ...ROLES);
  const settings: fc.Arbitrary<ScimSettings> = fc.record({
    defaultRole: roleOrNull,
    allowOwnerMapping: fc.boolean(),
    lastOwnerPolicy: fc.constantFrom('retain', 'refuse'),
  });
  const groups = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), role: fc.constantFrom(...ROLES) }),
    { selector: ({ name }) => name },
  );
  /** A person whose membership is up to date, retained or not. */
  const person: fc.Arbitrary<PersonFacts> = fc
    .record({
      manualRole: roleOrNull,
      retainedLastOwner: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      entry: fc.option(
        fc.record({
          active: fc.boolean(),
          deletedAt: fc.option(fc.constant(new Date(0)), { freq: 4 }),
          consent: fc.constantFrom('NOT_NEEDED', 'NOT_NEEDED', 'ACCEPTED', 'PENDING', 'OPTED_OUT'),
        }),
      ),
      groups: groups.map((list) => list.map(({ name, role }) => group(name, role))),
      settings,
    })
    .map(({ manualRole, retainedLastOwner, entry, groups, settings }) => {
      const known = entry && {
        active: entry.active,
        deleted: entry.deletedAt !== null,
        consent: entry.consent,
        groupIds: groups.map(({ groupId }) => groupId),
      };
      const mappings = groups.map(({ mappingId, groupId, role }) => ({ id: mappingId, groupId, role }));
      const { scimRole, suspended } = resolveEntry(known ?? undefined, mappings, settings);
      const state = { manualRole, scimRole, suspended, retainedLastOwner };
      const isMember = manualRole !== null || scimRole !== null || retainedLastOwner;
      return { member: isMember ? { ...state, role: roleInForce(state) } : null, entry, groups, settings };
    });

  it('matches the role in force, and predicts no change if there is none', () => {
    fc.assert(
      fc.property(person, (one) => {
        const explained = explainRole(one);
        expect(explained.role).toBe(one.member?.role ?? null);
        expect(explained.isUpToDate).toBe(true);
        expect(explained.summary).toMatch(new RegExp(`^${explained.role ?? 'No access'}\\b.*[^.]\\.$`));
      }),
    );
  });

  it('names a mapping exactly if a mapping gives the role, and no other counts for more', () => {
    fc.assert(
      fc.property(person, (one) => {
        const { reason, role, decides, groups, without } = explainRole(one);
        expect(decides !== null).toBe(reason === 'mapping');
        expect(without !== null).toBe(reason === 'mapping');
        const counting = groups.filter(({ counts }) => counts);
        fc.pre(decides !== null);
        expect(decides.role).toBe(role);
        expect(counting[0]).toMatchObject(decides);
        expect(highest(...counting.map((group) => group.role))).toBe(role);
      }),
    );
  });

  it('predicts the role without the mapping as it is once the mapping is gone', () => {
    fc.assert(
      fc.property(person, (one) => {
        const { decides, without } = explainRole(one);
        fc.pre(decides !== null && one.member !== null);
        const groups = one.groups.filter(({ mappingId }) => mappingId !== decides.mappingId);
        const { scimRole } = explainState({ ...one, groups });
        const role = highest(one.member.manualRole, scimRole);
        const after = explainRole({ ...one, groups, member: { ...one.member, scimRole, role } });
        expect(without).toEqual({ role, reason: after.reason, mappingId: after.decides?.mappingId ?? null });
      }),
    );
  });

  it('does not depend on the order of the groups', () => {
    fc.assert(
      fc.property(person, (one) => {
        expect(explainRole({ ...one, groups: [...one.groups].reverse() })).toEqual(explainRole(one));
      }),
    );
  });

  it('notices that a stored role is outdated', () => {
    fc.assert(
      fc.property(person, roleOrNull, (one, scimRole) => {
        const manualRole = one.member?.manualRole ?? null;
        const state = { manualRole, scimRole, suspended: one.member?.suspended ?? false, retainedLastOwner: false };
        const stored = { ...one, member: { ...state, role: roleInForce(state) } };
        const follows = explainState(one);
        expect(explainRole(stored).isUpToDate).toBe(
          follows.scimRole === scimRole && follows.suspended === state.suspended,
        );
      }),
    );
  });
});

/** The state that the pure function gives a person. */
function explainState({ entry, groups, settings }: PersonFacts) {
  const known = entry && {
    active: entry.active,
    deleted: entry.deletedAt !== null,
    consent: entry.consent,
    groupIds: groups.map(({ groupId }) => groupId),
  };
  const mappings = groups.map(({ mappingId, groupId, role }) => ({ id: mappingId, groupId, role }));
  return resolveEntry(known ?? undefined, mappings, settings);
}

describe('staysLastOwner', () => {
  const owner = (userId: string, createdAt: number, manualRole: Role | null = null) => ({
    userId,
    manualRole,
    scimRole: 'OWNER' as const,
    suspended: false,
    retainedLastOwner: false,
    createdAt,
  });
  const inGroup = { active: true, deleted: false, ...AGREED, groupIds: ['founders'] };
  const allow = { ...SETTINGS, allowOwnerMapping: true };

  it('is true for the OWNER retained by the last OWNER rule, and false if another remains', () => {
    const entries = new Map([
      ['ada', inGroup],
      ['bob', inGroup],
    ]);
    const two = { members: [owner('ada', 2), owner('bob', 1)], entries, unreachable: new Set<string>() };
    expect(staysLastOwner('bob', two, [], allow)).toBe(true);
    expect(staysLastOwner('ada', two, [], allow)).toBe(false);
    const withManual = { ...two, members: [...two.members, owner('eve', 3, 'OWNER')] };
    expect(staysLastOwner('bob', withManual, [], allow)).toBe(false);
    const withNobody = { ...withManual, unreachable: new Set(['eve']) };
    expect(staysLastOwner('bob', withNobody, [], allow)).toBe(true);
  });

  it('takes into account that another mapping gives OWNER', () => {
    const two = {
      members: [owner('ada', 1), owner('bob', 2)],
      entries: new Map([
        ['ada', inGroup],
        ['bob', { ...inGroup, groupIds: ['founders', 'board'] }],
      ]),
      unreachable: new Set<string>(),
    };
    const board = [{ id: 'm', groupId: 'board', role: 'OWNER' as const }];
    expect(staysLastOwner('ada', two, board, allow)).toBe(false);
    expect(staysLastOwner('ada', two, [], allow)).toBe(true);
  });

  it('is true for everyone under the policy that refuses such a change', () => {
    const two = {
      members: [owner('ada', 2), owner('bob', 1)],
      entries: new Map([
        ['ada', inGroup],
        ['bob', inGroup],
      ]),
      unreachable: new Set<string>(),
    };
    const refuse = { ...allow, lastOwnerPolicy: 'refuse' as const };
    expect([staysLastOwner('ada', two, [], refuse), staysLastOwner('bob', two, [], refuse)]).toEqual([true, true]);
  });
});
