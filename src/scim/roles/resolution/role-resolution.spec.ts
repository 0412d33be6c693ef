import { highest } from '../../../organisations/members/role';
import {
  DirectoryEntry,
  MemberState,
  resolveEntry,
  resolveOrganisation,
  roleInForce,
  RoleMapping,
  ScimSettings,
} from './role-resolution';

const SETTINGS: ScimSettings = { defaultRole: 'MEMBER', allowOwnerMapping: false, lastOwnerPolicy: 'retain' };
const MAPPINGS: RoleMapping[] = [
  { id: 'm1', groupId: 'everybody', role: 'MEMBER' },
  { id: 'm2', groupId: 'leads', role: 'ADMIN' },
  { id: 'm3', groupId: 'board', role: 'OWNER' },
  { id: 'm4', groupId: null, role: 'ADMIN' },
  { id: 'm5', groupId: 'heads', role: 'ADMIN' },
];
const NOW = Date.parse('2026-11-21T12:00:00.000Z');

const AGREED = { consent: 'NOT_NEEDED' } as const;
const entry = (...groupIds: string[]): DirectoryEntry => ({ active: true, deleted: false, ...AGREED, groupIds });
const inactive = (...groupIds: string[]): DirectoryEntry => ({ active: false, deleted: false, ...AGREED, groupIds });
const deleted = (...groupIds: string[]): DirectoryEntry => ({ active: true, deleted: true, ...AGREED, groupIds });

describe('The role from one directory entry', () => {
  const resolve = (of: DirectoryEntry | undefined, settings: Partial<ScimSettings> = {}, mappings = MAPPINGS) =>
    resolveEntry(of, mappings, { ...SETTINGS, ...settings });

  it('is none for a person who is not in the directory', () => {
    expect(resolve(undefined)).toEqual({
      scimRole: null,
      suspended: false,
      reason: 'not_in_directory',
      mappingId: null,
      groupId: null,
    });
  });

  it.each([
    ['deactivated', inactive('leads')],
    ['deleted', deleted('leads')],
    ['deleted', { ...deleted('leads'), active: false }],
  ] as const)('is none, with a suspension, for a person who is %s, whatever the groups', (reason, of) => {
    expect(resolve(of)).toEqual({ scimRole: null, suspended: true, reason, mappingId: null, groupId: null });
  });

  it.each([
    ['pending', 'PENDING'],
    ['opted_out', 'OPTED_OUT'],
  ] as const)('is none, without a suspension, while the consent is %s', (reason, consent) => {
    const of = { ...entry('leads'), consent };
    expect(resolve(of)).toEqual({ scimRole: null, suspended: false, reason, mappingId: null, groupId: null });
    // A suspension by the directory applies with or without consent.
    expect(resolve({ ...of, active: false })).toMatchObject({ suspended: true, reason: 'deactivated' });
    expect(resolve({ ...of, deleted: true })).toMatchObject({ suspended: true, reason: 'deleted' });
  });

  it('is the same for a person who accepted as for one who was not asked', () => {
    expect(resolve({ ...entry('leads'), consent: 'ACCEPTED' })).toEqual(resolve(entry('leads')));
  });

  it('is the role of the mapped group, with the mapping and the group', () => {
    expect(resolve(entry('leads'))).toEqual({
      scimRole: 'ADMIN',
      suspended: false,
      reason: 'mapping',
      mappingId: 'm2',
      groupId: 'leads',
    });
  });

  it('is the highest role of several mapped groups', () => {
    expect(resolve(entry('everybody', 'leads'))).toMatchObject({ scimRole: 'ADMIN', mappingId: 'm2' });
  });

  it('comes from the mapping with the lowest id if several give the same role', () => {
    expect(resolve(entry('heads', 'leads'))).toMatchObject({ mappingId: 'm2', groupId: 'leads' });
    expect(resolve(entry('leads', 'heads'), {}, [...MAPPINGS].reverse())).toMatchObject({ mappingId: 'm2' });
  });

  it.each(['MEMBER', 'ADMIN', 'OWNER'] as const)('is the default role %s if no group is mapped', (defaultRole) => {
    expect(resolve(entry('choir'), { defaultRole })).toEqual({
      scimRole: defaultRole,
      suspended: false,
      reason: 'default_role',
      mappingId: null,
      groupId: null,
    });
  });

  it('is the role of the group even if that is lower than the default role', () => {
    expect(resolve(entry('everybody'), { defaultRole: 'ADMIN' })).toMatchObject({
      scimRole: 'MEMBER',
      reason: 'mapping',
    });
  });

  it('is none, without a suspension, if there is no default role', () => {
    expect(resolve(entry('choir'), { defaultRole: null })).toMatchObject({
      scimRole: null,
      suspended: false,
      reason: 'no_default_role',
    });
  });

  it('ignores a mapping that waits for its group', () => {
    expect(resolve(entry(), { defaultRole: null })).toMatchObject({ scimRole: null, reason: 'no_default_role' });
  });

  it('ignores a mapping to OWNER unless that is allowed', () => {
    expect(resolve(entry('board'))).toMatchObject({ scimRole: 'MEMBER', reason: 'default_role', mappingId: null });
    expect(resolve(entry('board', 'leads'))).toMatchObject({ scimRole: 'ADMIN', mappingId: 'm2' });
    expect(resolve(entry('board', 'leads'), { allowOwnerMapping: true })).toMatchObject({
      scimRole: 'OWNER',
      mappingId: 'm3',
      groupId: 'board',
    });
  });
});

describe('The role in force', () => {
  const state = { manualRole: null, scimRole: null, suspended: false, retainedLastOwner: false };

  it('is the higher of the manual and the SCIM role', () => {
    expect(roleInForce({ ...state, manualRole: 'ADMIN', scimRole: 'MEMBER' })).toBe('ADMIN');
    expect(roleInForce({ ...state, manualRole: 'MEMBER', scimRole: 'ADMIN' })).toBe('ADMIN');
    expect(roleInForce({ ...state, scimRole: 'OWNER' })).toBe('OWNER');
    expect(roleInForce(state)).toBeNull();
  });

  it('is none while suspended, even with a manual role', () => {
    expect(roleInForce({ ...state, manualRole: 'OWNER', suspended: true })).toBeNull();
  });

  it('is OWNER while retained, suspended or not', () => {
    expect(roleInForce({ ...state, retainedLastOwner: true })).toBe('OWNER');
    expect(roleInForce({ ...state, manualRole: 'MEMBER', suspended: true, retainedLastOwner: true })).toBe('OWNER');
  });
});

describe('The roles of a whole organisation', () => {
  const member = (userId: string, fields: Partial<MemberState> = {}): MemberState => ({
    userId,
    manualRole: null,
    scimRole: null,
    suspended: false,
    retainedLastOwner: false,
    createdAt: NOW - 1000,
    ...fields,
  });
  const founder = member('founder', { manualRole: 'OWNER' });
  const resolve = (
    members: MemberState[],
    entries: Record<string, DirectoryEntry>,
    settings: Partial<ScimSettings> = {},
    unreachable?: Set<string>,
  ) =>
    resolveOrganisation(
      members,
      new Map(Object.entries(entries)),
      MAPPINGS,
      { ...SETTINGS, ...settings },
      NOW,
      unreachable,
    );
  const roles = (members: MemberState[]) =>
    Object.fromEntries(members.map((state) => [state.userId, roleInForce(state)]));
  const retained = (members: MemberState[]) =>
    members.filter(({ retainedLastOwner }) => retainedLastOwner).map(({ userId }) => userId);

  it('leave members unchanged who were never in the directory', () => {
    const other = member('other', { manualRole: 'ADMIN' });
    expect(resolve([founder, other], {})).toEqual([founder, other]);
  });

  it('include a new member for everyone in the directory, as of now', () => {
    expect(resolve([founder], { ann: entry() })).toEqual([
      founder,
      member('ann', { scimRole: 'MEMBER', createdAt: NOW }),
    ]);
  });

  it('include no one who is inactive, deleted or without any role', () => {
    expect(resolve([founder], { ann: inactive(), ben: deleted('leads') })).toEqual([founder]);
    expect(resolve([founder], { cem: entry() }, { defaultRole: null })).toEqual([founder]);
  });

  it('are promoted and demoted by groups', () => {
    const ann = member('ann', { scimRole: 'MEMBER' });
    const ben = member('ben', { scimRole: 'ADMIN' });
    expect(roles(resolve([founder, ann, ben], { ann: entry('leads'), ben: entry() }))).toEqual({
      founder: 'OWNER',
      ann: 'ADMIN',
      ben: 'MEMBER',
    });
  });

  it('keep a manual role beside the SCIM role, with the higher one in force', () => {
    const ann = member('ann', { manualRole: 'ADMIN' });
    const [, beside] = resolve([founder, ann], { ann: entry() });
    expect(beside).toEqual({ ...ann, scimRole: 'MEMBER' });
    expect(roles(resolve([founder, ann], { ann: entry('board') }, { allowOwnerMapping: true }))).toMatchObject({
      ann: 'OWNER',
    });
  });

  it('end the membership of a person without a manual role who is no longer in the directory', () => {
    const ann = member('ann', { scimRole: 'ADMIN' });
    expect(resolve([founder, ann], {})).toEqual([founder]);
    expect(resolve([founder, ann], { ann: deleted() })).toEqual([founder]);
    expect(resolve([founder, ann], { ann: entry() }, { defaultRole: null })).toEqual([founder]);
  });

  it('suspend the manual role of a deactivated person, and restore it later', () => {
    const ann = member('ann', { manualRole: 'ADMIN', scimRole: 'MEMBER' });
    const [, suspended] = resolve([founder, ann], { ann: inactive() });
    expect(suspended).toEqual({ ...ann, scimRole: null, suspended: true });
    expect(resolve([founder, suspended ?? founder], { ann: entry() })).toEqual([founder, ann]);
    expect(resolve([founder, suspended ?? founder], {})).toEqual([founder, { ...ann, scimRole: null }]);
  });

  describe('if no OWNER would be left', () => {
    it('retain the current one, and mark it', () => {
      expect(resolve([founder], { founder: inactive() })).toEqual([
        { ...founder, suspended: true, retainedLastOwner: true },
      ]);
    });

    it('retain an OWNER by mapping whose mapping is gone', () => {
      const ann = member('ann', { scimRole: 'OWNER' });
      expect(resolve([ann], { ann: entry('board') })).toEqual([
        { ...ann, scimRole: 'MEMBER', retainedLastOwner: true },
      ]);
      expect(resolve([ann], {})).toEqual([{ ...ann, scimRole: null, retainedLastOwner: true }]);
    });

    it('retain nobody if there is another OWNER, by hand or by a new mapping', () => {
      const other = member('other', { manualRole: 'OWNER' });
      expect(retained(resolve([founder, other], { founder: inactive() }))).toEqual([]);
      const allowed = resolve([founder], { founder: inactive(), ann: entry('board') }, { allowOwnerMapping: true });
      expect(retained(allowed)).toEqual([]);
      expect(roles(allowed)).toEqual({ founder: null, ann: 'OWNER' });
    });

    it('do not count an OWNER that cannot sign in, neither as remaining nor to retain', () => {
      const other = member('other', { manualRole: 'OWNER', createdAt: NOW - 9000 });
      const [entries, allow] = [{ founder: inactive(), ann: entry('board') }, { allowOwnerMapping: true }];
      const after = resolve([founder, other], entries, allow, new Set(['ann', 'other']));
      expect(roles(after)).toEqual({ founder: 'OWNER', other: 'OWNER', ann: 'OWNER' });
      expect(retained(after)).toEqual(['founder']);
      expect(retained(resolve(after, entries, allow))).toEqual([]);
      expect(retained(resolve([other], { other: inactive() }, {}, new Set(['other'])))).toEqual([]);
    });

    it('retain only one: active before inactive, then the longest member, then the lowest user id', () => {
      const owner = (userId: string, createdAt: number) => member(userId, { scimRole: 'OWNER', createdAt });
      const [a, b, c] = [owner('a', NOW - 9), owner('b', NOW - 5), owner('c', NOW - 5)];
      expect(retained(resolve([a, b, c], { a: inactive(), b: entry(), c: entry() }))).toEqual(['b']);
      expect(retained(resolve([c, b, a], { a: entry(), b: entry(), c: entry() }))).toEqual(['a']);
      expect(retained(resolve([c, b], { b: inactive(), c: inactive() }))).toEqual(['b']);
    });

    it('release the retained OWNER as soon as another active one exists', () => {
      const kept = { ...founder, suspended: true, retainedLastOwner: true };
      const other = member('other', { manualRole: 'OWNER' });
      expect(resolve([kept, other], { founder: inactive() })).toEqual([{ ...founder, suspended: true }, other]);
      const ann = member('ann', { scimRole: 'MEMBER', retainedLastOwner: true });
      expect(resolve([ann, other], { ann: entry() })).toEqual([{ ...ann, retainedLastOwner: false }, other]);
      expect(resolve([ann, other], {})).toEqual([other]);
    });

    it('release the retained OWNER when it is OWNER in its own right again', () => {
      const kept = { ...founder, suspended: true, retainedLastOwner: true };
      expect(resolve([kept], {})).toEqual([founder]);
    });

    it('create no OWNER in an organisation that had none', () => {
      const ann = member('ann', { scimRole: 'ADMIN' });
      const suspended = member('ben', { manualRole: 'OWNER', suspended: true });
      const after = resolve([ann, suspended], { ann: entry('leads'), ben: inactive() });
      expect(roles(after)).toEqual({ ann: 'ADMIN', ben: null });
      expect(highest(...after.map(roleInForce))).toBe('ADMIN');
    });
  });
});
