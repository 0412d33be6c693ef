import type { Response } from 'supertest';
import { newId } from '../../src/database/id';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { type Cast, createCast, createScimGroup, createScimUser, idOf, unique } from '../support/factories';
import { codeOf, detailOf } from '../support/faults';
import { createMembership, syncOf } from '../support/organisations';
import { MappingTable } from '../support/role-mappings';
import { statementsOf } from '../support/statements';

const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe('Changes of role mappings', () => {
  let test: TestApp;
  let cast: Cast;
  let table: MappingTable;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  beforeEach(async () => {
    cast = await createCast(test);
    table = new MappingTable(test, cast);
    await table.events();
  });

  afterAll(() => test.close());

  const sql = <T>(text: string, ...parameters: unknown[]): Promise<T[]> => test.dataSource.query<T[]>(text, parameters);

  describe('changing a role mapping', () => {
    it('gives the members of the group the new role, with an event and an audit entry', async () => {
      const { id, name, people } = await table.groupOf(1);
      const mapping = await table.map({ group_id: id, role: 'ADMIN' });
      await table.events();
      const answer = await cast.admin.patch(`${table.path}/${mapping.id}`, { role: 'MEMBER' });
      const changed = answer.body;
      expect(changed).toEqual({ ...mapping, role: 'MEMBER', updated_at: instant });
      expect(changed.updated_at > mapping.updated_at).toBe(true);
      expect(await table.read(mapping.id)).toEqual(changed);
      expect(await table.roleOf(people[0])).toBe('MEMBER');
      expect(await table.events()).toEqual([
        table.event(mapping, 'updated', 'MEMBER', 'ADMIN'),
        table.toldOfMember(people[0], 'ADMIN', 'MEMBER', 'mapping'),
      ]);
      expect((await table.audited(mapping.id)).at(-1)).toMatchObject({
        action: 'role_mapping.updated',
        before: { group_id: id, group_name: name, role: 'ADMIN' },
        after: { group_id: id, group_name: name, role: 'MEMBER' },
      });
    });

    it('to its current role changes nothing', async () => {
      const { id } = await table.groupOf(1);
      const mapping = await table.map({ group_id: id, role: 'ADMIN' });
      await table.events();
      expect((await cast.owner.patch(`${table.path}/${mapping.id}`, { role: 'ADMIN' })).body).toEqual(mapping);
      expect(await table.events()).toEqual([]);
      expect(await table.audited(mapping.id)).toHaveLength(1);
    });

    it('that waits is possible too', async () => {
      const mapping = await table.map({ group_name: 'Later', role: 'ADMIN' });
      expect((await cast.owner.patch(`${table.path}/${mapping.id}`, { role: 'MEMBER' })).body).toMatchObject({
        role: 'MEMBER',
        state: 'waiting',
      });
    });

    it.each([
      ['no role', {}, 'body.role missing'],
      ['null', { role: null }, 'body.role enum'],
      ['another group', { role: 'ADMIN', group_id: newId() }, 'body.group_id extra_forbidden'],
    ])('rejects %s', async (_, body, fault) => {
      const mapping = await table.map({ group_name: 'Later', role: 'ADMIN' });
      const { detail } = (await cast.owner.patch(`${table.path}/${mapping.id}`, body, 422)).body;
      expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([fault]);
    });
  });

  describe('deleting a role mapping', () => {
    it('leaves the default role, with an event and an audit entry', async () => {
      const { id, name, people } = await table.groupOf(1);
      const mapping = await table.map({ group_id: id, role: 'ADMIN' });
      await table.events();
      await cast.admin.delete(`${table.path}/${mapping.id}`);
      await cast.owner.get(`${table.path}/${mapping.id}`, 404);
      expect(await table.roleOf(people[0])).toBe('MEMBER');
      expect(await table.events()).toEqual([
        table.event(mapping, 'deleted', null, 'ADMIN'),
        table.toldOfMember(people[0], 'ADMIN', 'MEMBER', 'default_role'),
      ]);
      expect((await table.audited(mapping.id)).at(-1)).toMatchObject({
        action: 'role_mapping.deleted',
        before: { group_id: id, group_name: name, role: 'ADMIN' },
        after: null,
      });
    });

    it('keeps manual roles, and ends the membership of those who have no other role', async () => {
      await table.settings('default_role = NULL');
      const { id, people } = await table.groupOf(2);
      const [manual, bare] = people as [string, string];
      await createMembership(test.dataSource, cast.orgId, { userId: manual, manual: 'MEMBER' });
      const mapping = await table.map({ group_id: id, role: 'ADMIN' });
      expect(await Promise.all([manual, bare].map((userId) => table.roleOf(userId)))).toEqual(['ADMIN', 'ADMIN']);
      await cast.owner.delete(`${table.path}/${mapping.id}`);
      expect(await Promise.all([manual, bare].map((userId) => table.roleOf(userId)))).toEqual(['MEMBER', null]);
      expect(await sql(`SELECT FROM memberships WHERE user_id = $1`, bare)).toEqual([]);
    });

    it('binds the group to the mapping that waits for its name, as preview and explanation predict', async () => {
      const group = await table.groupOf(1, 'Before');
      const [person = ''] = group.people;
      const own = await table.map({ group_id: group.id, role: 'ADMIN' });
      const later = await table.map({ group_name: 'CREW', role: 'MEMBER' });
      await table.settings('default_role = NULL');
      await sql(`UPDATE scim_groups SET display_name = 'Crew' WHERE id = $1`, group.id);
      await table.events();
      const foretold = await cast.owner.post(
        `/v1/organisations/${cast.orgId}/scim/sync/preview`,
        { role_mappings: { delete: [own.id] } },
        200,
      );
      const bound = { user_id: person, role_after: 'MEMBER', mapping_id: later.id, group_id: group.id };
      expect(foretold.body.changes).toMatchObject([bound]);
      const explained = await cast.owner.get(`/v1/organisations/${cast.orgId}/members/${person}/role-explanation`);
      expect(explained.body.without_mapping).toEqual({
        role: 'MEMBER',
        reason: 'mapping',
        mapping_id: later.id,
      });

      await cast.owner.delete(`${table.path}/${own.id}`);
      const now = await table.read(later.id);
      expect(now).toMatchObject({ group_id: group.id, group_name: 'Crew', state: 'bound', member_count: 1 });
      expect(await table.roleOf(person)).toBe('MEMBER');
      expect(await table.events()).toEqual([
        table.event({ ...own, group_name: 'Crew' }, 'deleted', null, 'ADMIN'),
        table.event(now, 'updated', 'MEMBER', 'MEMBER'),
        table.toldOfMember(person, 'ADMIN', 'MEMBER', 'mapping'),
      ]);
      expect((await table.audited(later.id)).at(-1)).toMatchObject({
        action: 'role_mapping.updated',
        before: { group_id: null, group_name: 'CREW', role: 'MEMBER' },
        after: { group_id: group.id, group_name: 'Crew', role: 'MEMBER' },
      });
    });

    it('requires an OWNER if a waiting mapping then gives OWNER', async () => {
      await table.settings('allow_owner_mapping = true');
      const { id, people } = await table.groupOf(1, 'Before');
      const own = await table.map({ group_id: id, role: 'MEMBER' });
      const later = await table.map({ group_name: 'Founders', role: 'OWNER' });
      await sql(`UPDATE scim_groups SET display_name = 'Founders' WHERE id = $1`, id);
      expect(codeOf(await cast.admin.delete(`${table.path}/${own.id}`, 403))).toBe('insufficient_role');
      expect(await table.read(later.id)).toMatchObject({ state: 'waiting' });
      await cast.owner.delete(`${table.path}/${own.id}`);
      expect(await table.roleOf(people[0])).toBe('OWNER');
    });

    it('retains the last OWNER, or is refused, depending on the policy', async () => {
      await table.settings('allow_owner_mapping = true');
      const api = await test.as(unique('heir'));
      const { id: entry, userId: heir } = await createScimUser(test.dataSource, cast.orgId, {
        userId: await idOf(api),
      });
      const mapping = await table.map({
        group_id: await createScimGroup(test.dataSource, cast.orgId, [entry]),
        role: 'OWNER',
      });
      // The other OWNER leaves, so that only the mapping gives one.
      await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${await idOf(cast.owner)}`);

      await table.settings(`last_owner_policy = 'refuse'`);
      await table.events();
      const refused = await api.delete(`${table.path}/${mapping.id}`, 409);
      expect(codeOf(refused)).toBe('last_owner');
      expect((await api.get(`${table.path}/${mapping.id}`)).body).toEqual(mapping);
      expect(await table.events()).toEqual([]);
      expect(await table.audited(mapping.id)).toHaveLength(1);

      await table.settings(`last_owner_policy = 'retain'`);
      await api.delete(`${table.path}/${mapping.id}`);
      expect((await api.get(`/v1/organisations/${cast.orgId}/members/${heir}`)).body).toMatchObject({
        role: 'OWNER',
        scim_role: 'MEMBER',
        retained_last_owner: true,
      });
    });
  });

  describe('a role mapping to OWNER', () => {
    it('requires allow_owner_mapping', async () => {
      const { id, people } = await table.groupOf(1);
      const refused = await cast.owner.post(table.path, { group_id: id, role: 'OWNER' }, 409);
      expect(codeOf(refused)).toBe('role_mapping_conflict');
      expect(detailOf(refused)).toContain('allow_owner_mapping');
      await cast.owner.post(table.path, { group_name: 'Later', role: 'OWNER' }, 409);
      const mapping = await table.map({ group_id: id, role: 'ADMIN' });
      await cast.owner.patch(`${table.path}/${mapping.id}`, { role: 'OWNER' }, 409);
      expect(await table.read(mapping.id)).toEqual(mapping);

      await table.settings('allow_owner_mapping = true');
      await cast.owner.patch(`${table.path}/${mapping.id}`, { role: 'OWNER' });
      expect(await table.roleOf(people[0])).toBe('OWNER');
    });

    it('can be created, changed and deleted only by an OWNER: an ADMIN could promote themself', async () => {
      await table.settings('allow_owner_mapping = true');
      const { id } = await table.groupOf(1);
      const byAdmin = async (call: Promise<Response>) => expect(codeOf(await call)).toBe('insufficient_role');
      await byAdmin(cast.admin.post(table.path, { group_id: id, role: 'OWNER' }, 403));
      await byAdmin(cast.admin.post(table.path, { group_name: 'Later', role: 'OWNER' }, 403));
      const lower = await table.map({ group_id: id, role: 'ADMIN' }, cast.admin);
      await byAdmin(cast.admin.patch(`${table.path}/${lower.id}`, { role: 'OWNER' }, 403));
      await cast.owner.patch(`${table.path}/${lower.id}`, { role: 'OWNER' });
      await byAdmin(cast.admin.patch(`${table.path}/${lower.id}`, { role: 'ADMIN' }, 403));
      await byAdmin(cast.admin.patch(`${table.path}/${lower.id}`, { role: 'OWNER' }, 403));
      await byAdmin(cast.admin.delete(`${table.path}/${lower.id}`, 403));
      expect(await table.read(lower.id)).toMatchObject({ role: 'OWNER' });
      await cast.owner.delete(`${table.path}/${lower.id}`);
    });

    it('has no effect once allow_owner_mapping is off, and says so', async () => {
      await table.settings('allow_owner_mapping = true');
      const { id } = await table.groupOf(1);
      const mapping = await table.map({ group_id: id, role: 'OWNER' });
      expect(mapping).toMatchObject({ role: 'OWNER', has_effect: true });
      await table.settings('allow_owner_mapping = false');
      expect(await table.read(mapping.id)).toMatchObject({ role: 'OWNER', state: 'bound', has_effect: false });
      // Setting the current role is not a change, so it needs no permission.
      expect((await cast.owner.patch(`${table.path}/${mapping.id}`, { role: 'OWNER' })).body).toMatchObject({
        role: 'OWNER',
        updated_at: mapping.updated_at,
      });
    });

    it('releases a retained OWNER as soon as it creates another one', async () => {
      await table.settings('allow_owner_mapping = true');
      const retained = await createScimUser(test.dataSource, cast.orgId, {
        userId: await idOf(cast.owner),
        active: false,
      });
      await syncOf(cast.owner, cast.orgId);
      expect(await table.roleOf(retained.userId)).toBe('OWNER');
      const { id, people } = await table.groupOf(1);
      await cast.owner.post(table.path, { group_id: id, role: 'OWNER' });
      const [heir] = people;
      expect(
        await sql(
          `SELECT user_id, role, retained_last_owner FROM memberships WHERE org_id = $1 AND user_id = ANY ($2) ORDER BY role`,
          cast.orgId,
          [retained.userId, heir],
        ),
      ).toEqual([
        { user_id: heir, role: 'OWNER', retained_last_owner: false },
        { user_id: retained.userId, role: null, retained_last_owner: false },
      ]);
    });
  });

  describe('take a constant number of statements', () => {
    it('however many people are in the group', async () => {
      const count = async (size: number) => {
        const { id } = await table.groupOf(size);
        const statements = await statementsOf(test, async () => {
          const { id: mappingId } = await table.map({ group_id: id, role: 'ADMIN' });
          await cast.owner.patch(`${table.path}/${mappingId}?confirm=true`, { role: 'MEMBER' });
          await cast.owner.delete(`${table.path}/${mappingId}?confirm=true`);
        });
        return statements.length;
      };
      // From five people who lose something, the members are counted.
      const few = await count(5);
      expect(await count(60)).toBe(few);
    });
  });

  describe('by a caller who loses the role meanwhile', () => {
    it.each<['post' | 'put', string, object | undefined]>([
      ['post', 'role-mappings', { group_name: 'Later', role: 'ADMIN' }],
      ['put', 'settings', { default_role: null, allow_owner_mapping: false, last_owner_policy: 'retain' }],
      ['post', 'sync', undefined],
      ['post', 'tokens', { name: 'Later' }],
    ])('are refused, even if the request was sent in time: %s %s', async (method, path, body) => {
      const { people } = await table.groupOf(1);
      await sql(`UPDATE scim_users SET active = false WHERE user_id = $1`, people[0]);
      const runner = test.dataSource.createQueryRunner();
      await runner.startTransaction();
      try {
        await runner.query(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [cast.orgId]);
        const waiting = cast.admin.call(method, `/v1/organisations/${cast.orgId}/scim/${path}`, undefined, body);
        await eventually(
          () =>
            test.dataSource.query<object[]>(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            ),
          (sessions) => sessions.length > 0,
          10_000,
        );
        await runner.query(
          `UPDATE memberships SET manual_role = 'MEMBER', role = 'MEMBER' WHERE org_id = $1 AND user_id = $2`,
          [cast.orgId, await idOf(cast.admin)],
        );
        await runner.commitTransaction();
        const answer = await waiting;
        expect([answer.status, codeOf(answer)]).toEqual([403, 'insufficient_role']);
      } finally {
        await runner.release();
      }
      expect((await cast.owner.get(table.path)).body).toEqual([]);
      expect(await table.roleOf(people[0])).toBe('MEMBER');
    });
  });
});
