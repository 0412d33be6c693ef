import { newId } from '../../src/database/id';
import type { RoleMapping } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast } from '../support/factories';
import { detailOf } from '../support/faults';
import { createMembership } from '../support/organisations';
import { MappingTable } from '../support/role-mappings';

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

  describe('that lower the roles of many members', () => {
    /** Ten people who get ADMIN by a mapping; with the cast there are thirteen members. */
    async function tenAdmins(): Promise<{ mapping: RoleMapping; people: string[] }> {
      const { id, people } = await table.groupOf(10);
      return { mapping: await table.map({ group_id: id, role: 'ADMIN' }), people };
    }

    const stored = () =>
      Promise.all([
        sql(`SELECT ctid::text, xmin::text, * FROM memberships WHERE org_id = $1 ORDER BY user_id`, cast.orgId),
        sql(`SELECT ctid::text, xmin::text, * FROM scim_role_mappings WHERE org_id = $1 ORDER BY id`, cast.orgId),
        sql(`SELECT id FROM audit_log WHERE org_id = $1 ORDER BY id`, cast.orgId),
        sql(`SELECT id FROM events WHERE org_id = $1 ORDER BY id`, cast.orgId),
      ]);

    it('require confirmation, name the number, and change nothing until then', async () => {
      const { mapping } = await tenAdmins();
      const before = await stored();
      const expected = {
        detail:
          'This would demote 10 and remove 0 of 13 members. Nothing was changed. Send it again with confirm=true to confirm.',
        code: 'confirmation_required',
      };
      expect((await cast.owner.patch(`${table.path}/${mapping.id}`, { role: 'MEMBER' }, 409)).body).toEqual(expected);
      expect(
        (await cast.owner.patch(`${table.path}/${mapping.id}?confirm=false`, { role: 'MEMBER' }, 409)).body,
      ).toEqual(expected);
      expect((await cast.owner.delete(`${table.path}/${mapping.id}`, 409)).body).toEqual(expected);
      expect(await stored()).toEqual(before);
      expect(await table.read(mapping.id)).toEqual(mapping);
    });

    it('are applied once confirmed', async () => {
      const { mapping, people } = await tenAdmins();
      await cast.owner.patch(`${table.path}/${mapping.id}?confirm=true`, { role: 'MEMBER' });
      expect(new Set(await Promise.all(people.map((userId) => table.roleOf(userId))))).toEqual(new Set(['MEMBER']));
      await table.settings('default_role = NULL');
      const refused = await cast.owner.delete(`${table.path}/${mapping.id}`, 409);
      expect(detailOf(refused)).toMatch(/^This would demote 0 and remove 10 of 13 members\./);
      await cast.owner.delete(`${table.path}/${mapping.id}?confirm=yes`);
      expect(new Set(await Promise.all(people.map((userId) => table.roleOf(userId))))).toEqual(new Set([null]));
    });

    it('include new mappings, which can give less than the default role', async () => {
      await table.settings(`default_role = 'ADMIN'`);
      const { id, people } = await table.groupOf(7);
      const refused = await cast.owner.post(table.path, { group_id: id, role: 'MEMBER' }, 409);
      expect(refused.body).toMatchObject({ code: 'confirmation_required' });
      expect(detailOf(refused)).toMatch(/demote 7 and remove 0 of 10 members/);
      expect((await cast.owner.get(table.path)).body).toEqual([]);
      await cast.owner.post(`${table.path}?confirm=1`, { group_id: id, role: 'MEMBER' });
      expect(new Set(await Promise.all(people.map((userId) => table.roleOf(userId))))).toEqual(new Set(['MEMBER']));
    });

    it('need no confirmation for fewer than five members, or at most a fifth of them', async () => {
      const few = await table.groupOf(4);
      const small = await table.map({ group_id: few.id, role: 'ADMIN' });
      await cast.owner.patch(`${table.path}/${small.id}`, { role: 'MEMBER' });

      const some = await table.groupOf(5);
      const large = await table.map({ group_id: some.id, role: 'ADMIN' });
      // Five of 24 are more than a fifth, five of 25 are not.
      await Promise.all(
        Array.from({ length: 12 }, () => createMembership(test.dataSource, cast.orgId, { manual: 'MEMBER' })),
      );
      expect(detailOf(await cast.owner.patch(`${table.path}/${large.id}`, { role: 'MEMBER' }, 409))).toMatch(
        /of 24 members/,
      );
      await createMembership(test.dataSource, cast.orgId, { manual: 'MEMBER' });
      await cast.owner.patch(`${table.path}/${large.id}`, { role: 'MEMBER' });
    });

    it('do not count members who keep their role by hand', async () => {
      const { mapping, people } = await tenAdmins();
      for (const userId of people.slice(0, 6)) {
        await sql(
          `UPDATE memberships SET manual_role = 'ADMIN' WHERE org_id = $1 AND user_id = $2`,
          cast.orgId,
          userId,
        );
      }
      await cast.owner.delete(`${table.path}/${mapping.id}`);
    });

    it('require a valid boolean in confirm', async () => {
      const answer = await cast.owner.delete(`${table.path}/${newId()}?confirm=maybe`, 422);
      expect(answer.body).toMatchObject({ detail: [{ loc: ['query', 'confirm'], type: 'bool_parsing' }] });
    });
  });
});
