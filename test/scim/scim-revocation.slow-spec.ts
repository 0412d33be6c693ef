import { newId } from '../../src/database/id';
import { ScimTokenVerifier } from '../../src/scim/tokens/scim-token-verifier';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { holding, untilBlocked } from '../support/held-lock';
import { createDirectory, createProvider, newGroup, newUser, patch, PATCH_URN, type Provider } from '../support/scim';
import { statementsOf } from '../support/statements';

type Call = [name: string, method: string, path: string, body?: object];

/** A token that was used on a replica, which remembers it, and is revoked through another one. */
describe('A revoked SCIM token that a replica remembers', () => {
  let test: TestApp;
  let replica: TestApp;
  let clock: FakeClock;
  let directory: Awaited<ReturnType<typeof createDirectory>>;
  let [userId, groupId, otherId] = ['', '', ''];

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    clock = new FakeClock(new Date());
    replica = await createTestApp({ clock, env: { RUN: 'api' }, database: test.database });
    directory = await createDirectory(test);
    const { api, base } = directory.provider;
    userId = (await api.post(`${base}/Users`, newUser({ userName: 'ada@example.com', externalId: 'ada' }))).body.id;
    otherId = (await api.post(`${base}/Users`, newUser())).body.id;
    groupId = (await api.post(`${base}/Groups`, newGroup([userId]))).body.id;
  });

  afterAll(async () => {
    await replica.close();
    await test.close();
  });

  const send = ({ base, token }: Provider, method: string, path: string, body?: object, app = replica) =>
    fetch(app.url + base + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      body: body && JSON.stringify(body),
    });
  const revoke = ({ orgId, tokenId }: Provider) =>
    directory.owner.delete(`/v1/organisations/${orgId}/scim/tokens/${tokenId}`);
  const stored = () =>
    test.dataSource.query<object[]>(
      `SELECT (SELECT json_agg(scim_users ORDER BY id) FROM scim_users) AS users,
              (SELECT json_agg(scim_groups ORDER BY id) FROM scim_groups) AS groups,
              (SELECT json_agg(scim_group_members ORDER BY group_id, scim_user_id) FROM scim_group_members) AS members,
              (SELECT json_agg(memberships ORDER BY user_id) FROM memberships) AS memberships,
              (SELECT count(*) FROM users) AS accounts`,
    );
  const member = (id: string) => patch({ op: 'add', path: 'members', value: [{ value: id }] });

  const calls = (): Call[] => [
    ['a look-up by name', 'GET', `/Users?filter=${encodeURIComponent('userName eq "ada@example.com"')}`],
    ['a look-up that finds no one', 'GET', `/Users?filter=${encodeURIComponent('userName eq "nobody@example.com"')}`],
    ['a look-up by external id', 'GET', `/Users?filter=${encodeURIComponent('externalId eq "ada"')}`],
    ['another filter', 'GET', `/Users?filter=${encodeURIComponent('active eq true')}`],
    ['an invalid filter', 'GET', '/Users?filter=x'],
    ['a list', 'GET', '/Groups'],
    ['a search', 'POST', '/Users/.search', { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] }],
    ['a user', 'GET', `/Users/${userId}`],
    ['a group', 'GET', `/Groups/${groupId}`],
    ['a user that does not exist', 'GET', `/Users/${newId()}`],
    ['a new user', 'POST', '/Users', newUser()],
    ['a new user without a name', 'POST', '/Users', { schemas: [] }],
    ['a new user of a known name', 'POST', '/Users', newUser({ userName: 'ada@example.com' })],
    ['a replaced user', 'PUT', `/Users/${userId}`, newUser()],
    ['a changed user', 'PATCH', `/Users/${userId}`, patch({ op: 'replace', path: 'active', value: false })],
    ['a deleted user', 'DELETE', `/Users/${userId}`],
    ['a new group', 'POST', '/Groups', newGroup([otherId])],
    ['a new member', 'PATCH', `/Groups/${groupId}`, member(otherId)],
    ['a member who is one', 'PATCH', `/Groups/${groupId}`, member(userId)],
    ['a PATCH that changes nothing', 'PATCH', `/Groups/${groupId}`, { schemas: [PATCH_URN], Operations: [] }],
    ['a deleted group', 'DELETE', `/Groups/${groupId}`],
    ['a method that does not exist', 'PUT', '/Users'],
    ['discovery', 'GET', '/Schemas'],
    ['a bulk request', 'POST', '/Bulk', { schemas: [], Operations: [] }],
    ['an unknown path', 'GET', '/Nothing'],
  ];

  it('is rejected from the next request on, whatever that is, and nothing is changed', async () => {
    const before = await stored();
    for (const [name, method, path, body] of calls()) {
      // The log keeps 20 such requests in a minute.
      clock.advance(60_000);
      const provider = await createProvider(test, directory);
      expect((await send(provider, 'GET', '/Users?count=0')).status).toBe(200);
      await revoke(provider);
      const answer = await send(provider, method, path, body);
      expect([name, answer.status]).toEqual([name, 401]);
      expect(await answer.json()).toMatchObject({ status: '401', detail: 'This SCIM token was revoked.' });
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      const log = `/v1/organisations/${provider.orgId}/scim/log?token_id=${provider.tokenId}&limit=2` as const;
      expect((await directory.owner.get(log)).body.map(({ status }) => status)).toEqual([401, 200]);
    }
    expect(await stored()).toEqual(before);
  });

  it('was remembered: a look-up and a change need no statement for it alone', async () => {
    const { provider } = directory;
    const look = `/Users?filter=${encodeURIComponent('userName eq "ada@example.com"')}`;
    await send(provider, 'GET', look);
    for (const [method, path, body] of [
      ['GET', look],
      ['PATCH', `/Users/${userId}`, patch({ op: 'replace', path: 'title', value: 'Countess' })],
    ] as const) {
      const statements = await statementsOf(replica, () => send(provider, method, path, body));
      expect(statements.filter(({ sql }) => sql.includes('digest'))).toEqual([]);
      expect(statements.filter(({ sql }) => sql.includes('scim_tokens'))).toHaveLength(1);
    }
  });

  it('is rejected if it is revoked while a change waits for its turn', async () => {
    const provider = await createProvider(test, directory);
    await send(provider, 'GET', '/Users?count=0');
    const lock = `SELECT FROM organisations WHERE id = '${provider.orgId}' FOR NO KEY UPDATE`;
    const [first, second] = await holding(test.dataSource, lock, async (release) => {
      const waiting = send(provider, 'POST', '/Users', newUser());
      await untilBlocked(test.dataSource, 1);
      // Waits in the process, without a connection, for the one before it.
      const behind = send(provider, 'POST', '/Users', newUser());
      await revoke(provider);
      await release();
      return Promise.all([waiting, behind]);
    });
    expect([first.status, second.status]).toEqual([201, 401]);
  });

  it('is rejected in the operations of a bulk request that follow', async () => {
    const provider = await createProvider(test, directory);
    const lock = `SELECT FROM organisations WHERE id = '${provider.orgId}' FOR NO KEY UPDATE`;
    const answer = await holding(test.dataSource, lock, async (release) => {
      const operations = [
        { method: 'POST', path: '/Users', bulkId: 'first', data: newUser() },
        { method: 'POST', path: '/Groups', bulkId: 'second', data: newGroup() },
      ];
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
      const bulk = send(provider, 'POST', '/Bulk', { schemas, Operations: operations });
      await untilBlocked(test.dataSource, 1);
      await revoke(provider);
      await release();
      return bulk;
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      Operations: [{ status: '201' }, { status: '401', response: { detail: 'This SCIM token was revoked.' } }],
    });
  });

  it('is rejected if it was looked up before a change waited for its turn, and forgotten then', async () => {
    const provider = await createProvider(test, directory);
    const verified = jest.spyOn(replica.app.get(ScimTokenVerifier), 'verify');
    const lock = `SELECT FROM organisations WHERE id = '${provider.orgId}' FOR NO KEY UPDATE`;
    const [first, second] = await holding(test.dataSource, lock, async (release) => {
      const waiting = send(provider, 'POST', '/Users', newUser());
      await untilBlocked(test.dataSource, 1);
      // Longer than it is remembered.
      clock.advance(61_000);
      const behind = send(provider, 'POST', '/Users', newUser());
      await eventually(
        () => verified.mock.results.length,
        (count) => count === 2,
        5_000,
      );
      await verified.mock.results[1]?.value;
      await revoke(provider);
      await release();
      return Promise.all([waiting, behind]);
    });
    verified.mockRestore();
    expect([first.status, second.status]).toEqual([201, 401]);
    const statements = await statementsOf(replica, async () => {
      expect((await send(provider, 'POST', '/Users', newUser())).status).toBe(401);
    });
    expect(statements.filter(({ sql }) => sql.includes('FOR NO KEY UPDATE'))).toEqual([]);
  });

  it('is rejected if its organisation is deleted, without saying which', async () => {
    const other = await createDirectory(test);
    await send(other.provider, 'GET', '/Users?count=0');
    await test.dataSource.query(`DELETE FROM organisations WHERE id = $1`, [other.orgId]);
    for (const [method, path, body] of [
      ['GET', `/Users?filter=${encodeURIComponent('userName eq "x"')}`],
      ['POST', '/Users', newUser()],
      ['GET', '/Groups'],
    ] as const) {
      const answer = await send(other.provider, method, path, body);
      expect(answer.status).toBe(401);
      const detail = 'This SCIM token does not belong to this organisation, or was revoked.';
      expect(await answer.json()).toMatchObject({ detail });
    }
  });

  it('cannot be used for another organisation', async () => {
    const other = await createDirectory(test);
    await send(directory.provider, 'GET', '/Users?count=0');
    const foreign = { ...directory.provider, base: other.provider.base };
    expect((await send(foreign, 'GET', '/Users?count=0')).status).toBe(401);
    expect((await send(foreign, 'POST', '/Users', newUser())).status).toBe(401);
  });
});
