import { createTestApp, TestApp } from '../support/app';
import type { Told } from '../support/organisations';
import { newGroup } from '../support/scim';
import { Directory } from '../support/scim-directory';

describe('SCIM groups and role mappings', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    directory = await Directory.create(test);
  });

  const createUser = async (fields: object = {}) => (await directory.createUser(fields)).id;

  describe('bind role mappings', () => {
    const mappingEvents = (list: Told[]) =>
      list.filter(({ type }) => type === 'scim.role_mapping_changed').map(({ data }) => data);

    async function audited(): Promise<object[]> {
      return test.dataSource.query(
        `SELECT action, actor_type, actor_id, subject_id, before, after FROM audit_log
         WHERE org_id = $1 AND subject_type = 'role_mapping' ORDER BY id`,
        [directory.provider.orgId],
      );
    }

    it('that wait for their name, in any case, on creation', async () => {
      const waiting = await directory.map({ name: 'platform Engineers', role: 'ADMIN' });
      const ada = await createUser();
      const { id } = await directory.createGroup([ada], { displayName: 'Platform engineers' });
      expect(await directory.mapping(waiting)).toMatchObject({ group_id: id, group_name: 'Platform engineers' });
      expect(await directory.roleOf(ada)).toBe('ADMIN');
      expect(mappingEvents(await directory.events())).toEqual([
        {
          org_id: directory.provider.orgId,
          mapping_id: waiting,
          change: 'updated',
          group_id: id,
          group_name: 'Platform engineers',
          role: 'ADMIN',
          role_before: 'ADMIN',
        },
      ]);
      expect(await audited()).toEqual([
        {
          action: 'role_mapping.updated',
          actor_type: 'scim_token',
          actor_id: directory.provider.tokenId,
          subject_id: waiting,
          before: { group_id: null, group_name: 'platform Engineers', role: 'ADMIN' },
          after: { group_id: id, group_name: 'Platform engineers', role: 'ADMIN' },
        },
      ]);
    });

    it('that wait for their new name, with all of their members', async () => {
      const ada = await createUser();
      const bob = await createUser();
      const { id } = await directory.createGroup([ada]);
      const waiting = await directory.map({ name: 'Admins', role: 'ADMIN' });
      await directory.changeGroup(
        id,
        { op: 'replace', path: 'displayName', value: 'admins' },
        { op: 'add', path: 'members', value: [{ value: bob }] },
      );
      expect(await directory.mapping(waiting)).toMatchObject({ group_id: id, group_name: 'admins' });
      expect(await Promise.all([ada, bob].map((id) => directory.roleOf(id)))).toEqual(['ADMIN', 'ADMIN']);
    });

    it('but only the oldest waiting one, and none if they already have one', async () => {
      const young = await directory.map({ name: 'Admins', role: 'MEMBER', createdAt: '2026-02-01T00:00:00Z' });
      const old = await directory.map({ name: 'Admins', role: 'ADMIN', createdAt: '2026-01-01T00:00:00Z' });
      const { id: first } = await directory.createGroup([], { displayName: 'Admins' });
      expect([await directory.mapping(old), await directory.mapping(young)]).toMatchObject([
        { group_id: first },
        { group_id: null },
      ]);
      await directory.provider.api.put(directory.path(`Groups/${first}`), newGroup([], { displayName: 'admins' }), 200);
      expect(await directory.mapping(young)).toMatchObject({ group_id: null });
      const { id: second } = await directory.createGroup([], { displayName: 'Admins' });
      expect([await directory.mapping(old), await directory.mapping(young)]).toMatchObject([
        { group_id: first },
        { group_id: second },
      ]);
    });

    it('of their own organisation only', async () => {
      const waiting = await directory.map({ name: 'Admins', role: 'ADMIN' });
      const other = await Directory.create(test);
      await other.createGroup([], { displayName: 'Admins' });
      expect(await directory.mapping(waiting)).toMatchObject({ group_id: null });
    });

    it('which follow them when they are renamed', async () => {
      const ada = await createUser();
      const group = await directory.createGroup([ada], { displayName: 'Before' });
      const own = await directory.map({ groupId: group.id, name: 'Before', role: 'ADMIN' });
      const waiting = await directory.map({ name: 'After', role: 'MEMBER' });
      await directory.changeGroup(group.id, { op: 'replace', path: 'displayName', value: 'After' });
      expect(await directory.mapping(own)).toMatchObject({ group_id: group.id, group_name: 'After' });
      expect(await directory.mapping(waiting)).toMatchObject({ group_id: null });
      expect(mappingEvents(await directory.events())).toMatchObject([{ mapping_id: own, group_name: 'After' }]);
      expect(await audited()).toMatchObject([
        { before: { group_name: 'Before' }, after: { group_name: 'After' }, subject_id: own },
      ]);
    });

    it('which wait again, for the last name, when they are deleted', async () => {
      const ada = await createUser();
      const own = await directory.map({ name: 'Before', role: 'ADMIN' });
      const group = await directory.createGroup([ada], { displayName: 'Before' });
      await directory.changeGroup(group.id, { op: 'replace', path: 'displayName', value: 'After' });
      expect(await directory.roleOf(ada)).toBe('ADMIN');
      await directory.events();
      await directory.provider.api.delete(directory.path(`Groups/${group.id}`));
      expect(await directory.mapping(own)).toEqual({ id: own, group_id: null, group_name: 'After' });
      expect(await directory.roleOf(ada)).toBe('MEMBER');
      const happened = await directory.events();
      expect(happened.map(({ type }) => type).sort()).toEqual([
        'member.role_changed',
        'scim.group_deleted',
        'scim.role_mapping_changed',
      ]);
      expect(mappingEvents(happened)).toMatchObject([
        { mapping_id: own, group_id: null, group_name: 'After', role: 'ADMIN' },
      ]);
      const again = await directory.createGroup([ada], { displayName: 'after' });
      expect(await directory.mapping(own)).toMatchObject({ group_id: again.id });
      expect(await directory.roleOf(ada)).toBe('ADMIN');
    });
  });
});
