import type { ScimBulkResult } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { unique } from '../support/factories';
import { createDirectory, ERROR_URN, newGroup, newUser, patch, type Provider } from '../support/scim';
import { resourceIn } from '../support/scim-directory';

type Fields = Record<string, unknown>;

const BULK_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const RESPONSE_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('A SCIM bulk request', () => {
  let test: TestApp;
  let provider: Provider;

  beforeAll(async () => {
    test = await createTestApp();
    ({ provider } = await createDirectory(test));
  });

  afterAll(() => test.close());

  async function bulk(operations: unknown[], fields: object = {}): Promise<ScimBulkResult[]> {
    const body = { schemas: [BULK_URN], Operations: operations, ...fields };
    const answer = await provider.api.call('post', `${provider.base}/Bulk`, 200, body);
    const { schemas, Operations, ...rest } = answer.body;
    expect(rest).toEqual({});
    expect(schemas).toEqual([RESPONSE_URN]);
    for (const { status, response } of Operations) {
      if (Number(status) < 400) expect(response).toBeUndefined();
      else expect(response).toMatchObject({ schemas: [ERROR_URN], status, detail: expect.any(String) as string });
    }
    return Operations;
  }
  const refused = async (body: object, status = 400) =>
    (await provider.api.post(`${provider.base}/Bulk`, body, status)).body;
  const statuses = (results: ScimBulkResult[]) => results.map(({ status }) => status);
  const at = async (result: ScimBulkResult | undefined) => {
    const path = String(result?.location).replace('https://toolyard.test', '');
    return resourceIn(await provider.api.get(path));
  };
  const user = (bulkId: string, fields: object = {}) => ({
    method: 'POST',
    path: '/Users',
    bulkId,
    data: newUser(fields),
  });
  const group = (bulkId: string, members: string[] = []) => ({
    method: 'POST',
    path: '/Groups',
    bulkId,
    data: newGroup(members),
  });
  const manager = (value: string) => ({ [ENTERPRISE_URN]: { department: 'Maths', manager: { value } } });
  const managerOf = (body: Fields) =>
    (body[ENTERPRISE_URN] as { manager?: { value: string } } | undefined)?.manager?.value;
  const storedManager = async (id: string): Promise<string | undefined> => {
    const [row] = await test.dataSource.query<{ manager: string }[]>(
      `SELECT attributes -> $2 -> 'manager' ->> 'value' AS manager FROM scim_users WHERE id = $1`,
      [id, ENTERPRISE_URN],
    );
    return row?.manager;
  };
  const ownTag = (tag: unknown) => String(tag).replace(/\.[0-9a-f]{8}"$/, '"');

  it('carries out every operation, with results in the order of the request', async () => {
    const [one, two, three, club] = await bulk([user('1'), user('2'), user('3'), group('club')]);
    const ids = await Promise.all([one, two, three, club].map(async (result) => (await at(result)).id));
    const results = await bulk([
      { method: 'PUT', path: `/Users/${ids[0]}`, bulkId: 'put', data: newUser({ title: 'Replaced' }) },
      { method: 'patch', path: `/Users/${ids[1]}`, data: patch({ op: 'replace', path: 'title', value: 'Patched' }) },
      { method: 'DELETE', path: `/Users/${ids[2]}`, data: null },
      {
        method: 'PATCH',
        path: `/Groups/${ids[3]}`,
        data: patch({ op: 'add', path: 'members', value: [{ value: ids[0] }] }),
      },
    ]);
    const location = (path: string, id: string | undefined) => `${provider.location}${path}/${id}`;
    const version = expect.stringMatching(/^W\/"/) as string;
    expect(results).toEqual([
      { method: 'PUT', bulkId: 'put', status: '200', location: location('/Users', ids[0]), version },
      { method: 'PATCH', status: '200', location: location('/Users', ids[1]), version },
      { method: 'DELETE', status: '204', location: location('/Users', ids[2]) },
      { method: 'PATCH', status: '204', location: location('/Groups', ids[3]), version },
    ]);
    expect((await at(results[0])).title).toBe('Replaced');
    expect((await at(results[1])).title).toBe('Patched');
    expect((await at(results[1])).meta).toMatchObject({ version: results[1]?.version });
    await provider.api.get(`${provider.base}/Users/${ids[2]}`, 404);
    expect((await at(results[3])).members?.map(({ value }) => value)).toEqual([ids[0]]);
  });

  it('creates referenced resources first, in whatever order they are sent', async () => {
    const results = await bulk([
      {
        method: 'PATCH',
        path: '/Groups/bulkId:late',
        data: patch({ op: 'add', path: 'members', value: [{ value: 'bulkId:b' }] }),
      },
      group('early', ['bulkId:a', 'bulkId:b']),
      user('a', manager('bulkId:boss')),
      user('b'),
      group('late', ['bulkId:a']),
      { method: 'DELETE', path: '/Users/bulkId:boss' },
      user('boss'),
    ]);
    expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
      [undefined, '204'],
      ['early', '201'],
      ['a', '201'],
      ['b', '201'],
      ['late', '201'],
      [undefined, '204'],
      ['boss', '201'],
    ]);
    const [a, b] = [await at(results[2]), await at(results[3])];
    expect((await at(results[1])).members?.map(({ value }) => value).sort()).toEqual([a.id, b.id].sort());
    expect((await at(results[4])).members?.map(({ value }) => value).sort()).toEqual([a.id, b.id].sort());
    // Deleted by the operation before the last, and so no longer anyone's manager.
    expect(managerOf(a)).toBeUndefined();
    expect(await storedManager(a.id)).toBe(String(results[6]?.location).split('/').at(-1));
    expect(results[0]?.location).toBe(results[4]?.location);
  });

  it('resolves references in $ref addresses, in any order', async () => {
    const [ada, boss] = await bulk([
      user('ada', { [ENTERPRISE_URN]: { manager: { value: 'bulkId:boss', $ref: '../Users/bulkId:boss' } } }),
      user('boss'),
    ]);
    const { id } = await at(boss);
    expect((await at(ada))[ENTERPRISE_URN]).toEqual({
      manager: { value: id, $ref: `${provider.location}/Users/${id}` },
    });
  });

  it('resolves references in filters of PATCH paths', async () => {
    const [ada, club] = await bulk([user('ada'), group('club', ['bulkId:ada'])]);
    const { id } = await at(ada);
    const results = await bulk([
      user('eve'),
      {
        method: 'PATCH',
        path: String(club?.location).replace(provider.location, ''),
        data: patch(
          { op: 'add', path: 'members', value: [{ value: 'bulkId:eve' }] },
          { op: 'remove', path: `members[value eq "${id}"]` },
        ),
      },
      {
        method: 'PATCH',
        path: String(club?.location).replace(provider.location, ''),
        data: patch({ op: 'remove', path: 'members[value eq "bulkId:eve"]' }),
      },
    ]);
    expect(statuses(results)).toEqual(['201', '204', '204']);
    expect((await at(club)).members ?? []).toEqual([]);
  });

  it('resolves circular references, and a reference to itself', async () => {
    const results = await bulk([
      user('a', manager('bulkId:b')),
      user('b', manager('bulkId:c')),
      user('c', manager('bulkId:a')),
      user('self', manager('bulkId:self')),
    ]);
    expect(statuses(results)).toEqual(['201', '201', '201', '201']);
    const people = await Promise.all(results.map(at));
    const ids = people.map(({ id }) => id);
    expect(people.map(managerOf)).toEqual([ids[1], ids[2], ids[0], ids[3]]);
    for (const [index, person] of people.entries()) {
      expect(person[ENTERPRISE_URN]).toMatchObject({ department: 'Maths' });
      // The version of the user alone: the part after the dot, for related data, is not in a bulk answer.
      expect(ownTag(person.meta.version)).toBe(ownTag(results[index]?.version));
    }
  });

  it('does not wait for references in the read-only groups of a user', async () => {
    const results = await bulk([user('a', { groups: [{ value: 'bulkId:g' }] }), group('g', ['bulkId:a'])]);
    expect(statuses(results)).toEqual(['201', '201']);
    expect((await at(results[1])).members).toHaveLength(1);
  });

  it('treats a reference as plain text where no id is expected', async () => {
    const results = await bulk([user('a', { displayName: 'bulkId:nobody' })]);
    expect(await at(results[0])).toMatchObject({ displayName: 'bulkId:nobody' });
  });

  describe('leaves other operations unaffected when', () => {
    it('one fails, and reports the same error as a single request', async () => {
      const taken = `${unique('taken')}@example.com`;
      const results = await bulk([
        user('1', { userName: taken }),
        user('2', { userName: taken.toUpperCase() }),
        { method: 'PATCH', path: '/Users/nobody', data: patch({ op: 'replace', path: 'title', value: 'x' }) },
        user('3'),
      ]);
      expect(statuses(results)).toEqual(['201', '409', '404', '201']);
      expect(results[1]).toEqual({
        method: 'POST',
        bulkId: '2',
        status: '409',
        response: expect.objectContaining({ scimType: 'uniqueness' }) as ScimBulkResult['response'],
      });
      expect(results[2]).toMatchObject({ location: `${provider.location}/Users/nobody` });
      const body = (await provider.api.post(`${provider.base}/Users`, newUser({ userName: taken }), 409)).body;
      expect(body).toEqual(results[1]?.response);
    });

    it('an If-Match version is outdated', async () => {
      const [created] = await bulk([user('1')]);
      const path = String(created?.location).replace(provider.location, '');
      const data = patch({ op: 'replace', path: 'title', value: 'x' });
      const results = await bulk([
        { method: 'PATCH', path, version: 'W/"99"', data },
        { method: 'PUT', path, version: 'W/"99"', data: newUser() },
        { method: 'DELETE', path, version: 'W/"99"' },
        { method: 'PATCH', path, version: created?.version, data },
      ]);
      expect(statuses(results)).toEqual(['412', '412', '412', '200']);
    });

    it('a referenced operation failed, which gives 409', async () => {
      const results = await bulk([group('g', ['bulkId:bad']), user('bad', { userName: 7 }), group('h', ['bulkId:g'])]);
      expect(results.map(({ status, response }) => [status, response?.scimType])).toEqual([
        ['409', undefined],
        ['400', 'invalidValue'],
        ['409', undefined],
      ]);
      expect(results[0]?.response?.detail).toContain('"bad"');
    });

    it('a circle cannot be closed: what was created stays, and the error names the missing reference', async () => {
      const results = await bulk([user('a', manager('bulkId:b')), user('b', { ...manager('bulkId:a'), userName: 7 })]);
      // The first operation waits for the other, so nothing was created.
      expect(statuses(results)).toEqual(['409', '400']);
      const turned = await bulk([user('c', { ...manager('bulkId:d'), userName: 7 }), user('d', manager('bulkId:c'))]);
      expect(statuses(turned)).toEqual(['400', '409']);
      expect(turned[1]?.response?.detail).toContain('without its reference to "c"');
      expect(managerOf(await at(turned[1]))).toBeUndefined();
    });
  });

  describe('refuses only the operation with', () => {
    it.each([
      ['an unknown method', { method: 'GET', path: '/Users', bulkId: 'x' }],
      ['no method', { path: '/Users', bulkId: 'x' }],
      ['a method that is not a string', { method: 7, path: '/Users' }],
      ['an unknown path', { method: 'POST', path: '/Devices', bulkId: 'x', data: {} }],
      ['the path of another endpoint', { method: 'POST', path: '/Users/.search', bulkId: 'x', data: {} }],
      ['a path with a query', { method: 'DELETE', path: '/Users/x?y=z' }],
      ['an absolute URL', { method: 'DELETE', path: 'https://toolyard.test/Users/x' }],
      ['no path', { method: 'DELETE' }],
      ['a POST without a bulkId', { method: 'POST', path: '/Users', data: newUser() }],
      ['a bulkId that is not a string', { method: 'POST', path: '/Users', bulkId: 7, data: newUser() }],
      ['a PUT on the collection', { method: 'PUT', path: '/Users', data: newUser() }],
      ['a version that is not a string', { method: 'DELETE', path: '/Users/x', version: 7 }],
      ['an unknown reference', { method: 'POST', path: '/Groups', bulkId: 'x', data: newGroup(['bulkId:nobody']) }],
      ['an unknown reference in its path', { method: 'DELETE', path: '/Groups/bulkId:nobody' }],
      ['no data', { method: 'POST', path: '/Users', bulkId: 'x' }],
      ['a string instead of an operation', 'DELETE'],
      ['null instead of an operation', null],
    ])('%s', async (_, operation) => {
      const results = await bulk([operation, user('next')]);
      expect(statuses(results)).toEqual(['400', '201']);
      expect(results[0]?.response?.scimType).toMatch(/^invalid(Value|Syntax)$/);
    });

    it('the bulkId of an earlier POST', async () => {
      const results = await bulk([user('same'), user('same'), group('g', ['bulkId:same'])]);
      expect(statuses(results)).toEqual(['201', '400', '201']);
      expect((await at(results[2])).members?.map(({ value }) => value)).toEqual([(await at(results[0])).id]);
    });
  });

  describe('stops after failOnErrors failures', () => {
    const bad = { method: 'DELETE', path: '/Users/nobody' };

    it('and reports the results so far', async () => {
      expect(statuses(await bulk([user('1'), bad, user('2'), bad], { failOnErrors: 1 }))).toEqual(['201', '404']);
      expect(statuses(await bulk([user('1'), bad, user('2'), bad, user('3')], { failOnErrors: 2 }))).toEqual([
        '201',
        '404',
        '201',
        '404',
      ]);
      expect(statuses(await bulk([bad, bad, bad], { failOnErrors: 4 }))).toEqual(['404', '404', '404']);
      expect(statuses(await bulk([bad, bad], { failOnErrors: null }))).toEqual(['404', '404']);
    });

    it('even if a created resource still waits for a failed one', async () => {
      const bad = user('a', { ...manager('bulkId:b'), userName: 7 });
      const results = await bulk([user('c'), bad, user('b', manager('bulkId:a')), user('d')], { failOnErrors: 1 });
      expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
        ['c', '201'],
        ['a', '400'],
        ['b', '409'],
      ]);
    });

    it('but not if failOnErrors is 0', async () => {
      const bad = { method: 'DELETE', path: '/Users/none' };
      expect(statuses(await bulk([bad, bad, user('z')], { failOnErrors: 0 }))).toEqual(['404', '404', '201']);
    });

    it.each([-1, 1.5, '1', true])(
      'and rejects a failOnErrors that is not an integer of at least 0: %j',
      async (failOnErrors) => {
        const body = await refused({ schemas: [BULK_URN], Operations: [], failOnErrors });
        expect(body).toMatchObject({ scimType: 'invalidValue' });
      },
    );
  });

  it.each([
    [{ Operations: [] }],
    [{ schemas: ['urn:example:nothing'], Operations: [] }],
    [{ schemas: [BULK_URN] }],
    [{ schemas: [BULK_URN], Operations: {} }],
    [[]],
  ])('is rejected as a whole: %j', async (body) => {
    expect(await refused(body)).toMatchObject({ scimType: 'invalidSyntax' });
  });

  it('accepts field names in any case, and logs unknown ones', async () => {
    const answer = await provider.api.call('post', `${provider.base}/Bulk`, 200, {
      SCHEMAS: [BULK_URN],
      operations: [{ METHOD: 'post', Path: '/Users', BULKID: 'x', DATA: newUser({ shoeSize: 38 }), colour: 'red' }],
      urgent: true,
    });
    expect(statuses(answer.body.Operations)).toEqual(['201']);
    const [entry] = await test.dataSource.query<Fields[]>(
      `SELECT method, path, status, resource_id, ignored FROM scim_log WHERE request_id = $1 AND bulk_index IS NULL`,
      [answer.headers['x-request-id']],
    );
    expect(entry).toEqual({
      method: 'POST',
      path: '/Bulk',
      status: 200,
      resource_id: null,
      ignored: expect.arrayContaining(['urgent', 'colour']) as string[],
    });
  });

  it('emits the events of each operation, on behalf of the token', async () => {
    const [created] = await bulk([user('1')]);
    const { id } = await at(created);
    const events = await test.dataSource.query<{ type: string }[]>(
      `SELECT type FROM events WHERE data ->> 'scim_user_id' = $1 ORDER BY id`,
      [id],
    );
    expect(events.map(({ type }) => type)).toContain('scim.user_provisioned');
  });
});
