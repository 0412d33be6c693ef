import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { SyncChange, SyncRun } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, createRoleMapping, createScimGroup, createScimUser, idOf } from '../support/factories';
import { createMembership, storedMemberships, syncOf, watchEvents } from '../support/organisations';

/** What the sync does to one person, step by step, as an administrator and the person see it. */
describe('The role sync', () => {
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    test = await createTestApp();
  });

  beforeEach(async () => {
    cast = await createCast(test);
  });

  afterAll(() => test.close());

  const sql = (text: string, ...parameters: unknown[]): Promise<unknown> => test.dataSource.query(text, parameters);
  const sync = (by = cast.owner): Promise<SyncRun> => syncOf(by, cast.orgId);
  const provision = (userId?: string) => createScimUser(test.dataSource, cast.orgId, { userId });
  const group = (...entries: string[]) => createScimGroup(test.dataSource, cast.orgId, entries);
  const map = (groupId: string, role: Role) => createRoleMapping(test.dataSource, cast.orgId, groupId, role);
  const settings = (assignment: string) => sql(`UPDATE scim_settings SET ${assignment} WHERE org_id = $1`, cast.orgId);
  const activate = (entryId: string, active: boolean) =>
    sql(`UPDATE scim_users SET active = $2 WHERE id = $1`, entryId, active);
  const remove = (entryId: string) => sql(`UPDATE scim_users SET deleted_at = now() WHERE id = $1`, entryId);
  const memberBy = async (by: Cast['owner'], userId: string) =>
    (await by.get(`/v1/organisations/${cast.orgId}/members/${userId}`)).body;
  const member = (userId: string) => memberBy(cast.owner, userId);
  const isGone = (userId: string) => cast.owner.get(`/v1/organisations/${cast.orgId}/members/${userId}`, 404);

  /** The only change of a run. */
  async function change(run: Promise<SyncRun>): Promise<SyncChange> {
    const { changes } = await run;
    expect(changes).toHaveLength(1);
    return changes[0] as SyncChange;
  }

  /** Whatever the names of the person and the group. */
  const changed = (
    user_id: string,
    what: SyncChange['change'],
    role_before: Role | null,
    role_after: Role | null,
    reason: SyncChange['reason'],
    by: Partial<SyncChange> = {},
  ): SyncChange =>
    expect.objectContaining({
      user_id,
      change: what,
      role_before,
      role_after,
      reason,
      mapping_id: null,
      group_id: null,
      ...by,
    }) as SyncChange;

  it('creates a member with the default role, promotes by a mapping, and demotes when the mapping is removed', async () => {
    const { id, userId } = await provision();
    expect(await change(sync())).toEqual(changed(userId, 'joined', null, 'MEMBER', 'default_role'));
    expect(await member(userId)).toMatchObject({ role: 'MEMBER', manual_role: null, scim_role: 'MEMBER' });

    const group_id = await group(id);
    const mapping_id = await map(group_id, 'ADMIN');
    const by = { mapping_id, group_id };
    expect(await change(sync())).toEqual(changed(userId, 'promoted', 'MEMBER', 'ADMIN', 'mapping', by));
    expect(await member(userId)).toMatchObject({ role: 'ADMIN', scim_role: 'ADMIN' });

    await sql(`DELETE FROM scim_role_mappings WHERE id = $1`, mapping_id);
    expect(await change(sync())).toEqual(changed(userId, 'demoted', 'ADMIN', 'MEMBER', 'default_role'));
  });

  it('follows a mapping that loses its group, or whose group is created', async () => {
    const { id, userId } = await provision();
    const groupId = await group(id);
    await map(groupId, 'ADMIN');
    expect(await change(sync())).toMatchObject({ change: 'joined', role_after: 'ADMIN' });

    await sql(`DELETE FROM scim_groups WHERE id = $1`, groupId);
    expect(await change(sync())).toEqual(changed(userId, 'demoted', 'ADMIN', 'MEMBER', 'default_role'));

    const group_id = await group(id);
    await sql(`UPDATE scim_role_mappings SET group_id = $2 WHERE org_id = $1`, cast.orgId, group_id);
    expect(await change(sync())).toMatchObject({
      change: 'promoted',
      role_after: 'ADMIN',
      reason: 'mapping',
      group_id,
    });
  });

  it('gives the highest role of several groups, then the next highest', async () => {
    const { id, userId } = await provision();
    await settings('default_role = NULL');
    const [staff, leads] = [await group(id), await group(id)];
    await map(staff, 'MEMBER');
    await map(leads, 'ADMIN');
    expect(await change(sync())).toMatchObject({ change: 'joined', role_after: 'ADMIN', group_id: leads });
    await sql(`DELETE FROM scim_group_members WHERE group_id = $1`, leads);
    expect(await change(sync())).toMatchObject({ change: 'demoted', role_after: 'MEMBER', group_id: staff });
    await sql(`DELETE FROM scim_group_members WHERE group_id = $1`, staff);
    expect(await change(sync())).toEqual(changed(userId, 'removed', 'MEMBER', null, 'no_default_role'));
    await isGone(userId);
  });

  it('removes members without a mapped group if there is no default role, and restores them with one', async () => {
    const { userId } = await provision();
    await sync();
    await settings('default_role = NULL');
    expect(await change(sync())).toEqual(changed(userId, 'removed', 'MEMBER', null, 'no_default_role'));
    await isGone(userId);
    await settings(`default_role = 'ADMIN'`);
    expect(await change(sync())).toEqual(changed(userId, 'joined', null, 'ADMIN', 'default_role'));
  });

  it('gives OWNER by a mapping only where that is allowed', async () => {
    const { id, userId } = await provision();
    const group_id = await group(id);
    const mapping_id = await map(group_id, 'OWNER');
    expect(await change(sync())).toEqual(changed(userId, 'joined', null, 'MEMBER', 'default_role'));
    await settings('allow_owner_mapping = true');
    const by = { mapping_id, group_id };
    expect(await change(sync())).toEqual(changed(userId, 'promoted', 'MEMBER', 'OWNER', 'mapping', by));
    await settings('allow_owner_mapping = false');
    expect(await change(sync())).toEqual(changed(userId, 'demoted', 'OWNER', 'MEMBER', 'default_role'));
  });

  it('suspends a manual role when the directory deactivates the person, and restores it', async () => {
    const userId = await idOf(cast.admin);
    const { id } = await provision(userId);
    const organisations = async () => (await cast.admin.get('/v1/users/me')).body.organisations;
    expect(await sync()).toMatchObject({ scanned: 1, unchanged: 1, changes: [] });
    expect(await member(userId)).toMatchObject({ role: 'ADMIN', manual_role: 'ADMIN', scim_role: 'MEMBER' });

    await activate(id, false);
    expect(await change(sync())).toEqual(changed(userId, 'removed', 'ADMIN', null, 'deactivated'));
    expect(await member(userId)).toMatchObject({ role: null, manual_role: 'ADMIN', scim_role: null });
    expect(await organisations()).toMatchObject([{ org_id: cast.orgId, role: null, suspended: true }]);
    await cast.admin.get(`/v1/organisations/${cast.orgId}`, 404);

    await activate(id, true);
    expect(await change(sync())).toEqual(changed(userId, 'joined', null, 'ADMIN', 'default_role'));
    expect(await organisations()).toMatchObject([{ org_id: cast.orgId, role: 'ADMIN' }]);
  });

  it('removes a deleted person, including their manual role, until they are provisioned again', async () => {
    const userId = await idOf(cast.member);
    const first = await provision(userId);
    const groupId = await group(first.id);
    await map(groupId, 'ADMIN');
    expect(await change(sync())).toMatchObject({ change: 'promoted', role_after: 'ADMIN' });

    await remove(first.id);
    expect(await change(sync())).toEqual(changed(userId, 'removed', 'ADMIN', null, 'deleted'));
    expect(await member(userId)).toMatchObject({ role: null, manual_role: 'MEMBER' });
    expect(await sync()).toMatchObject({ scanned: 1, unchanged: 1, changes: [] });

    // The groups belonged to the old entry.
    const second = await provision(userId);
    expect(await change(sync())).toEqual(changed(userId, 'joined', null, 'MEMBER', 'default_role'));
    await sql(`INSERT INTO scim_group_members (group_id, scim_user_id) VALUES ($1, $2)`, groupId, second.id);
    expect(await change(sync())).toMatchObject({ change: 'promoted', role_after: 'ADMIN' });
  });

  it('looks at a deleted entry only as long as a membership remains', async () => {
    const { id, userId } = await provision();
    await sync();
    await remove(id);
    expect(await change(sync())).toEqual(changed(userId, 'removed', 'MEMBER', null, 'deleted'));
    await isGone(userId);
    expect(await sync()).toMatchObject({ scanned: 0, unchanged: 0 });
  });

  it('removes SCIM roles from members who are not in the directory', async () => {
    const alone = await createMembership(test.dataSource, cast.orgId, { scim: 'ADMIN' });
    const beside = await createMembership(test.dataSource, cast.orgId, { scim: 'ADMIN', manual: 'MEMBER' });
    const suspended = await createMembership(test.dataSource, cast.orgId, { manual: 'MEMBER', suspended: true });
    const run = await sync();
    expect(run).toMatchObject({ scanned: 3, joined: 1, demoted: 1, removed: 1 });
    expect(run.changes).toEqual(
      expect.arrayContaining([
        changed(alone, 'removed', 'ADMIN', null, 'not_in_directory'),
        changed(beside, 'demoted', 'ADMIN', 'MEMBER', 'not_in_directory'),
        changed(suspended, 'joined', null, 'MEMBER', 'not_in_directory'),
      ]),
    );
    await isGone(alone);
    expect(await member(beside)).toMatchObject({ role: 'MEMBER', manual_role: 'MEMBER', scim_role: null });
  });

  it('leaves members unchanged who were never in the directory', async () => {
    const before = await storedMemberships(test.dataSource);
    const { userId } = await provision();
    expect(await sync()).toMatchObject({ scanned: 1, joined: 1 });
    const after = await storedMemberships(test.dataSource);
    expect(after.filter(({ user_id }) => user_id !== userId)).toEqual(before);
  });

  it('stores a SCIM role below the manual role without reporting a change', async () => {
    const userId = await idOf(cast.admin);
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    await provision(userId);
    expect(await sync()).toMatchObject({ scanned: 1, unchanged: 1, changes: [] });
    expect(await member(userId)).toMatchObject({ role: 'ADMIN', scim_role: 'MEMBER' });
    expect((await events()).map(({ type }) => type)).toEqual(['scim.sync_completed']);
  });

  describe('that would remove the last OWNER', () => {
    const eventData = (user_id: string, role_before: Role | null, role: Role | null, reason: string) => ({
      data: { org_id: cast.orgId, user_id, role, role_before, reason },
    });

    it('retains them, reports it, and releases them once there is another OWNER', async () => {
      const owner = await idOf(cast.owner);
      const { id } = await provision(owner);
      await activate(id, false);
      const events = watchEvents(test.dataSource, cast.orgId);
      await events();
      const run = await sync();
      expect(run).toMatchObject({ scanned: 1, retained: 1, unchanged: 0 });
      expect(run.changes).toEqual([changed(owner, 'retained', 'OWNER', 'OWNER', 'last_owner')]);
      expect(await member(owner)).toMatchObject({ role: 'OWNER', manual_role: 'OWNER', retained_last_owner: true });
      const [retained, completed, ...others] = (await events()).sort((a, b) => a.type.localeCompare(b.type));
      expect(retained).toEqual({ type: 'member.role_changed', ...eventData(owner, 'OWNER', 'OWNER', 'last_owner') });
      expect(completed).toMatchObject({ type: 'scim.sync_completed', data: { retained: 1 } });
      expect(others).toEqual([]);

      expect(await sync()).toMatchObject({ scanned: 1, retained: 0, unchanged: 1, changes: [] });
      await events();

      const heir = await idOf(cast.admin);
      await cast.owner.patch(`/v1/organisations/${cast.orgId}/members/${heir}`, { role: 'OWNER' });
      await cast.owner.get(`/v1/organisations/${cast.orgId}`, 404);
      expect(await memberBy(cast.admin, owner)).toMatchObject({ role: null, retained_last_owner: false });
      expect(await events()).toEqual([
        { type: 'member.role_changed', ...eventData(heir, 'ADMIN', 'OWNER', 'manual') },
        { type: 'member.removed', ...eventData(owner, 'OWNER', null, 'released_last_owner') },
      ]);
      expect(await syncOf(cast.admin, cast.orgId)).toMatchObject({ unchanged: 1, changes: [] });
    });

    it('does not count an OWNER that cannot sign in, until they have an address', async () => {
      const owner = await idOf(cast.owner);
      await activate((await provision(owner)).id, false);
      const heir = await provision();
      await sql(`UPDATE users SET email = NULL WHERE id = $1`, heir.userId);
      const mapping_id = await map(await group(heir.id), 'OWNER');
      await settings('allow_owner_mapping = true');
      const { changes, retained } = await sync();
      expect(retained).toBe(1);
      expect(changes).toContainEqual(changed(owner, 'retained', 'OWNER', 'OWNER', 'last_owner'));
      expect(changes).toContainEqual(expect.objectContaining({ user_id: heir.userId, change: 'joined', mapping_id }));
      expect(await member(heir.userId)).toMatchObject({ role: 'OWNER' });
      expect(await sync()).toMatchObject({ unchanged: 2, changes: [] });

      await sql(`UPDATE users SET email = 'heir@example.com' WHERE id = $1`, heir.userId);
      expect(await change(sync(cast.admin))).toEqual(changed(owner, 'removed', 'OWNER', null, 'deactivated'));
    });

    it('releases the retained one in the same run that creates another by a mapping', async () => {
      const owner = await idOf(cast.owner);
      const entry = await provision(owner);
      await activate(entry.id, false);
      await sync();
      const heir = await provision(await idOf(cast.admin));
      const mapping_id = await map(await group(heir.id), 'OWNER');
      await settings('allow_owner_mapping = true');
      const { changes } = await sync(cast.admin);
      expect(changes).toHaveLength(2);
      expect(changes).toContainEqual(changed(owner, 'removed', 'OWNER', null, 'deactivated'));
      expect(changes).toContainEqual(expect.objectContaining({ user_id: heir.userId, change: 'promoted', mapping_id }));
    });

    it('makes a retained one a normal OWNER again when the directory reactivates them', async () => {
      const owner = await idOf(cast.owner);
      const { id } = await provision(owner);
      await activate(id, false);
      await sync();
      await activate(id, true);
      expect(await sync()).toMatchObject({ scanned: 1, unchanged: 1, changes: [] });
      expect(await member(owner)).toMatchObject({ role: 'OWNER', scim_role: 'MEMBER', retained_last_owner: false });
    });

    it('retains only one: active before inactive, then the longest member', async () => {
      const owner = await idOf(cast.owner);
      await activate((await provision(owner)).id, false);
      const [older, newer] = [
        await createMembership(test.dataSource, cast.orgId, { scim: 'OWNER', createdAt: '2025-01-02T00:00:00Z' }),
        await createMembership(test.dataSource, cast.orgId, { scim: 'OWNER', createdAt: '2025-01-03T00:00:00Z' }),
      ];
      for (const userId of [newer, older]) await provision(userId);
      const run = await sync(cast.admin);
      expect(run).toMatchObject({ scanned: 3, retained: 1, removed: 1, demoted: 1 });
      expect(run.changes).toContainEqual(changed(older, 'retained', 'OWNER', 'OWNER', 'last_owner'));
    });

    it('retains nobody if another OWNER remains who is not in the directory', async () => {
      const { id, userId } = await provision(await idOf(cast.admin));
      await cast.owner.patch(`/v1/organisations/${cast.orgId}/members/${userId}`, { role: 'OWNER' });
      await activate(id, false);
      expect(await change(sync())).toEqual(changed(userId, 'removed', 'OWNER', null, 'deactivated'));
    });

    it('is refused under the policy "refuse", and changes nothing', async () => {
      await settings(`last_owner_policy = 'refuse'`);
      const { id } = await provision(await idOf(cast.owner));
      await provision();
      await activate(id, false);
      const everything = async () => [
        await storedMemberships(test.dataSource),
        await sql(`SELECT count(*) FROM events`),
        await sql(`SELECT count(*) FROM scim_sync_runs`),
        await sql(`SELECT count(*) FROM scim_sync_changes`),
      ];
      const before = await everything();
      const refused = await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 409);
      expect(refused.body).toMatchObject({ code: 'last_owner' });
      expect(refused.headers.location).toBeUndefined();
      expect(await everything()).toEqual(before);

      await cast.owner.patch(`/v1/organisations/${cast.orgId}/members/${await idOf(cast.admin)}`, { role: 'OWNER' });
      expect(await syncOf(cast.admin, cast.orgId)).toMatchObject({ joined: 1, removed: 1, retained: 0 });
    });
  });

  it('uses the default settings if an organisation has none', async () => {
    await sql(`DELETE FROM scim_settings WHERE org_id = $1`, cast.orgId);
    const { id } = await provision();
    await map(await group(id), 'OWNER');
    expect(await change(sync())).toMatchObject({ change: 'joined', role_after: 'MEMBER', reason: 'default_role' });
  });

  it('handles people with several entries', async () => {
    const userId = newId();
    await createScimUser(test.dataSource, cast.orgId, { deleted: true });
    await sql(`INSERT INTO users (id) VALUES ($1)`, userId);
    for (const deleted of [true, true, false]) {
      await createScimUser(test.dataSource, cast.orgId, { userId, deleted });
    }
    const run = await sync();
    expect(run).toMatchObject({ scanned: 1, joined: 1 });
    expect(run.changes).toEqual([changed(userId, 'joined', null, 'MEMBER', 'default_role')]);
  });
});
