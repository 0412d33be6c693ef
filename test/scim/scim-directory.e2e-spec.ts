import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { DirectoryGroup, DirectoryUser, DirectoryUserDetail } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, createRoleMapping, createScimGroup, createScimUser, idOf } from '../support/factories';
import { codeOf, faultsOf } from '../support/faults';
import { createMembership, syncOf } from '../support/organisations';
import { allPages, nextPage, pagesOf } from '../support/pages';
import { statementsOf } from '../support/statements';
import type { OrganisationPath, Query } from '../support/typed-paths';

const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe('The directory', () => {
  let test: TestApp;
  let cast: Cast;
  let users: OrganisationPath<'scim/directory/users'>;
  let groups: OrganisationPath<'scim/directory/groups'>;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  beforeEach(async () => {
    cast = await createCast(test);
    users = `/v1/organisations/${cast.orgId}/scim/directory/users`;
    groups = `/v1/organisations/${cast.orgId}/scim/directory/groups`;
  });

  afterAll(() => test.close());

  const sql = <T>(text: string, ...parameters: unknown[]): Promise<T[]> => test.dataSource.query<T[]>(text, parameters);
  const list = async (query: Query = ''): Promise<DirectoryUser[]> => (await cast.owner.get(`${users}${query}`)).body;
  const read = async (id: string): Promise<DirectoryUserDetail> => (await cast.owner.get(`${users}/${id}`)).body;
  const names = (rows: { user_name: string }[]) => rows.map(({ user_name }) => user_name);
  const sync = () => syncOf(cast.owner, cast.orgId);

  /** A user of the directory with this name and other attributes. */
  async function person(
    userName: string,
    fields: { active?: boolean; deleted?: boolean; userId?: string; external?: string; attributes?: object } = {},
  ): Promise<{ id: string; userId: string }> {
    const scimUser = await createScimUser(test.dataSource, cast.orgId, fields);
    await sql(
      `UPDATE scim_users SET user_name = $2, external_id = $3, attributes = $4 WHERE id = $1`,
      scimUser.id,
      userName,
      fields.external ?? null,
      fields.attributes ?? {},
    );
    return scimUser;
  }

  async function group(name: string, ...members: string[]): Promise<string> {
    const id = await createScimGroup(test.dataSource, cast.orgId, members);
    await sql(`UPDATE scim_groups SET display_name = $2 WHERE id = $1`, id, name);
    return id;
  }

  const map = (groupId: string, role: Role) => createRoleMapping(test.dataSource, cast.orgId, groupId, role);

  describe('lists users:', () => {
    it('each with the role in force, its reason, and the identity provider’s data', async () => {
      const ada = await person('Ada@acme.example', {
        external: '00u1',
        attributes: {
          emails: [
            { value: 'home@ada.example', type: 'home' },
            { value: 'Ada.L@acme.example', primary: true },
          ],
        },
      });
      await sql(`UPDATE scim_users SET display_name = 'Ada Lovelace' WHERE id = $1`, ada.id);
      const groupId = await group('Platform', ada.id);
      const mappingId = await map(groupId, 'ADMIN');
      await sync();
      expect((await cast.admin.get(users)).body).toEqual([
        {
          id: ada.id,
          user_id: ada.userId,
          account_note: null,
          user_name: 'Ada@acme.example',
          display_name: 'Ada Lovelace',
          external_id: '00u1',
          email: 'Ada.L@acme.example',
          active: true,
          role: 'ADMIN',
          reason: 'mapping',
          mapping_id: mappingId,
          group_id: groupId,
          retained_last_owner: false,
          created_at: instant,
          updated_at: instant,
        },
      ]);
    });

    it('with every kind of reason for a role', async () => {
      await sql(`UPDATE scim_settings SET allow_owner_mapping = true WHERE org_id = $1`, cast.orgId);
      await person('a-plain');
      const [mapped, inert, off, equal] = [
        await person('b-mapped'),
        await person('c-by-hand'),
        await person('d-off', { active: false }),
        await person('e-equal'),
      ];
      await createMembership(test.dataSource, cast.orgId, { userId: inert.userId, manual: 'ADMIN' });
      await createMembership(test.dataSource, cast.orgId, { userId: off.userId, manual: 'ADMIN' });
      await createMembership(test.dataSource, cast.orgId, { userId: equal.userId, manual: 'MEMBER' });
      const [lower, higher] = [await group('Lower', mapped.id, inert.id), await group('Higher', mapped.id)];
      await map(lower, 'MEMBER');
      const mappingId = await map(higher, 'OWNER');
      await sync();
      const shown = (await list()).map((user) => [
        user.user_name,
        user.role,
        user.reason,
        user.mapping_id,
        user.group_id,
      ]);
      expect(shown).toEqual([
        ['a-plain', 'MEMBER', 'default_role', null, null],
        ['b-mapped', 'OWNER', 'mapping', mappingId, higher],
        ['c-by-hand', 'ADMIN', 'manual', null, null],
        ['d-off', null, 'deactivated', null, null],
        ['e-equal', 'MEMBER', 'default_role', null, null],
      ]);
      await sql(
        `UPDATE scim_settings SET default_role = NULL, allow_owner_mapping = false WHERE org_id = $1`,
        cast.orgId,
      );
      await sync();
      expect((await list()).map((user) => [user.user_name, user.role, user.reason])).toEqual([
        ['a-plain', null, 'no_default_role'],
        ['b-mapped', 'MEMBER', 'mapping'],
        ['c-by-hand', 'ADMIN', 'manual'],
        ['d-off', null, 'deactivated'],
        ['e-equal', 'MEMBER', 'manual'],
      ]);
    });

    it('with the reason last_owner for an OWNER who is only retained', async () => {
      const last = await person('last', { userId: await idOf(cast.owner), active: false });
      await sync();
      expect(await read(last.id)).toMatchObject({ role: 'OWNER', reason: 'last_owner', retained_last_owner: true });
    });

    it('with the first address if none is primary, or without any', async () => {
      await person('first', {
        attributes: { emails: [{ value: 'one@acme.example' }, { value: 'two@acme.example', primary: false }] },
      });
      await person('none');
      expect((await list()).map(({ email }) => email)).toEqual(['one@acme.example', null]);
    });

    it('by name, ignoring case, in pages, each once', async () => {
      const userNames = ['delta', 'Alpha', 'charlie', 'ÉCOLE', 'bravo', 'école-2', '_under', 'Zulu'];
      for (const name of userNames) await person(name);
      const pages: string[][] = [];
      for await (const { body } of pagesOf(cast.owner, `${users}?limit=3`)) pages.push(names(body));
      expect(pages).toEqual([
        ['_under', 'Alpha', 'bravo'],
        ['charlie', 'delta', 'Zulu'],
        ['ÉCOLE', 'école-2'],
      ]);
    });

    it('without a next page if the last row ends the page', async () => {
      await person('one');
      await person('two');
      const page = await cast.owner.get(`${users}?limit=2`);
      expect([names(page.body), page.headers.link]).toEqual([['one', 'two'], undefined]);
    });

    it('without deleted users and users of other organisations', async () => {
      const gone = await person('gone', { deleted: true });
      const other = await createCast(test);
      const foreign = await createScimUser(test.dataSource, other.orgId);
      expect(await list()).toEqual([]);
      for (const id of [gone.id, foreign.id, newId()]) {
        const answer = await cast.owner.get(`${users}/${id}`, 404);
        expect(answer.body).toEqual({ detail: `Directory user ${id} was not found.`, code: 'scim_user_not_found' });
      }
    });

    it('filtered by each field', async () => {
      await person('Ada.Lovelace@acme.example', {
        external: '00u-A',
        attributes: { emails: [{ value: 'Ada@acme.example' }] },
      });
      await person('ada.other@acme.example', { active: false, external: '00u-a' });
      await person('bob_x@acme.example', {
        attributes: { emails: [{ value: 'bob@home.example' }, { value: 'BOB@acme.example' }] },
      });
      await person('bobby@acme.example');
      const matches = async (query: Query) => names(await list(query)).map((name) => name.split('@')[0]);
      expect(await matches('?active=true')).toEqual(['Ada.Lovelace', 'bob_x', 'bobby']);
      expect(await matches('?active=no')).toEqual(['ada.other']);
      expect(await matches('?user_name=ADA')).toEqual(['Ada.Lovelace', 'ada.other']);
      expect(await matches('?user_name=ada&active=true')).toEqual(['Ada.Lovelace']);
      // Neither a pattern nor a wildcard.
      expect(await matches('?user_name=bob_')).toEqual(['bob_x']);
      expect(await matches('?user_name=%25')).toEqual([]);
      expect(await matches('?email=bob@ACME.example')).toEqual(['bob_x']);
      expect(await matches('?email=acme.example')).toEqual([]);
      expect(await matches('?external_id=00u-a')).toEqual(['ada.other']);
      expect(await matches('?external_id=00u-A&active=false')).toEqual([]);
    });

    it('with cursors that keep the filter, and are refused with another filter or organisation', async () => {
      for (const name of ['a1', 'a2', 'a3', 'b1']) await person(name);
      await person('a4', { active: false });
      const first = await cast.owner.get(`${users}?limit=1&user_name=A&active=true`);
      expect(names(await allPages(cast.owner, `${users}?limit=1&user_name=A&active=true`))).toEqual(['a1', 'a2', 'a3']);
      const cursor = new URL(String(/<([^>]+)>/.exec(String(first.headers.link))?.[1])).searchParams.get('cursor');
      await cast.owner.get(`${users}?cursor=${cursor}&user_name=b`, 422);
      const other = await createCast(test);
      await other.owner.get(`/v1/organisations/${other.orgId}/scim/directory/users?cursor=${cursor}`, 422);
    });

    it.each<[Query, string]>([
      ['?active=perhaps', 'query.active bool_parsing'],
      ['?user_name=', 'query.user_name string_too_short'],
      ['?user_name=a&user_name=b', 'query.user_name string_type'],
      ['?email=%00', 'query.email value_error'],
      [`?external_id=${'x'.repeat(513)}`, 'query.external_id string_too_long'],
      ['?cursor=abc', 'query.cursor value_error'],
    ])('but rejects %s', async (query, fault) => {
      expect(faultsOf(await cast.owner.get(`${users}${query}`, 422))).toEqual([fault]);
    });

    it('and shows a single one with all groups by name, mapped or not', async () => {
      const ada = await person('ada');
      const [zebras, Apes, mice] = [await group('zebras', ada.id), await group('Apes', ada.id), await group('mice')];
      const mappingId = await map(zebras, 'ADMIN');
      await map(mice, 'OWNER');
      await sync();
      expect(await read(ada.id)).toEqual({
        ...(await list())[0],
        groups: [
          { id: Apes, display_name: 'Apes', since: instant, mapping_id: null, role: null },
          { id: zebras, display_name: 'zebras', since: instant, mapping_id: mappingId, role: 'ADMIN' },
        ],
      });
    });

    it('with the same number of statements for one user and for a full page', async () => {
      const count = async () => (await statementsOf(test, () => cast.owner.get(`${users}?limit=100`))).length;
      const one = await person('one');
      await map(await group('Many', one.id), 'ADMIN');
      const few = await count();
      for (let n = 0; n < 30; n++) {
        const next = await person(`person-${n}`, { active: n % 3 > 0 });
        await group(`Group ${n}`, next.id);
      }
      expect(await count()).toBe(few);
    });
  });

  describe('lists groups:', () => {
    const listGroups = async (query: Query = ''): Promise<DirectoryGroup[]> =>
      (await cast.owner.get(`${groups}${query}`)).body;

    it('each with its size and its mapping', async () => {
      const [ada, bob] = [await person('ada'), await person('bob', { active: false })];
      const [pairs, alone] = [await group('Pairs', ada.id, bob.id), await group('Alone')];
      await sql(`UPDATE scim_groups SET external_id = 'ext-1' WHERE id = $1`, pairs);
      const mappingId = await map(pairs, 'ADMIN');
      const shown = { external_id: null, mapping: null, created_at: instant, updated_at: instant };
      const expected = [
        { ...shown, id: alone, display_name: 'Alone', member_count: 0 },
        {
          ...shown,
          id: pairs,
          display_name: 'Pairs',
          external_id: 'ext-1',
          member_count: 2,
          mapping: { id: mappingId, role: 'ADMIN' },
        },
      ];
      expect((await cast.admin.get(groups)).body).toEqual(expected);
      expect((await cast.admin.get(`${groups}/${pairs}`)).body).toEqual(expected[1]);
    });

    it('by name ignoring case, then by id, in pages, each once', async () => {
      const groupNames = ['same', 'Beta', 'SAME', 'alpha', 'Same', 'gamma'];
      const ids = new Map<string, string>();
      for (const name of groupNames) ids.set(name, await group(name));
      const same = [ids.get('same'), ids.get('SAME'), ids.get('Same')].sort();
      const walked = await allPages(cast.owner, `${groups}?limit=2`);
      expect(walked.map(({ id }) => id)).toEqual([ids.get('alpha'), ids.get('Beta'), ids.get('gamma'), ...same]);
      expect((await listGroups('?display_name=sAm')).map(({ id }) => id)).toEqual(same);
      expect(await allPages(cast.owner, `${groups}?limit=1&display_name=same`)).toHaveLength(3);
    });

    it('of the organisation only', async () => {
      const other = await createCast(test);
      const foreign = await createScimGroup(test.dataSource, other.orgId);
      expect(await listGroups()).toEqual([]);
      for (const id of [foreign, newId()]) {
        for (const path of [`${groups}/${id}`, `${groups}/${id}/members`]) {
          const answer = await cast.owner.get(path, 404);
          expect(answer.body).toEqual({ detail: `Directory group ${id} was not found.`, code: 'scim_group_not_found' });
        }
      }
    });

    it('and the members of a group, each once, with the role in force', async () => {
      const people = [await person('a'), await person('b', { active: false }), await person('c'), await person('d')];
      await createMembership(test.dataSource, cast.orgId, { userId: people[3]?.userId, manual: 'ADMIN' });
      const id = await group('Four', ...people.map((one) => one.id).reverse());
      await sync();
      const members = await allPages(cast.owner, `${groups}/${id}/members?limit=3`);
      const roles = ['MEMBER', null, 'MEMBER', 'ADMIN'];
      expect(members).toEqual(
        people.map((one, index) => ({
          id: one.id,
          user_id: one.userId,
          user_name: ['a', 'b', 'c', 'd'][index],
          display_name: null,
          active: index !== 1,
          role: roles[index],
          since: instant,
        })),
      );
    });

    it('but rejects a cursor of another group', async () => {
      const [ada, bob] = [await person('ada'), await person('bob')];
      const [one, other] = [await group('One', ada.id, bob.id), await group('Other', ada.id)];
      const page = await cast.owner.get(`${groups}/${one}/members?limit=1`);
      const [, query] = nextPage(page)?.split('?') ?? [];
      await cast.owner.get(`${groups}/${other}/members?${query}`, 422);
    });

    it('with the same number of statements for one group and for a full page', async () => {
      const count = async (path: string) => (await statementsOf(test, () => cast.owner.get(path))).length;
      const first = await group('First', (await person('one')).id);
      const few = [await count(`${groups}?limit=100`), await count(`${groups}/${first}/members`)];
      const people = await Promise.all(Array.from({ length: 20 }, (_, n) => person(`person-${n}`)));
      for (let n = 0; n < 20; n++) await map(await group(`Group ${n}`, ...people.map(({ id }) => id)), 'MEMBER');
      await sql(
        `INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, id FROM scim_users WHERE id = ANY ($2)`,
        first,
        people.map(({ id }) => id),
      );
      expect([await count(`${groups}?limit=100`), await count(`${groups}/${first}/members`)]).toEqual(few);
    });
  });

  it('is only for ADMINs and OWNERs', async () => {
    const ada = await person('ada');
    for (const path of [users, `${users}/${ada.id}`, groups]) {
      expect(codeOf(await cast.member.get(path, 403))).toBe('insufficient_role');
    }
  });
});
