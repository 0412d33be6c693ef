import { ROLES, type Role } from '../../src/organisations/members/role';
import { MEMBER_REASONS } from '../../src/scim/roles/members/listed-member.dto';
import type { Api } from '../support/api';
import type { ListedMember } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, createRoleMapping, createScimGroup, createScimUser, idOf } from '../support/factories';
import { createMembership, syncOf } from '../support/organisations';
import { allPages } from '../support/pages';
import { statementsOf } from '../support/statements';
import type { Query } from '../support/typed-paths';

/** Why each member of a list has the role, and how one member of very many is found. */
describe('The list of the members', () => {
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  beforeEach(async () => {
    cast = await createCast(test);
  });

  afterAll(() => test.close());

  const sql = <T>(text: string, ...parameters: unknown[]): Promise<T[]> => test.dataSource.query<T[]>(text, parameters);
  const list = (query: Query = '', by: Api = cast.admin): Promise<ListedMember[]> =>
    allPages(by, `/v1/organisations/${cast.orgId}/members${query}`);
  const idsOf = async (query: Query, by: Api = cast.admin) => (await list(query, by)).map(({ user_id }) => user_id);
  const provision = (fields: Parameters<typeof createScimUser>[2] = {}) =>
    createScimUser(test.dataSource, cast.orgId, fields);
  const map = (groupId: string, role: Role) => createRoleMapping(test.dataSource, cast.orgId, groupId, role);
  const withManualRole = (userId: string, role: Role) =>
    sql(
      `UPDATE memberships SET manual_role = $3, role = GREATEST($3, scim_role) WHERE org_id = $1 AND user_id = $2`,
      cast.orgId,
      userId,
      role,
    );

  /** One member for each reason, and what is in the list about them. */
  async function oneOfEach(): Promise<Record<string, string>> {
    const [mapped, plain, both, deactivated, deleted] = [
      await provision(),
      await provision(),
      await provision(),
      await provision(),
      await provision(),
    ];
    const groupId = await createScimGroup(test.dataSource, cast.orgId, [mapped.id]);
    await sql(`UPDATE scim_groups SET display_name = 'Platform' WHERE id = $1`, groupId);
    const mappingId = await map(groupId, 'ADMIN');
    await map(await createScimGroup(test.dataSource, cast.orgId, [plain.id]), 'OWNER');
    await syncOf(cast.owner, cast.orgId);
    await withManualRole(mapped.userId, 'ADMIN');
    await withManualRole(both.userId, 'ADMIN');
    await withManualRole(deactivated.userId, 'MEMBER');
    await withManualRole(deleted.userId, 'MEMBER');
    await sql(`UPDATE scim_users SET active = false WHERE id = $1`, deactivated.id);
    await sql(`UPDATE scim_users SET deleted_at = now() WHERE id = $1`, deleted.id);
    await syncOf(cast.owner, cast.orgId);
    return {
      mapped: mapped.userId,
      plain: plain.userId,
      both: both.userId,
      deactivated: deactivated.userId,
      deleted: deleted.userId,
      groupId,
      mappingId,
    };
  }

  it('says why each member has the role, by as many statements for many as for one', async () => {
    const people = await oneOfEach();
    const byId = new Map((await list()).map((member) => [member.user_id, member]));
    const none = { mapping_id: null, group_id: null, group_name: null };
    expect(byId.get(people.mapped ?? '')).toMatchObject({
      role: 'ADMIN',
      reason: 'mapping',
      mapping_id: people.mappingId,
      group_id: people.groupId,
      group_name: 'Platform',
      account_state: 'WAITING',
    });
    // A mapping to OWNER does not count unless that is allowed.
    expect(byId.get(people.plain ?? '')).toMatchObject({ role: 'MEMBER', reason: 'default_role', ...none });
    expect(byId.get(people.both ?? '')).toMatchObject({ role: 'ADMIN', reason: 'manual', ...none });
    expect(byId.get(people.deactivated ?? '')).toMatchObject({ role: null, reason: 'deactivated', ...none });
    expect(byId.get(people.deleted ?? '')).toMatchObject({ role: null, reason: 'deleted', ...none });
    expect(byId.get(await idOf(cast.owner))).toMatchObject({ reason: 'manual', account_state: 'CLAIMED', ...none });

    const path = `/v1/organisations/${cast.orgId}/members` as const;
    const statements = async (query: Query) =>
      (await statementsOf(test, () => cast.admin.get(`${path}${query}`))).length;
    expect(await statements('?limit=100')).toBe(await statements('?limit=1'));
  });

  it('tells members no group and nothing of accounts', async () => {
    const people = await oneOfEach();
    const mapped = (await list('', cast.member)).find(({ user_id }) => user_id === people.mapped);
    expect(mapped).toMatchObject({
      role: 'ADMIN',
      reason: 'mapping',
      mapping_id: null,
      group_id: null,
      group_name: null,
      account_state: null,
    });
  });

  it('can be filtered by each reason, so that the parts are the whole', async () => {
    const people = await oneOfEach();
    await sql(`UPDATE memberships SET retained_last_owner = false WHERE org_id = $1`, cast.orgId);
    const everybody = await list('?limit=2');
    const parts = await Promise.all(
      MEMBER_REASONS.map(async (reason) => [reason, await idsOf(`?limit=1&reason=${reason}`)] as const),
    );
    expect(Object.fromEntries(parts)).toEqual(
      Object.fromEntries(
        MEMBER_REASONS.map((reason) => [
          reason,
          everybody.filter((member) => member.reason === reason).map(({ user_id }) => user_id),
        ]),
      ),
    );
    expect(parts.flatMap(([, ids]) => ids).sort()).toEqual(everybody.map(({ user_id }) => user_id));
    expect(await idsOf('?reason=manual&role=ADMIN')).toEqual([await idOf(cast.admin), people.both].sort());
    await cast.admin.get(`/v1/organisations/${cast.orgId}/members?reason=pending`, 422);
    await sql(`UPDATE scim_settings SET allow_owner_mapping = true WHERE org_id = $1`, cast.orgId);
    await syncOf(cast.owner, cast.orgId);
    expect(await idsOf('?reason=mapping')).toEqual([people.mapped, people.plain].sort());
    expect(await idsOf('?reason=default_role')).toEqual([]);
  });

  it('can be filtered by who is kept as the last owner', async () => {
    const owner = await idOf(cast.owner);
    await provision({ userId: owner, active: false });
    await syncOf(cast.owner, cast.orgId);
    expect(await idsOf('?reason=last_owner')).toEqual([owner]);
    expect((await list('?reason=last_owner'))[0]).toMatchObject({ role: 'OWNER', reason: 'last_owner' });
    expect(await idsOf('?reason=deactivated')).toEqual([]);
  });

  it('is searched by the beginnings of words, in accounts and in the directory of this organisation alone', async () => {
    const ada = await createMembership(test.dataSource, cast.orgId, { manual: 'MEMBER' });
    await sql(`UPDATE users SET name = 'Ada Lovelace', email = 'ada.l@acme.example' WHERE id = $1`, ada);
    const bob = await provision();
    await sql(`UPDATE scim_users SET display_name = 'Bob Émile-Stone' WHERE id = $1`, bob.id);
    const cem = await provision();
    await sql(`UPDATE scim_users SET attributes = '{"name": {"formatted": "Cem Öz"}}' WHERE id = $1`, cem.id);
    await syncOf(cast.owner, cast.orgId);
    const other = await createCast(test);
    const elsewhere = await createScimUser(test.dataSource, other.orgId, { userId: ada });
    await sql(`UPDATE scim_users SET display_name = 'Countess' WHERE id = $1`, elsewhere.id);

    for (const search of ['ada', 'LOVE ad', 'acme.example', 'ada.l@acme.example'])
      expect([search, await idsOf(`?search=${encodeURIComponent(search)}`)]).toEqual([search, [ada]]);
    expect(await idsOf(`?search=${encodeURIComponent('émile st')}`)).toEqual([bob.userId]);
    expect(await idsOf(`?search=${encodeURIComponent('öz')}`, cast.member)).toEqual([cem.userId]);
    expect(await idsOf('?search=countess')).toEqual([]);
    expect(await idsOf(`?search=${cast.orgId}`)).toEqual([]);
    expect(await idsOf(`?search=${encodeURIComponent("' | a:* & '")}`)).toEqual(await idsOf('?search=a'));
    expect(await idsOf('?search=ada&role=ADMIN')).toEqual([]);
    await cast.admin.get(`/v1/organisations/${cast.orgId}/members?search=%20-`, 422);
  });

  it('keeps its filters over the pages', async () => {
    for (let n = 0; n < 4; n++) {
      const { id } = await provision();
      await sql(`UPDATE scim_users SET display_name = 'Zoe ' || $2 WHERE id = $1`, id, n);
    }
    await syncOf(cast.owner, cast.orgId);
    expect(await idsOf('?search=zoe&reason=default_role&limit=1')).toHaveLength(4);
    for (const role of ROLES) {
      const found = await list(`?role=${role}&limit=1`);
      expect(found.map((member) => member.role)).toEqual(found.map(() => role));
    }
  });
});
