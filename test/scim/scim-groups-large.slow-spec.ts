import { newId } from '../../src/database/id';
import { createTestApp, TestApp } from '../support/app';
import type { Told } from '../support/organisations';
import { patch } from '../support/scim';
import { Directory, type List, type Resource } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

describe('Large SCIM groups', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    // Without a worker, whose statements would interfere.
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    directory = await Directory.create(test);
  });

  const createUser = async (fields: object = {}) => (await directory.createUser(fields)).id;

  const groupChanges = (list: Told[]) =>
    list
      .filter(({ type }) => type === 'scim.group_changed')
      .map(({ data }) => [data.change, data.changed, data.members_added, data.members_removed]);

  describe('can have tens of thousands of members', () => {
    const SIZE = 20_500;
    let large: string;
    let ids: string[];

    beforeEach(async () => {
      large = (await directory.createGroup()).id;
      ids = await directory.fill(SIZE, large);
    });

    it('and are read completely, in pieces of 10,000 from one snapshot', async () => {
      let group: Resource | undefined;
      const statements = await statementsOf(test, async () => {
        group = await directory.read(`Groups/${large}`);
      });
      expect(group?.members?.map(({ value }) => value)).toEqual([...ids].sort());
      expect(statements.filter(({ sql }) => sql.includes('scim_group_members'))).toHaveLength(3);
      expect(statements.map(({ sql }) => sql)).toContain('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    });

    it('and are read without touching members if none are requested', async () => {
      const reads = [
        directory.path(`Groups/${large}?excludedAttributes=members`),
        `${directory.path('Groups')}?excludedAttributes=members`,
        directory.path(`Groups/${large}?attributes=displayName`),
        `${directory.path('Groups')}?filter=displayName pr&attributes=id`,
      ];
      for (const path of reads) {
        const statements = await statementsOf(test, async () => {
          expect(JSON.stringify((await directory.provider.api.get(path)).body)).not.toContain('"members"');
        });
        expect(statements.filter(({ sql }) => /scim_group_members/.test(sql))).toEqual([]);
      }
    });

    it('and change by one member with the same number of statements as small groups', async () => {
      const { id: small } = await directory.createGroup();
      const cost = (group: string, member: string) => async () => [
        await directory.costOf(() =>
          directory.changeGroup(group, { op: 'add', path: 'members', value: [{ value: member }] }),
        ),
        await directory.costOf(() =>
          directory.changeGroup(group, { op: 'remove', path: `members[value eq "${member}"]` }),
        ),
        await directory.costOf(() =>
          directory.changeGroup(group, { op: 'remove', path: 'members', value: [{ value: newId() }] }),
        ),
      ];
      const [first, second] = [await createUser(), await createUser()];
      expect(await cost(large, first)()).toEqual(await cost(small, second)());
    });

    it('and are replaced by writing only the differences', async () => {
      const ada = await createUser();
      await directory.events();
      const wanted = [...ids.slice(5), ada].map((value) => ({ value }));
      const statements = await statementsOf(test, () =>
        directory.provider.api.patch(
          directory.path(`Groups/${large}`),
          patch({ op: 'replace', path: 'members', value: wanted }),
          204,
        ),
      );
      expect(groupChanges(await directory.events())).toEqual([['updated', ['members'], 1, 5]]);
      expect(statements.filter(({ sql }) => /(DELETE FROM|INSERT INTO) scim_group_members/.test(sql))).toHaveLength(2);
    });

    it('and are deleted with all of their members', async () => {
      await directory.map({ groupId: large, name: 'Large', role: 'ADMIN' });
      await directory.provider.api.delete(directory.path(`Groups/${large}`));
      const [left] = await test.dataSource.query<object[]>(
        `SELECT 1 FROM scim_group_members WHERE group_id = $1 LIMIT 1`,
        [large],
      );
      expect(left).toBeUndefined();
    });
  });

  it('accept a thousand members in one operation', async () => {
    const { id } = await directory.createGroup();
    const members = (await directory.fill(1_000)).map((value) => ({ value }));
    const cost = await directory.costOf(() =>
      directory.changeGroup(id, { op: 'add', path: 'members', value: members }),
    );
    expect(await directory.membersOf(id)).toHaveLength(1_000);
    const other = await directory.createGroup();
    expect(
      await directory.costOf(() =>
        directory.changeGroup(other.id, { op: 'add', path: 'members', value: members.slice(0, 1) }),
      ),
    ).toBe(cost);
  });

  it('end a page of a list early before one that is too large, never leaving out a member', async () => {
    const large = await directory.createGroup([], { displayName: 'Large' });
    const other = await directory.createGroup([], { displayName: 'Other' });
    await directory.createGroup([], { displayName: 'Small' });
    const ids = await directory.fill(50_001, large.id);
    await test.dataSource.query(
      `INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, unnest($2::uuid[])`,
      [other.id, ids.slice(1)],
    );
    const sizesOf = (list: List) => (list.Resources ?? []).map(({ members = [] }) => members.length);
    const first = await directory.list('Groups', { cursor: '' });
    expect(sizesOf(first)).toEqual([50_001]);
    expect(first).toMatchObject({ totalResults: 3, itemsPerPage: 1 });
    const second = await directory.list('Groups', { cursor: first.nextCursor ?? '' });
    expect(sizesOf(second)).toEqual([50_000, 0]);
    expect(second).not.toHaveProperty('nextCursor');
    expect(sizesOf(await directory.list('Groups', { startIndex: '2' }))).toEqual([50_000, 0]);
    expect((await directory.list('Groups', { excludedAttributes: 'members' })).itemsPerPage).toBe(3);
  });
});
