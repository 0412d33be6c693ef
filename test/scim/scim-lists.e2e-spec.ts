import { createTestApp, TestApp } from '../support/app';
import { Directory, type List, listIn } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

const SEARCH_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

describe('SCIM lists', () => {
  let test: TestApp;
  let directory: Directory;
  let names: string[];

  beforeAll(async () => {
    // Without a worker, whose statements would interfere.
    test = await createTestApp({ env: { RUN: 'api' } });
    directory = await Directory.create(test);
    for (const [userName, title] of [
      ['ada', 'Countess'],
      ['Bob', undefined],
      ['eve', 'analyst'],
      ['Mallory', 'Countess'],
      ['trent', undefined],
    ]) {
      await directory.createUser({ userName, title });
    }
    names = ['ada', 'Bob', 'eve', 'Mallory', 'trent'];
    // Users that must never appear: one of another organisation, and a deleted one.
    const other = await Directory.create(test);
    await other.createUser({ userName: 'ada', title: 'Countess' });
    await other.createGroup([], { displayName: 'Engineering' });
    const { id } = await directory.createUser({ userName: 'zoe', title: 'Countess' });
    await directory.provider.api.delete(directory.path(`Users/${id}`));
  });

  afterAll(() => test.close());

  const namesOf = (list: List) => (list.Resources ?? []).map(({ userName, displayName }) => userName ?? displayName);
  const users = (query: Record<string, string> = {}) => directory.list('Users', query);
  const fail = (path: string, query: Record<string, string>) => directory.fail('get', directory.path(path, query), 400);

  async function search(path: string, body: object): Promise<List> {
    const answer = await directory.provider.api.post(
      directory.path(`${path}.search`),
      { schemas: [SEARCH_URN], ...body },
      200,
    );
    return listIn(answer);
  }

  describe('by index', () => {
    it('return everything on one page, oldest first', async () => {
      const list = await users();
      expect(list).toMatchObject({ schemas: [LIST_URN], totalResults: 5, itemsPerPage: 5, startIndex: 1 });
      expect(list).not.toHaveProperty('nextCursor');
      expect(namesOf(list)).toEqual(names);
    });

    it.each([
      [{ startIndex: '2', count: '2' }, ['Bob', 'eve'], 2],
      [{ startIndex: '5', count: '2' }, ['trent'], 5],
      [{ startIndex: '0', count: '1' }, ['ada'], 1],
      [{ startIndex: '-7', count: '1' }, ['ada'], 1],
      [{ startIndex: '6' }, [], 6],
      [{ startIndex: '99999999999999999999' }, [], Number.MAX_SAFE_INTEGER],
      [{ count: '5000' }, ['ada', 'Bob', 'eve', 'Mallory', 'trent'], 1],
    ])('return a page for %j', async (query, expected, startIndex) => {
      const list = await users(query);
      expect(namesOf(list)).toEqual(expected);
      expect(list).toMatchObject({ totalResults: 5, itemsPerPage: expected.length, startIndex });
    });

    it.each(['0', '-1', '-99999999999'])('return only the totals for count=%s', async (count) => {
      const list = await users({ count });
      expect(list).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    });

    it('return an empty list if nothing matches', async () => {
      expect(await users({ filter: 'userName eq "nobody"' })).toEqual({
        schemas: [LIST_URN],
        totalResults: 0,
        itemsPerPage: 0,
        startIndex: 1,
        Resources: [],
      });
    });
  });

  describe('by cursor', () => {
    /** Follows the cursors, with the same parameters each time. */
    async function pages(path: string, query: Record<string, string>): Promise<string[][]> {
      const pages: string[][] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const list: List = await directory.list(path, { ...query, cursor });
        expect(list).not.toHaveProperty('startIndex');
        pages.push(namesOf(list));
        cursor = list.nextCursor;
      }
      return pages;
    }

    it('have no next cursor after the last page, even if it is full', async () => {
      expect(await pages('Users', { count: '2' })).toEqual([['ada', 'Bob'], ['eve', 'Mallory'], ['trent']]);
      expect(await pages('Users', { count: '5' })).toEqual([names]);
    });

    it('keep the filter and the order', async () => {
      const query = { filter: 'title pr', sortBy: 'userName', sortOrder: 'descending', count: '1' };
      expect(await pages('Users', query)).toEqual([['Mallory'], ['eve'], ['ada']]);
    });

    it('neither skip nor repeat users who stay while others come and go', async () => {
      const own = await Directory.create(test);
      const users = [];
      for (const userName of ['a', 'c', 'e']) users.push(await own.createUser({ userName }));
      const query = { sortBy: 'userName', count: '2' };
      const first = await own.list('Users', { ...query, cursor: '' });
      await own.provider.api.delete(own.path(`Users/${users[1]?.id}`));
      await own.createUser({ userName: 'b' });
      await own.createUser({ userName: 'd' });
      const second = await own.list('Users', { ...query, cursor: first.nextCursor ?? '' });
      expect(namesOf(second)).toEqual(['d', 'e']);
    });

    it('carry the query for the next page', async () => {
      const first = await users({ filter: 'title pr', sortBy: 'title', count: '1', cursor: '' });
      const second = await users({ cursor: first.nextCursor ?? '' });
      expect(namesOf(second)).toEqual(['ada']);
      expect(namesOf(await users({ cursor: second.nextCursor ?? '', count: '10' }))).toEqual(['Mallory']);
    });

    it('are rejected with another list’s cursor or query', async () => {
      const query = { filter: 'title pr', sortBy: 'title', sortOrder: 'ascending', count: '1' };
      const { nextCursor = '' } = await users({ ...query, cursor: '' });
      const other = await Directory.create(test);
      for (const [path, wrong] of [
        ['Users', { ...query, filter: 'userName pr' }],
        ['Users', { ...query, sortBy: 'userName' }],
        ['Users', { ...query, sortOrder: 'descending' }],
        ['Users', { ...query, cursor: `${nextCursor.slice(0, -2)}AA` }],
        ['Users', { ...query, cursor: 'x' }],
        ['Users', { cursor: nextCursor.slice(1) }],
        ['Groups', {}],
      ] as const) {
        expect(await fail(path, { cursor: nextCursor, ...wrong })).toMatchObject({ scimType: 'invalidCursor' });
      }
      const foreign = other.path('Users', { ...query, cursor: nextCursor });
      expect(await other.fail('get', foreign, 400)).toMatchObject({ scimType: 'invalidCursor' });
    });

    it('return only the totals for count=0', async () => {
      expect(await users({ cursor: '', count: '0' })).toEqual({
        schemas: [LIST_URN],
        totalResults: 5,
        itemsPerPage: 0,
        Resources: [],
      });
    });
  });

  describe('sorted', () => {
    it.each([
      [{ sortBy: 'userName' }, ['ada', 'Bob', 'eve', 'Mallory', 'trent']],
      [{ sortBy: 'userName', sortOrder: 'descending' }, ['trent', 'Mallory', 'eve', 'Bob', 'ada']],
      [{ sortBy: 'title' }, ['eve', 'ada', 'Mallory', 'Bob', 'trent']],
      [{ sortBy: 'title', sortOrder: 'descending' }, ['trent', 'Bob', 'Mallory', 'ada', 'eve']],
      [{ sortOrder: 'descending' }, ['ada', 'Bob', 'eve', 'Mallory', 'trent']],
      [{ sortBy: 'nickName' }, ['ada', 'Bob', 'eve', 'Mallory', 'trent']],
      [{ sortBy: 'meta.created', sortOrder: 'descending' }, ['trent', 'Mallory', 'eve', 'Bob', 'ada']],
    ])('return the right order for %j', async (query, expected) => {
      expect(namesOf(await users(query))).toEqual(expected);
      const [first, second] = [await users({ ...query, count: '2' }), await users({ ...query, startIndex: '3' })];
      expect([...namesOf(first), ...namesOf(second)]).toEqual(expected);
    });
  });

  it.each([
    ['Users', { filter: 'shoeSize eq 5' }, 'invalidFilter'],
    ['Users', { filter: '' }, 'invalidFilter'],
    ['Users', { filter: 'userName eq' }, 'invalidFilter'],
    ['Groups', { filter: 'userName eq "ada"' }, 'invalidFilter'],
    ['Users', { sortBy: 'shoeSize' }, 'invalidPath'],
    ['Users', { sortBy: 'name' }, 'invalidPath'],
    ['Users', { sortOrder: 'sideways' }, 'invalidValue'],
    ['Users', { count: 'ten' }, 'invalidCount'],
    ['Users', { startIndex: 'one' }, 'invalidValue'],
    ['Users', { startIndex: '1', cursor: '' }, 'invalidValue'],
  ])('of %s reject %j', async (path, query, scimType) => {
    expect(await fail(path, query)).toMatchObject({ status: '400', scimType });
  });

  it.each(['filter=userName pr&filter=userName pr', 'filter=userName pr&FILTER=userName pr', 'count=1&Count=1'])(
    'reject a repeated parameter: %s',
    async (query) => {
      const path = `${directory.path('Users')}?${query}`;
      expect(await directory.fail('get', path, 400)).toMatchObject({ scimType: 'invalidValue' });
    },
  );

  it('accept parameter names in any case', async () => {
    const page = { filter: 'title pr', sortBy: 'userName', sortOrder: 'descending', startIndex: '2', count: '1' };
    const expected = await users(page);
    expect(namesOf(expected)).toEqual(['eve']);
    for (const change of ['toLowerCase', 'toUpperCase'] as const) {
      const query = Object.fromEntries(Object.entries(page).map(([name, value]) => [name[change](), value]));
      expect(await users(query)).toEqual(expected);
    }
    expect(
      await users({ Filter: 'title pr', SortBy: 'userName', SortOrder: 'descending', StartIndex: '2', Count: '1' }),
    ).toEqual(expected);
    expect(await fail('Users', { FILTER: 'shoeSize eq 5' })).toMatchObject({ scimType: 'invalidFilter' });
    expect(await fail('Users', { startindex: '1', CURSOR: '' })).toMatchObject({ scimType: 'invalidValue' });
    const [one] = (await users({ Attributes: 'title', count: '1' })).Resources ?? [];
    expect(Object.keys(one ?? {}).sort()).toEqual(['id', 'schemas', 'title']);
    const path = directory.path(`Users/${one?.id}`, { EXCLUDEDATTRIBUTES: 'title' });
    expect((await directory.provider.api.get(path)).body).not.toHaveProperty('title');
  });

  it('return only the requested attributes of each resource', async () => {
    const list = await users({ attributes: 'userName,title', filter: 'userName eq "ADA"' });
    expect(list.Resources).toEqual([
      { schemas: expect.anything() as object, id: expect.anything() as string, userName: 'ada', title: 'Countess' },
    ]);
  });

  it('take parameters with the brackets of a list, and refuse other brackets instead of returning everyone', async () => {
    for (const name of ['filter[]', 'filter[0]', 'Filter[]']) {
      expect(namesOf(await users({ [name]: 'userName eq "ADA"' }))).toEqual(['ada']);
    }
    expect(await fail('Users', { 'filter[x]': 'userName eq "ADA"' })).toMatchObject({ scimType: 'invalidValue' });
  });

  it('can be requested by a search body', async () => {
    const query = { filter: 'title pr', sortBy: 'userName', sortOrder: 'descending' as const };
    expect(await search('Users/', { ...query, startIndex: 2, count: 1, attributes: ['userName'] })).toEqual(
      await users({ ...query, startIndex: '2', count: '1', attributes: 'userName' }),
    );
    const first = await search('Users/', { ...query, cursor: '', count: 2 });
    expect(namesOf(await search('Users/', { ...query, cursor: first.nextCursor }))).toEqual(['ada']);
    expect(await directory.fail('post', directory.path('Users/.search'), 400, {})).toMatchObject({
      scimType: 'invalidSyntax',
    });
  });

  it('read the groups of users in one additional statement, if they are requested', async () => {
    const own = await Directory.create(test);
    const cost = (query: Record<string, string>) => own.costOf(() => own.list('Users', query));
    const member = await own.createUser();
    const one = await cost({});
    for (let i = 0; i < 5; i++) await own.createGroup([member.id, (await own.createUser()).id]);
    expect(await cost({})).toBe(one);
    expect(await cost({ excludedAttributes: 'groups' })).toBe(one - 1);
    const { Resources: [first] = [] } = await own.list('Users');
    expect(first?.groups).toHaveLength(5);
  });

  it('end a page early if the users on it would be too large', async () => {
    const own = await Directory.create(test);
    await own.fill(80);
    await test.dataSource.query(
      `UPDATE scim_users SET attributes = jsonb_build_object('title', repeat('x', 250000)) WHERE org_id = $1`,
      [own.orgId],
    );
    const first = await own.list('Users', { cursor: '' });
    expect(first).toMatchObject({ totalResults: 80, itemsPerPage: 68 });
    const second = await own.list('Users', { cursor: first.nextCursor ?? '' });
    expect(second.itemsPerPage).toBe(12);
    expect(new Set([...(first.Resources ?? []), ...(second.Resources ?? [])].map(({ id }) => id)).size).toBe(80);
    expect(second).not.toHaveProperty('nextCursor');
  });

  describe('of groups', () => {
    it('read the members of all groups of a page in a constant number of statements', async () => {
      const own = await Directory.create(test);
      const ids = await own.fill(30);
      const sizes = [3, 0, 30, 1];
      for (const size of sizes) await own.createGroup(ids.slice(0, size));
      const cost = await own.costOf(async () => {
        const { Resources = [] } = await own.list('Groups');
        expect(Resources.map(({ members = [] }) => members.length)).toEqual(sizes);
      });
      for (let i = 0; i < 5; i++) await own.createGroup(ids);
      expect(await own.costOf(() => own.list('Groups'))).toBe(cost);
    });
  });

  describe('of all resource types', () => {
    let own: Directory;

    beforeAll(async () => {
      own = await Directory.create(test);
      await own.createUser({ userName: 'u1', displayName: 'Charlie', externalId: 'same', title: 'Dr' });
      await own.createUser({ userName: 'u2' });
      await own.createGroup([], { displayName: 'Alpha', externalId: 'same' });
      await own.createGroup([], { displayName: 'Delta' });
    });

    async function everything(body: object): Promise<string[]> {
      const answer = await own.provider.api.post(own.path('.search'), { schemas: [SEARCH_URN], ...body }, 200);
      return namesOf(listIn(answer));
    }

    it('return users, then groups', async () => {
      expect(await everything({})).toEqual(['u1', 'u2', 'Alpha', 'Delta']);
      expect(await everything({ startIndex: 2, count: 2 })).toEqual(['u2', 'Alpha']);
    });

    it.each([
      ['externalId eq "same"', ['u1', 'Alpha']],
      ['meta.resourceType eq "Group"', ['Alpha', 'Delta']],
      ['userName sw "u"', ['u1', 'u2']],
      ['not (userName sw "u")', ['Alpha', 'Delta']],
      ['title ne "Dr"', ['u2', 'Alpha', 'Delta']],
      ['title eq null', ['u2', 'Alpha', 'Delta']],
      ['title ne null', ['u1']],
      ['not (title pr)', ['u2', 'Alpha', 'Delta']],
      ['members pr or title pr', ['u1']],
      ['not (emails.type ne "work")', ['u1', 'u2', 'Alpha', 'Delta']],
      ['displayName gt "b" and not (emails[type eq "work"])', ['u1', 'Delta']],
      ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "u1" or displayName eq "delta"', ['u1', 'Delta']],
    ])('can be filtered by %s', async (filter, expected) => {
      expect(await everything({ filter })).toEqual(expected);
    });

    it.each([
      [{ sortBy: 'displayName' }, ['Alpha', 'u1', 'Delta', 'u2']],
      [{ sortBy: 'displayName', sortOrder: 'descending' }, ['u2', 'Delta', 'u1', 'Alpha']],
      [{ sortBy: 'userName' }, ['u1', 'u2', 'Alpha', 'Delta']],
      [{ sortBy: 'userName', sortOrder: 'descending' }, ['Delta', 'Alpha', 'u2', 'u1']],
    ])('can be sorted by %j', async (query, expected) => {
      expect(await everything(query)).toEqual(expected);
    });

    it('reject attributes that no resource type has', async () => {
      for (const [query, scimType] of [
        [{ filter: 'shoeSize eq 5' }, 'invalidFilter'],
        [{ filter: 'userName gt true' }, 'invalidFilter'],
        [{ sortBy: 'shoeSize' }, 'invalidPath'],
      ] as const) {
        const body = { schemas: [SEARCH_URN], ...query };
        expect(await own.fail('post', own.path('.search'), 400, body)).toMatchObject({ scimType });
      }
    });
  });

  it('read one snapshot', async () => {
    const statements = await statementsOf(test, () => users());
    const [started, isolated, restricted] = statements.map(({ sql }) => sql).filter((sql) => !/scim_/.test(sql));
    expect([started, isolated]).toEqual(['START TRANSACTION', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ']);
    expect(restricted).toContain(`set_config('transaction_read_only', 'on', true)`);
  });
});
