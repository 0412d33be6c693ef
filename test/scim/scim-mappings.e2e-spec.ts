import { newId } from '../../src/database/id';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, createScimGroup, createScimUser, idOf } from '../support/factories';
import { codeOf, detailOf } from '../support/faults';
import { allPages } from '../support/pages';
import { MappingTable } from '../support/role-mappings';
import { statementsOf } from '../support/statements';

const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe('Role mappings', () => {
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

  describe('creating a role mapping', () => {
    it('by group id gives its members the role at once, with an event and an audit entry', async () => {
      const { id, name, people } = await table.groupOf(2);
      const answer = await cast.admin.post(table.path, { group_id: id, role: 'ADMIN' }, 201, {
        'X-Request-Id': 'map-1',
      });
      const mapping = answer.body;
      expect(mapping).toEqual({
        id: mapping.id,
        group_id: id,
        group_name: name,
        state: 'bound',
        role: 'ADMIN',
        has_effect: true,
        member_count: 2,
        created_at: instant,
        updated_at: mapping.created_at,
      });
      expect(answer.headers.location).toBe(`${table.path}/${mapping.id}`);
      expect(await table.read(mapping.id)).toEqual(mapping);
      expect(await Promise.all(people.map((userId) => table.roleOf(userId)))).toEqual(['ADMIN', 'ADMIN']);
      const [first, ...others] = await table.events();
      expect(first).toEqual(table.event(mapping, 'created', 'ADMIN', null));
      expect(others).toHaveLength(2);
      expect(others).toEqual(
        expect.arrayContaining(people.map((userId) => table.toldOfMember(userId, 'MEMBER', 'ADMIN', 'mapping'))),
      );
      expect(await table.audited(mapping.id)).toEqual([
        {
          action: 'role_mapping.created',
          actor_id: await idOf(cast.admin),
          before: null,
          after: { group_id: id, group_name: name, role: 'ADMIN' },
          request_id: 'map-1',
        },
      ]);
    });

    it('by name binds at once to the existing group, ignoring case', async () => {
      const { id, people } = await table.groupOf(1, 'Straße & Ünits');
      const mapping = await table.map({ group_name: 'straße & ünITS', role: 'ADMIN' });
      expect(mapping).toMatchObject({ group_id: id, group_name: 'Straße & Ünits', state: 'bound', has_effect: true });
      expect(await table.roleOf(people[0])).toBe('ADMIN');
    });

    it('by an unknown name waits for the group, and changes no role', async () => {
      const { people } = await table.groupOf(1, 'Others');
      const mapping = await table.map({ group_name: 'Platform engineers', role: 'ADMIN' });
      expect(mapping).toMatchObject({
        group_id: null,
        group_name: 'Platform engineers',
        state: 'waiting',
        role: 'ADMIN',
        has_effect: false,
        member_count: null,
      });
      expect(await table.roleOf(people[0])).toBe('MEMBER');
      expect(await table.events()).toEqual([table.event(mapping, 'created', 'ADMIN', null)]);
    });

    it('does not match groups of other organisations', async () => {
      const other = await createCast(test);
      const group = await createScimGroup(test.dataSource, other.orgId);
      await sql(`UPDATE scim_groups SET display_name = 'Shared name' WHERE id = $1`, group);
      expect(await table.map({ group_name: 'Shared name', role: 'ADMIN' })).toMatchObject({ state: 'waiting' });
      const elsewhere = await other.owner.post(`/v1/organisations/${other.orgId}/scim/role-mappings`, {
        group_name: 'Shared name',
        role: 'MEMBER',
      });
      expect(elsewhere.body).toMatchObject({ group_id: group });
    });

    it('gives the highest role of several mapped groups, and does not lower a manual role', async () => {
      const { id, people } = await table.groupOf(1);
      const [entry] = await sql<{ id: string }>(`SELECT id FROM scim_users WHERE user_id = $1`, people[0]);
      const second = await createScimGroup(test.dataSource, cast.orgId, [entry?.id ?? '']);
      await table.map({ group_id: id, role: 'ADMIN' });
      await table.map({ group_id: second, role: 'MEMBER' });
      expect(await table.roleOf(people[0])).toBe('ADMIN');
      const owner = await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(cast.owner) });
      const third = await createScimGroup(test.dataSource, cast.orgId, [owner.id]);
      await table.map({ group_id: third, role: 'MEMBER' });
      expect(await table.roleOf(owner.userId)).toBe('OWNER');
    });

    it('requires a group of this organisation', async () => {
      const other = await createCast(test);
      const foreign = await createScimGroup(test.dataSource, other.orgId);
      for (const group_id of [newId(), foreign]) {
        const refused = await cast.owner.post(table.path, { group_id, role: 'MEMBER' }, 404);
        expect(refused.body).toEqual({
          detail: `Directory group ${group_id} was not found.`,
          code: 'scim_group_not_found',
        });
      }
    });

    it('is possible only once per group, by id or by name', async () => {
      const { id } = await table.groupOf(0, 'Designers');
      await table.map({ group_id: id, role: 'ADMIN' });
      for (const body of [{ group_id: id }, { group_name: 'designers' }]) {
        const refused = await cast.owner.post(table.path, { ...body, role: 'MEMBER' }, 409);
        expect(refused.body).toEqual({
          detail: 'This group already has a role mapping; change that one.',
          code: 'role_mapping_conflict',
        });
      }
    });

    it('is possible only once per waiting name, ignoring case', async () => {
      const waiting = await table.map({ group_name: 'Zürich', role: 'ADMIN' });
      const refused = await cast.owner.post(table.path, { group_name: 'ZÜRICH', role: 'MEMBER' }, 409);
      expect(codeOf(refused)).toBe('role_mapping_conflict');
      expect(detailOf(refused)).toContain(waiting.id);
      // Neither a pattern nor a prefix.
      expect(await table.map({ group_name: 'Zü%', role: 'MEMBER' })).toMatchObject({ state: 'waiting' });
    });

    it.each(['group_id', 'group_name'])('succeeds for only one of many concurrent requests by %s', async (by) => {
      const { id } = await table.groupOf(0);
      const body = { [by]: by === 'group_id' ? id : 'Not there yet', role: 'ADMIN' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => cast.owner.call('post', table.path, undefined, body)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
      expect(await allPages(cast.owner, table.path)).toHaveLength(1);
    });

    it('by an ambiguous name requires an id, and the error lists them', async () => {
      const [first, second] = [await table.groupOf(0, 'Sales'), await table.groupOf(0, 'SALES')];
      const refused = await cast.owner.post(table.path, { group_name: 'sales', role: 'ADMIN' }, 409);
      expect(codeOf(refused)).toBe('role_mapping_conflict');
      expect(detailOf(refused)).toBe(
        `Several groups have this name; give the group_id of one: ${[first.id, second.id].sort().join(', ')}.`,
      );
      await sql(
        `INSERT INTO scim_groups (id, org_id, display_name) SELECT uuid_v7(), $1, 'Sales' FROM generate_series(1, 50)`,
        cast.orgId,
      );
      const many = detailOf(await cast.owner.post(table.path, { group_name: 'sales', role: 'ADMIN' }, 409));
      expect(many.match(/[0-9a-f-]{36}/g)).toHaveLength(10);
      expect(many).toMatch(/, …$/);
      expect(await table.map({ group_id: second.id, role: 'ADMIN' })).toMatchObject({ group_id: second.id });
    });

    it.each([
      ['neither group_id nor group_name', { role: 'MEMBER' }, ['body.group_id missing']],
      ['null for both', { group_id: null, group_name: null, role: 'MEMBER' }, ['body.group_id missing']],
      ['both', { group_id: newId(), group_name: 'Sales', role: 'MEMBER' }, ['body.group_id value_error']],
      ['no role', { group_name: 'Sales' }, ['body.role missing']],
      ['an empty name', { group_name: '', role: 'ADMIN' }, ['body.group_name string_too_short']],
      ['white space at the end of a name', { group_name: 'Sales ', role: 'ADMIN' }, ['body.group_name value_error']],
      ['white space at its start', { group_name: '\tSales', role: 'ADMIN' }, ['body.group_name value_error']],
      ['a name that is too long', { group_name: 'x'.repeat(513), role: 'ADMIN' }, ['body.group_name string_too_long']],
      [
        'several errors at once',
        { group_id: '7', role: 'KING', state: 'bound' },
        ['body.group_id uuid_parsing', 'body.role enum', 'body.state extra_forbidden'],
      ],
    ])('rejects %s', async (_, body, faults) => {
      const { detail } = (await cast.owner.post(table.path, body, 422)).body;
      expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()).toEqual(faults);
    });

    it('accepts the longest possible group name', async () => {
      const group_name = '\u{1F6E0}'.repeat(512);
      expect(await table.map({ group_name, role: 'ADMIN' })).toMatchObject({ group_name, state: 'waiting' });
    });
  });

  describe('that do not exist', () => {
    it('are not found, by any operation', async () => {
      const other = await createCast(test);
      const foreign = await other.owner.post(`/v1/organisations/${other.orgId}/scim/role-mappings`, {
        group_name: 'Theirs',
        role: 'ADMIN',
      });
      for (const id of [newId(), foreign.body.id]) {
        const answers = [
          await cast.owner.get(`${table.path}/${id}`, 404),
          await cast.owner.patch(`${table.path}/${id}`, { role: 'MEMBER' }, 404),
          await cast.owner.delete(`${table.path}/${id}`, 404),
        ];
        for (const { body } of answers) {
          expect(body).toEqual({ detail: `Role mapping ${id} was not found.`, code: 'role_mapping_not_found' });
        }
      }
      const theirs = await other.owner.get(`/v1/organisations/${other.orgId}/scim/role-mappings`);
      expect(theirs.body).toEqual([foreign.body]);
    });
  });

  describe('listing role mappings', () => {
    it('returns all of the organisation, oldest first, with current group names and sizes', async () => {
      const { id } = await table.groupOf(3, 'Before');
      const mappings = [
        await table.map({ group_name: 'Waits', role: 'MEMBER' }),
        await table.map({ group_id: id, role: 'ADMIN' }),
        await table.map({ group_name: 'Waits too', role: 'ADMIN' }),
      ];
      await sql(`UPDATE scim_groups SET display_name = 'After' WHERE id = $1`, id);
      await sql(
        `DELETE FROM scim_group_members WHERE ctid = (SELECT max(ctid) FROM scim_group_members WHERE group_id = $1)`,
        id,
      );
      const pages = await allPages(cast.admin, `${table.path}?limit=2`);
      expect(pages).toEqual([mappings[0], { ...mappings[1], group_name: 'After', member_count: 2 }, mappings[2]]);
    });

    it('takes one statement, however many mappings and members there are', async () => {
      const count = async () =>
        (await statementsOf(test, () => cast.owner.get(`${table.path}?limit=100`))).filter(({ sql }) =>
          sql.includes('scim_role_mappings'),
        ).length;
      await table.map({ group_id: (await table.groupOf(1)).id, role: 'ADMIN' });
      expect(await count()).toBe(1);
      for (let n = 0; n < 5; n++) await table.map({ group_id: (await table.groupOf(3)).id, role: 'ADMIN' });
      expect(await count()).toBe(1);
    });
  });
});
