import { RowRetention } from '../../src/database/row-retention';
import { newId } from '../../src/database/id';
import { UpstreamRefresher } from '../../src/gateway/upstreams/upstream-refresher';
import { LISTENABLE } from '../../src/gateway/upstreams/upstreams.sql';
import { eventually } from '../support/eventually';
import { bodyOf, given, OVER_LOOPBACK, requireKey, secretListing } from './support/credential-stage';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

const KEYS = { shared: 'shared-key-P4RT', ada: 'key-of-ada-Q5SU', bob: 'key-of-bob-R6TV' };

describe('Credentials of several people', () => {
  let stage: Stage;
  let upstream: TestUpstream;
  let [ada, bob, carl]: Person[] = [];

  beforeAll(async () => {
    stage = await createStage(3, { env: OVER_LOOPBACK });
    [ada, bob, carl] = [await stage.person(), await stage.person(), await stage.person()];
  });
  beforeEach(async () => {
    upstream = await TestUpstream.start({ eras: new Set(['legacy']) });
    requireKey(upstream, new Set(Object.values(KEYS)));
  });
  afterEach(() => upstream.close());
  afterAll(() => stage.close());

  const people = () => ({ ada: ada as Person, bob: bob as Person, carl: carl as Person });

  /** A public bundle of Ada's. */
  async function publicEndpoint(mode: string) {
    const { ada: owner } = people();
    const endpoint = await owner.endpoint([], {}, { visibility: 'PUBLIC' });
    const entryId = await endpoint.add(await secretListing(stage, upstream.url), { credential_mode: mode });
    return { endpoint, place: { bundle_id: endpoint.bundleId, entry_id: entryId } };
  }
  const giveOwn = (person: Person, place: Json, key: string) =>
    given(person, { ...place, is_personal: true, values: { 'X-Api-Key': key } });
  const nameIn = (tools: Json[], end = '__echo') => String(tools.find(({ name }) => String(name).endsWith(end))?.name);
  const keysOf = (method: string) => upstream.of(method).map(({ headers }) => headers['x-api-key']);

  /** Calls the tool from every process. */
  async function callAll(person: Person, endpoint: Endpoint): Promise<string[]> {
    const client = await person.legacy(endpoint);
    const name = nameIn(await client.all('tools/list', 'tools'));
    const sessions = new Set<string>();
    for (const url of stage.urlsOf(endpoint.path)) {
      const before = upstream.of('tools/call').length;
      expect(await client.at(url).result('tools/call', { name })).not.toHaveProperty('isError');
      const [call] = upstream.of('tools/call').slice(before);
      sessions.add(String(call?.headers['mcp-session-id']));
    }
    return [...sessions];
  }

  it('share a key and nothing else: on a stateful server everyone has a session of their own', async () => {
    const { ada: owner, bob: other } = people();
    const { endpoint, place } = await publicEndpoint('SHARED');
    await given(owner, { ...place, values: { 'X-Api-Key': KEYS.shared } });
    const sessions = [await callAll(owner, endpoint), await callAll(other, endpoint)];
    const token = new ModernClient(stage.urlsOf(endpoint.path), await endpoint.bundleToken());
    const name = nameIn(await token.all('tools/list', 'tools'));
    expect(await token.result('tools/call', { name })).not.toHaveProperty('isError');
    sessions.push([String(upstream.of('tools/call').at(-1)?.headers['mcp-session-id'])]);
    for (const own of sessions) expect(own).toHaveLength(1);
    expect(new Set(sessions.flat()).size).toBe(3);
    expect(new Set(keysOf('tools/call'))).toEqual(new Set([KEYS.shared]));
  });

  it('are sent for their owner only, from every process', async () => {
    const { ada: one, bob: other, carl: third } = people();
    const { endpoint, place } = await publicEndpoint('PERSONAL');
    await giveOwn(one, place, KEYS.ada);
    await giveOwn(other, place, KEYS.bob);
    const sessions = [await callAll(one, endpoint), await callAll(other, endpoint)];
    expect(new Set(sessions.flat()).size).toBe(2);
    for (const { headers } of upstream.of('tools/call'))
      expect(headers['x-api-key']).toBe(sessions[0]?.includes(String(headers['mcp-session-id'])) ? KEYS.ada : KEYS.bob);

    // Whoever has none gets nothing, and so does the token that one of them has made.
    const before = upstream.of('tools/call').length;
    const name = nameIn(await (await one.modern(endpoint)).all('tools/list', 'tools'));
    const token = new ModernClient(stage.urlsOf(endpoint.path), await endpoint.bundleToken());
    for (const client of [await third.modern(endpoint), token]) {
      for (const _ of client.urls) {
        // A person is offered to connect an account.
        const offered = (await client.all('tools/list', 'tools')).map((tool) => String(tool.name));
        expect(offered.filter((tool) => !tool.endsWith('__connect'))).toEqual([]);
        expect(await client.error('tools/call', { name })).toMatchObject({ code: -32_602 });
      }
    }
    expect(upstream.of('tools/call')).toHaveLength(before);
  });

  it('precede the shared one where the entry takes both; a token has the shared one', async () => {
    const { ada: owner, bob: other } = people();
    const { endpoint, place } = await publicEndpoint('PERSONAL_OR_SHARED');
    await given(owner, { ...place, values: { 'X-Api-Key': KEYS.shared } });
    await giveOwn(owner, place, KEYS.ada);
    await callAll(owner, endpoint);
    expect(new Set(keysOf('tools/call'))).toEqual(new Set([KEYS.ada]));
    upstream.received.length = 0;
    await callAll(other, endpoint);
    const token = new ModernClient(stage.urlsOf(endpoint.path), await endpoint.bundleToken());
    await token.result('tools/call', { name: nameIn(await token.all('tools/list', 'tools')) });
    expect(new Set(keysOf('tools/call'))).toEqual(new Set([KEYS.shared]));
  });

  it('list what their server shows to them, and to nobody else', async () => {
    const { ada: one, bob: other } = people();
    upstream.fault = (exchange) => {
      const key = exchange.received.headers['x-api-key'];
      const { method, id } = exchange.received;
      if (method !== 'tools/list') return false;
      const tools = [toolOf(`for_${key === KEYS.ada ? 'ada' : key === KEYS.bob ? 'bob' : 'nobody'}`)];
      exchange.response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools } }));
      return true;
    };
    const { endpoint, place } = await publicEndpoint('PERSONAL');
    await giveOwn(one, place, KEYS.ada);
    await giveOwn(other, place, KEYS.bob);
    for (const [person, mine] of [
      [one, '__for_ada'],
      [other, '__for_bob'],
      [people().carl, '__for_nobody'],
    ] as const) {
      const client = await person.modern(endpoint);
      for (const _ of client.urls) {
        const names = (await client.all('tools/list', 'tools')).map(({ name }) => String(name));
        expect(names).toEqual([expect.stringMatching(new RegExp(`${mine}$`)) as string]);
      }
      // Whoever manages the bundle sees what everyone sees, and their own account changes nothing of that.
      const { body: known } = await one.api.get(`/v1/bundles/${endpoint.bundleId}/tools`);
      expect(known.map(({ upstream_name }) => upstream_name).filter((name) => name.startsWith('for_'))).not.toContain(
        'for_ada',
      );
    }
  });

  it('of one person are neither shown to nor changed by another', async () => {
    const { ada: owner, bob: other } = people();
    const { endpoint, place } = await publicEndpoint('PERSONAL');
    const { id } = await giveOwn(other, place, KEYS.bob);
    for (const path of ['/v1/credentials', `/v1/credentials?bundle_id=${endpoint.bundleId}`]) {
      const body = await bodyOf(owner, path);
      expect((body as Json[]).map((credential) => credential.id)).not.toContain(id);
    }
    expect((await owner.api.raw('delete', `/v1/credentials/${id}`)).status).toBe(404);
    const body = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/credential-needs`);
    expect(body).toMatchObject([{ personal: null, state: 'MISSING' }]);
    const events = await stage.test.dataSource.query<Json[]>(
      `SELECT org_id, owner_id, type FROM events WHERE data->>'credential_id' = $1`,
      [id],
    );
    const [row] = await stage.test.dataSource.query<{ person_id: string }[]>(
      `SELECT person_id FROM credentials WHERE id = $1`,
      [id],
    );
    expect(events).toEqual([{ org_id: null, owner_id: row?.person_id, type: 'credential.connected' }]);
  });

  it('stop working when their owner leaves, and are deleted soon after', async () => {
    const { ada: owner, bob: leaver } = people();
    const org = await bodyOf(owner, '/v1/organisations', { method: 'post', send: { name: 'L', slug: `l-${newId()}` } });
    const orgId = (org as { id: string }).id;
    const me = await bodyOf(leaver, '/v1/users/me');
    const userId = (me as { id: string }).id;
    const { dataSource } = stage.test;
    const member = `INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'MEMBER', 'MEMBER')`;
    await dataSource.query(member, [orgId, userId]);
    const endpoint = await owner.endpoint([], {}, { org_id: orgId });
    const entryId = await endpoint.add(await secretListing(stage, upstream.url), { credential_mode: 'PERSONAL' });
    const place = { bundle_id: endpoint.bundleId, entry_id: entryId };
    const { id } = await giveOwn(leaver, place, KEYS.bob);
    const kept = await giveOwn(owner, place, KEYS.ada);
    const client = await leaver.modern(endpoint);
    const name = nameIn(await client.all('tools/list', 'tools'));
    expect(await client.result('tools/call', { name })).not.toHaveProperty('isError');
    // As the directory of the organisation does when it deactivates a person.
    const leaves = `UPDATE memberships SET suspended = true, role = NULL WHERE org_id = $1 AND user_id = $2`;
    await dataSource.query(leaves, [orgId, userId]);
    const before = upstream.received.length;
    for (const _ of client.urls) expect((await client.request('tools/call', { name })).status).toBe(404);
    expect(upstream.received).toHaveLength(before);
    // Nor is it sent for anything that happens in the background.
    const upstreamsOf = async (ids: string[]) => {
      const sql = `SELECT id FROM upstreams WHERE credential_id = ANY ($1)`;
      return (await dataSource.query<{ id: string }[]>(sql, [ids])).map((row) => row.id);
    };
    await (await owner.modern(endpoint)).all('tools/list', 'tools');
    const theirs = await upstreamsOf([id]);
    expect(theirs).toHaveLength(1);
    const refreshed = async (ids: string[]) => {
      const from = upstream.received.length;
      await stage.test.app.get(UpstreamRefresher).refresh(ids);
      return upstream.received.length - from;
    };
    // Values are remembered for some seconds.
    expect(
      await eventually(
        () => refreshed(theirs),
        (count) => count === 0,
        15_000,
      ),
    ).toBe(0);
    expect(await refreshed(await upstreamsOf([kept.id]))).toBeGreaterThan(0);
    await dataSource.query(
      `UPDATE upstreams SET used_at = now(), listed_at = now(), capabilities = '{"tools":{"listChanged":true}}' WHERE credential_id = ANY ($1)`,
      [[id, kept.id]],
    );
    const nobody = Buffer.alloc(16, 7);
    const offered = await dataSource.query<{ id: string }[]>(LISTENABLE, [1_000, newId(), newId(), nobody, nobody]);
    const [own] = await upstreamsOf([kept.id]);
    const ids = offered.map((row) => row.id);
    expect([ids.includes(String(own)), ids.includes(String(theirs[0]))]).toEqual([true, false]);
    await stage.test.app.get(RowRetention).run();
    const rows = await dataSource.query<{ id: string }[]>(`SELECT id FROM credentials WHERE id = ANY ($1)`, [
      [id, kept.id],
    ]);
    expect(rows).toEqual([{ id: kept.id }]);
    expect(await dataSource.query(`SELECT FROM upstreams WHERE credential_id = $1`, [id])).toEqual([]);
  });
});
