import fc from 'fast-check';
import { isAtLeast, type Role, ROLES } from '../../../organisations/members/role';
import {
  DirectoryEntry,
  MemberState,
  resolveEntry,
  resolveOrganisation,
  roleInForce,
  RoleMapping,
  ScimSettings,
} from './role-resolution';
import { cases } from '../../../../test/support/random-cases';

const USERS = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'];
const GROUPS = ['g1', 'g2', 'g3', 'g4'];
const NOW = 1_000_000;

const roleOrNull = fc.constantFrom<Role | null>(null, ...ROLES);
const entry: fc.Arbitrary<DirectoryEntry> = fc.record({
  active: fc.boolean(),
  deleted: fc.boolean(),
  consent: fc.constantFrom('NOT_NEEDED', 'NOT_NEEDED', 'ACCEPTED', 'PENDING', 'OPTED_OUT'),
  groupIds: fc.subarray(GROUPS),
});
const mappings: fc.Arbitrary<RoleMapping[]> = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5', 'm6'),
    groupId: fc.option(fc.constantFrom(...GROUPS)),
    role: fc.constantFrom(...ROLES),
  }),
  { selector: ({ id }) => id },
);
const settings: fc.Arbitrary<ScimSettings> = fc.record({
  defaultRole: roleOrNull,
  allowOwnerMapping: fc.boolean(),
  lastOwnerPolicy: fc.constantFrom('retain', 'refuse'),
});
const members: fc.Arbitrary<MemberState[]> = fc.uniqueArray(
  fc.record({
    userId: fc.constantFrom(...USERS),
    manualRole: roleOrNull,
    scimRole: roleOrNull,
    suspended: fc.boolean(),
    retainedLastOwner: fc.boolean(),
    createdAt: fc.integer({ min: 0, max: 4 }),
  }),
  { selector: ({ userId }) => userId },
);

interface Case {
  members: MemberState[];
  entries: [string, DirectoryEntry][];
  mappings: RoleMapping[];
  settings: ScimSettings;
  /** Users that cannot sign in. */
  unreachable: string[];
}

const organisation: fc.Arbitrary<Case> = fc.record({
  members,
  entries: fc.uniqueArray(fc.tuple(fc.constantFrom(...USERS), entry), { selector: ([userId]) => userId }),
  mappings,
  settings,
  unreachable: fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.subarray(USERS) },
  ),
});

const resolve = ({ members, entries, mappings, settings, unreachable }: Case): MemberState[] =>
  resolveOrganisation(members, new Map(entries), mappings, settings, NOW, new Set(unreachable));

const byUser = (states: MemberState[]): MemberState[] =>
  [...states].sort((a, b) => USERS.indexOf(a.userId) - USERS.indexOf(b.userId));

/** The OWNERs that can sign in. */
const owners = (states: MemberState[], { unreachable }: Case): string[] =>
  states
    .filter((state) => roleInForce(state) === 'OWNER' && !unreachable.includes(state.userId))
    .map(({ userId }) => userId);

/** For any organisation: the assertion holds for its state before and after. */
function always(holds: (before: Case, after: MemberState[]) => void): void {
  fc.assert(
    fc.property(organisation, (before) => holds(before, resolve(before))),
    { numRuns: cases(3000) },
  );
}

describe('Role resolution, for random organisations', () => {
  it('does not depend on the order of groups, mappings, entries or members', () => {
    const shuffled = organisation.chain((one) =>
      fc.record({
        one: fc.constant(one),
        other: fc.record({
          members: shuffle(one.members),
          entries: fc.tuple(...one.entries.map(([userId, entry]) => shuffledEntry(userId, entry))).chain(shuffle),
          mappings: shuffle(one.mappings),
          settings: fc.constant(one.settings),
          unreachable: fc.constant(one.unreachable),
        }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ one, other }) => {
        expect(byUser(resolve(other))).toEqual(byUser(resolve(one)));
        const entries = new Map(one.entries);
        for (const [userId, entry] of other.entries) {
          expect(resolveEntry(entry, other.mappings, other.settings)).toEqual(
            resolveEntry(entries.get(userId), one.mappings, one.settings),
          );
        }
      }),
      { numRuns: cases(2000) },
    );
  });

  it('is idempotent', () => {
    always((before, after) => {
      expect(byUser(resolve({ ...before, members: after }))).toEqual(byUser(after));
    });
  });

  it('never leaves an organisation without an active OWNER if it had one', () => {
    always((before, after) => {
      if (owners(before.members, before).length > 0) expect(owners(after, before)).not.toEqual([]);
    });
  });

  it('keeps every manual role, and adds none', () => {
    always((before, after) => {
      const manual = (states: MemberState[]) =>
        byUser(states)
          .filter(({ manualRole }) => manualRole !== null)
          .map(({ userId, manualRole, createdAt }) => ({ userId, manualRole, createdAt }));
      expect(manual(after)).toEqual(manual(before.members));
    });
  });

  it('gives an inactive or deleted person no access unless they are retained', () => {
    always(({ entries }, after) => {
      const gone = entries.filter(([, { active, deleted }]) => !active || deleted).map(([userId]) => userId);
      for (const state of after) {
        expect(state.suspended).toBe(gone.includes(state.userId));
        if (gone.includes(state.userId) && !state.retainedLastOwner) expect(roleInForce(state)).toBeNull();
      }
    });
  });

  it('creates no membership without consent, and keeps manual roles', () => {
    always(({ members: before, entries }, after) => {
      for (const [userId, { active, deleted, consent }] of entries) {
        if (!active || deleted || consent === 'NOT_NEEDED' || consent === 'ACCEPTED') continue;
        const manual = before.find((state) => state.userId === userId)?.manualRole ?? null;
        const state = after.find((one) => one.userId === userId);
        if (state?.retainedLastOwner) continue;
        expect(state ? roleInForce(state) : null).toBe(manual);
      }
    });
  });

  it('retains at most one, a former active OWNER, and only if no other OWNER is left', () => {
    always((before, after) => {
      const retained = after.filter(({ retainedLastOwner }) => retainedLastOwner).map(({ userId }) => userId);
      expect(retained.length).toBeLessThanOrEqual(1);
      if (retained.length > 0) {
        expect(owners(after, before)).toEqual(retained);
        expect(owners(before.members, before)).toContain(retained[0]);
      }
    });
  });

  it('releases the retained OWNER as soon as another active OWNER exists', () => {
    always((before, after) => {
      const kept = after.find(({ retainedLastOwner }) => retainedLastOwner);
      fc.pre(kept !== undefined);
      const newcomer: MemberState = {
        userId: 'newcomer',
        manualRole: 'OWNER',
        scimRole: null,
        suspended: false,
        retainedLastOwner: false,
        createdAt: NOW,
      };
      const released = resolve({ ...before, members: [...after, newcomer] });
      expect(released.filter(({ retainedLastOwner }) => retainedLastOwner)).toEqual([]);
      expect(owners(released, before)).toEqual(['newcomer']);
    });
  });

  it('ignores mappings to OWNER unless they are allowed', () => {
    always((before, after) => {
      fc.pre(!before.settings.allowOwnerMapping);
      const without = before.mappings.filter(({ role }) => role !== 'OWNER');
      expect(resolve({ ...before, mappings: without })).toEqual(after);
      if (before.settings.defaultRole !== 'OWNER') {
        expect(after.filter(({ scimRole }) => scimRole === 'OWNER')).toEqual([]);
      }
    });
  });

  it('gives the highest role of the mapped groups, and names a mapping that gives it', () => {
    fc.assert(
      fc.property(entry, mappings, settings, (entry, mappings, settings) => {
        const { scimRole, reason, mappingId, groupId } = resolveEntry(entry, mappings, settings);
        const counting = mappings.filter(
          ({ groupId, role }) =>
            groupId !== null && entry.groupIds.includes(groupId) && (role !== 'OWNER' || settings.allowOwnerMapping),
        );
        const isAgreedTo = entry.consent === 'NOT_NEEDED' || entry.consent === 'ACCEPTED';
        if (!entry.active || entry.deleted || !isAgreedTo) return expect(scimRole).toBeNull();
        if (reason !== 'mapping') {
          expect(counting).toEqual([]);
          return expect(scimRole).toBe(settings.defaultRole);
        }
        expect(counting).toContainEqual({ id: mappingId, groupId, role: scimRole });
        for (const { id, role } of counting) {
          expect(scimRole !== null && isAtLeast(scimRole, role)).toBe(true);
          if (role === scimRole) expect(mappingId !== null && mappingId <= id).toBe(true);
        }
      }),
      { numRuns: cases(3000) },
    );
  });

  it('keeps no member without any role', () => {
    always((_, after) => {
      const empty = after.filter(
        ({ manualRole, scimRole, retainedLastOwner }) => !manualRole && !scimRole && !retainedLastOwner,
      );
      expect(empty).toEqual([]);
    });
  });
});

function shuffle<T>(values: T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray(values, { minLength: values.length, maxLength: values.length });
}

function shuffledEntry(userId: string, entry: DirectoryEntry): fc.Arbitrary<[string, DirectoryEntry]> {
  return shuffle([...entry.groupIds]).map((groupIds) => [userId, { ...entry, groupIds }]);
}
