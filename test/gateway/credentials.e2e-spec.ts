import { newId } from '../../src/database/id';
import { statementsOf } from '../support/statements';
import { API_KEY, bodyOf, give, given, OVER_LOOPBACK, requireKey, secretListing } from './support/credential-stage';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { ModernClient } from './support/mcp-client';
import { type Json, TestUpstream } from './support/test-upstream';

const KEY = 'key-of-the-bundle-XQ9Z';

describe('Credentials of servers', () => {
  let stage: Stage;
  let upstream: TestUpstream;
  let owner: Person;
  const keys = new Set([KEY]);

  beforeAll(async () => {
    stage = await createStage(2, { env: OVER_LOOPBACK });
    owner = await stage.person();
  });
  beforeEach(async () => {
    keys.clear();
    keys.add(KEY);
    upstream = await TestUpstream.start();
    requireKey(upstream, keys);
  });
  afterEach(() => upstream.close());
  afterAll(() => stage.close());

  async function bundleWith(mode: string, headers: readonly Json[] = [API_KEY]) {
    const endpoint = await owner.endpoint([]);
    const listingId = await secretListing(stage, upstream.url, headers);
    const entryId = await endpoint.add(listingId, { credential_mode: mode });
    return { endpoint, entryId, listingId, place: { bundle_id: endpoint.bundleId, entry_id: entryId } };
  }
  const toolsOf = async (endpoint: Endpoint, person = owner) => {
    const client = await person.modern(endpoint);
    return { client, tools: await client.all('tools/list', 'tools') };
  };
  const nameOf = (tools: Json[], end: string) => String(tools.find(({ name }) => String(name).endsWith(end))?.name);
  const call = async (endpoint: Endpoint, person = owner) => {
    const { client, tools } = await toolsOf(endpoint, person);
    return client.result('tools/call', { name: nameOf(tools, '__echo'), arguments: { a: 1 } });
  };

  it('are sent in the header that the server.json marks as secret, and nowhere else', async () => {
    const { endpoint, place } = await bundleWith('SHARED');
    const credential = await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    expect(credential).toMatchObject({
      kind: 'SECRETS',
      owner: 'BUNDLE',
      origin: `http://127.0.0.1:${upstream.port}`,
      status: 'ACTIVE',
      values: [{ name: 'X-Api-Key', is_set: true, updated_at: expect.any(String) as string }],
    });
    expect(JSON.stringify(credential)).not.toContain(KEY.slice(-4));
    expect(await call(endpoint)).toMatchObject({ content: [{ text: '{"a":1}' }] });
    expect(upstream.of('tools/call')).toHaveLength(1);
    for (const { headers } of upstream.received) {
      expect(headers['x-api-key']).toBe(KEY);
      // The token of the client stays here.
      expect(headers.authorization).toBeUndefined();
    }
  });

  it('are sent in the address, and in an Authorization that nobody asks for', async () => {
    const endpoint = await owner.endpoint([]);
    const paths: (string | undefined)[] = [];
    upstream.fault = ({ response }) => {
      paths.push(response.req.url);
      return false;
    };
    const url = `${upstream.url}/{tenant_key}/x`;
    const variables = { tenant_key: { isSecret: true, isRequired: true } };
    const listing = await stage.listing(url, { server: { remotes: [{ type: 'streamable-http', url, variables }] } });
    const entryId = await endpoint.add(listing, { credential_mode: 'SHARED' });
    const place = { bundle_id: endpoint.bundleId, entry_id: entryId };
    await given(owner, { ...place, values: { tenant_key: 'a/b?c', authorization: 'Bearer ours' } });
    expect(await call(endpoint)).toMatchObject({ content: [{ text: '{"a":1}' }] });
    expect(new Set(paths)).toEqual(new Set(['/mcp/a%2Fb%3Fc/x']));
    expect(new Set(upstream.received.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ours']));
  });

  it('are needed where the entry says so: without one nothing is called', async () => {
    upstream.fault = () => false;
    const { endpoint } = await bundleWith('SHARED');
    const { client, tools } = await toolsOf(endpoint);
    expect(tools).not.toHaveLength(0);
    const name = nameOf(tools, '__echo');
    expect(await client.result('tools/call', { name })).toMatchObject({
      isError: true,
      _meta: { 'com.toolyard/error': { code: 'credential_required', retryable: false } },
    });
    const [{ name: prompt }] = (await client.all('prompts/list', 'prompts')) as [Json];
    expect(await client.error('prompts/get', { name: prompt, arguments: { name: 'x' } })).toMatchObject({
      code: -32_603,
      data: { 'com.toolyard/error': { code: 'credential_required' } },
    });
    expect(upstream.of('tools/call')).toEqual([]);
    expect(upstream.of('prompts/get')).toEqual([]);
    const report = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/compile`, { method: 'post' });
    expect((report as Json).problems).toContainEqual(expect.objectContaining({ code: 'credential_missing' }));
  });

  it('count from the next request on at every process: given, changed, deleted', async () => {
    const { endpoint, place } = await bundleWith('SHARED');
    const client = await owner.modern(endpoint);
    expect(await client.all('tools/list', 'tools')).toEqual([]);
    const { id } = await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    const tools = await client.all('tools/list', 'tools');
    const name = nameOf(tools, '__echo');
    for (const _ of stage.urlsOf('')) expect(await client.result('tools/call', { name })).not.toHaveProperty('isError');

    keys.clear();
    keys.add('the-new-key');
    upstream.received.length = 0;
    await owner.api.patch(`/v1/credentials/${id}`, { values: { 'X-Api-Key': 'the-new-key' } }, 200);
    for (const _ of stage.urlsOf('')) expect(await client.result('tools/call', { name })).not.toHaveProperty('isError');
    // A list that was being read before still ends with the old key.
    const sent = upstream.of('tools/call').map(({ headers }) => headers['x-api-key']);
    expect(new Set(sent)).toEqual(new Set(['the-new-key']));

    upstream.received.length = 0;
    await owner.api.delete(`/v1/credentials/${id}`, 204);
    for (const _ of stage.urlsOf(''))
      expect(await client.error('tools/call', { name })).toMatchObject({ code: -32_602 });
    expect(upstream.of('tools/call').filter(({ headers }) => headers['x-api-key'] !== undefined)).toEqual([]);
  });

  it('of an organisation serve the entries of all its bundles, and those of a bundle precede them', async () => {
    const org = await bodyOf(owner, '/v1/organisations', {
      method: 'post',
      send: { name: 'Acme', slug: `acme-${newId()}` },
    });
    const orgId = (org as { id: string }).id;
    const listingId = await secretListing(stage, upstream.url);
    keys.add('key-of-the-organisation');
    const endpoints = [];
    for (const name of ['One', 'Two']) {
      const endpoint = await owner.endpoint([], {}, { name, org_id: orgId });
      endpoints.push({ endpoint, entryId: await endpoint.add(listingId, { credential_mode: 'SHARED' }) });
    }
    const body = { org_id: orgId, listing_id: listingId, values: { 'X-Api-Key': 'key-of-the-organisation' } };
    const credential = await given(owner, body);
    expect(await give(owner, body)).toMatchObject({ status: 409, body: { code: 'credential_conflict' } });
    for (const { endpoint } of endpoints) expect(await call(endpoint)).not.toHaveProperty('isError');
    const [first] = endpoints;
    if (!first) throw new Error('There is no endpoint.');
    const place = { bundle_id: first.endpoint.bundleId, entry_id: first.entryId };
    await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    upstream.received.length = 0;
    for (const { endpoint } of endpoints) await call(endpoint);
    expect(upstream.of('tools/call').map(({ headers }) => headers['x-api-key'])).toEqual([
      KEY,
      'key-of-the-organisation',
    ]);
    const all = await bodyOf(owner, `/v1/credentials?org_id=${orgId}`);
    expect((all as Json[]).map(({ id }) => id)).toEqual([credential.id]);
    const preview = await bodyOf(owner, `/v1/organisations/${orgId}/deletion-preview`);
    expect(preview).toMatchObject({ credential_count: 1 });
  });

  it('say what is needed, what there is, and whether it can be used', async () => {
    const optional = { name: 'X-Region-Key', isSecret: true };
    const { endpoint, entryId, place } = await bundleWith('PERSONAL_OR_SHARED', [API_KEY, optional]);
    const needs = async () => {
      const body = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/credential-needs`);
      return (body as Json[])[0];
    };
    expect(await needs()).toMatchObject({
      entry_id: entryId,
      credential_mode: 'PERSONAL_OR_SHARED',
      state: 'MISSING',
      kinds: ['SECRETS'],
      secrets: [
        { name: 'X-Api-Key', is_required: true },
        { name: 'X-Region-Key', is_required: false },
      ],
      ...{ personal: null, shared: null },
    });
    await given(owner, { ...place, values: { 'X-Region-Key': 'eu' } });
    expect(await needs()).toMatchObject({ state: 'MISSING', shared: { owner: 'BUNDLE', state: 'MISSING' } });
    await given(owner, { ...place, is_personal: true, values: { 'X-Api-Key': KEY } });
    expect(await needs()).toMatchObject({
      state: 'CONNECTED',
      personal: { owner: 'PERSON', state: 'CONNECTED', values: [{ name: 'X-Api-Key', is_set: true }] },
    });
  });

  it.each<[string, Json, number]>([
    ['a control character', { 'X-Api-Key': 'a\nb' }, 422],
    ['a null', { 'X-Api-Key': 'a\u0000b' }, 422],
    ['more than 8 KiB', { 'X-Api-Key': 'x'.repeat(8_193) }, 422],
    ['more than 8 KiB as UTF-8', { 'X-Api-Key': 'ä'.repeat(4_097) }, 422],
    ['more than 32 values', Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`n${n}`, 'v'])), 422],
    ['a secret that the server.json does not name', { 'X-Other': 'v' }, 422],
    ['nothing', {}, 422],
    ['the same header twice', { Authorization: 'a', authorization: 'b' }, 422],
    ['something that is no text', { 'X-Api-Key': 1 }, 422],
  ])('cannot have %s', async (_, values, status) => {
    const { place } = await bundleWith('SHARED');
    const answer = await give(owner, { ...place, values });
    expect(answer.status).toBe(status);
    for (const value of Object.values(values)) expect(answer.text).not.toContain(`"${String(value)}"`);
  });

  it('belong to one place, which the request names', async () => {
    const { place, endpoint, entryId, listingId } = await bundleWith('SHARED');
    const values = { 'X-Api-Key': KEY };
    for (const body of [
      { values },
      { bundle_id: endpoint.bundleId, values },
      { entry_id: entryId, values },
      { ...place, org_id: newId(), listing_id: listingId, values },
      { ...place, kind: 'OAUTH_CLIENT' },
      { ...place, kind: 'OAUTH_CLIENT', client_id: 'a', values },
      { ...place, values, client_id: 'a' },
      { ...place, kind: 'OAUTH', values },
    ])
      expect((await give(owner, body)).status).toBe(422);
    expect((await give(owner, { ...place, is_personal: true, values })).status).toBe(409);
    expect((await give(owner, { ...place, entry_id: newId(), values })).status).toBe(404);
    expect((await give(owner, { bundle_id: newId(), entry_id: entryId, values })).status).toBe(404);
    expect((await give(owner, { org_id: newId(), listing_id: listingId, values })).status).toBe(404);
  });

  it('are not there for those who may not manage them', async () => {
    const { place } = await bundleWith('SHARED');
    const { id } = await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    const stranger = await stage.person();
    const path = `/v1/credentials/${id}`;
    expect((await stranger.api.raw('patch', path).send({ values: { 'X-Api-Key': 'mine' } })).status).toBe(404);
    expect((await stranger.api.raw('delete', path)).status).toBe(404);
    expect((await give(stranger, { ...place, values: { 'X-Api-Key': 'mine' } })).status).toBe(404);
    expect(await bodyOf(stranger, '/v1/credentials')).toEqual([]);
    const body = await bodyOf(owner, `/v1/credentials?bundle_id=${place.bundle_id}`);
    expect((body as Json[]).map((credential) => credential.id)).toEqual([id]);
  });

  it('are listed page by page', async () => {
    const person = await stage.person();
    const endpoint = await person.endpoint([]);
    const ids = [];
    for (let n = 0; n < 5; n++) {
      const entryId = await endpoint.add(await secretListing(stage, `${upstream.url}/${n}`), {
        credential_mode: 'SHARED',
      });
      const place = { bundle_id: endpoint.bundleId, entry_id: entryId };
      ids.push((await given(person, { ...place, values: { 'X-Api-Key': KEY } })).id);
    }
    for (const query of ['', `&bundle_id=${endpoint.bundleId}`]) {
      const found = [];
      let next: string | undefined = `/v1/credentials?limit=2${query}`;
      while (next !== undefined) {
        const page = await person.api.raw('get', next);
        found.push(...(page.body as Json[]).map(({ id }) => id));
        const link = /<([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1];
        next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
      }
      expect(found).toEqual(ids);
    }
  });

  it('are part of events and of the audit log, without their values', async () => {
    const org = await bodyOf(owner, '/v1/organisations', { method: 'post', send: { name: 'B', slug: `b-${newId()}` } });
    const orgId = (org as { id: string }).id;
    const listingId = await secretListing(stage, upstream.url);
    const { id } = await given(owner, { org_id: orgId, listing_id: listingId, values: { 'X-Api-Key': KEY } });
    await owner.api.delete(`/v1/credentials/${id}`, 204);
    const events = await stage.test.dataSource.query<{ type: string; data: Json }[]>(
      `SELECT type, data FROM events WHERE org_id = $1 AND type LIKE 'credential.%' ORDER BY id`,
      [orgId],
    );
    expect(events).toMatchObject([
      { type: 'credential.connected', data: { credential_id: id, owner: 'ORGANISATION', listing_id: listingId } },
      { type: 'credential.revoked', data: { credential_id: id, org_id: orgId } },
    ]);
    const body = await bodyOf(owner, `/v1/organisations/${orgId}/audit-log`);
    const actions = (body as Json[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['credential.connected', 'credential.revoked']));
    expect(JSON.stringify([events, body])).not.toContain(KEY);
  });

  it('cost a call no statement of their own, as long as their values are in memory', async () => {
    const { endpoint, place } = await bundleWith('SHARED');
    await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    const client = new ModernClient([endpoint.url], await owner.tokenFor(endpoint.path));
    const name = nameOf(await client.all('tools/list', 'tools'), '__echo');
    await client.result('tools/call', { name });
    const statements = await statementsOf(stage.test, () => client.result('tools/call', { name }));
    // What admits a request chooses the credential; the values are not read again.
    expect(statements.some(({ sql }) => sql.includes('asked.person_id'))).toBe(true);
    expect(statements.filter(({ sql }) => sql.includes('credential_values'))).toEqual([]);
  });

  it('are at most 1,000 of one bundle', async () => {
    const { place } = await bundleWith('SHARED');
    await stage.test.dataSource.query(
      `INSERT INTO credentials (id, kind, owner, bundle_id, entry_id, origin)
       SELECT uuid_v7(), 'SECRETS', 'BUNDLE', $1, uuid_v7(), 'https://mcp.example.com' FROM generate_series(1, 1000)`,
      [place.bundle_id],
    );
    const answer = await give(owner, { ...place, values: { 'X-Api-Key': KEY } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'credential_conflict' } });
    expect(answer.text).toContain('1000');
  });

  it('are those of the mode that a deployment is bound to', async () => {
    const { endpoint, entryId, place } = await bundleWith('SHARED');
    await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    const { version } = (await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}`)) as { version: number };
    const deployment = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/deployments`, {
      method: 'post',
      send: { name: 'D', environment: 'test', kind: 'ENDPOINT', bundle_version: version },
    });
    const path = `/mcp/deployments/${(deployment as { id: string }).id}`;
    await owner.api
      .raw('patch', `/v1/bundles/${endpoint.bundleId}/entries/${entryId}`)
      .send({ credential_mode: 'NONE' });
    const bound = await owner.modern({ path });
    const name = nameOf(await bound.all('tools/list', 'tools'), '__echo');
    expect(await bound.result('tools/call', { name })).not.toHaveProperty('isError');
    expect(await (await owner.modern(endpoint)).all('tools/list', 'tools')).toEqual([]);
  });

  it('are not sent by http, unless the operator allows that on this machine', async () => {
    const strict = await createStage(1);
    try {
      const person = await strict.person();
      const endpoint = await person.endpoint([]);
      const listing = await secretListing(strict, upstream.url);
      const entryId = await endpoint.add(listing, { credential_mode: 'SHARED' });
      const place = { bundle_id: endpoint.bundleId, entry_id: entryId };
      expect(await give(person, { ...place, values: { 'X-Api-Key': KEY } })).toMatchObject({ status: 409 });
      // One that is there already, as after the setting was taken back.
      await strict.test.dataSource.query(
        `INSERT INTO credentials (id, kind, owner, bundle_id, entry_id, origin) VALUES ($1, 'SECRETS', 'BUNDLE', $2, $3, $4)`,
        [newId(), endpoint.bundleId, entryId, new URL(upstream.url).origin],
      );
      await strict.test.dataSource.query(
        `INSERT INTO credential_values (id, credential_id, name, sealed) SELECT $1, id, 'X-Api-Key', 'x' FROM credentials`,
        [newId()],
      );
      upstream.received.length = 0;
      await (await person.modern(endpoint)).all('tools/list', 'tools');
      expect(upstream.received).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  it('end with the account of a person, and with the bundle', async () => {
    const person = await stage.person();
    const endpoint = await owner.endpoint([], {}, { visibility: 'PUBLIC' });
    const entryId = await endpoint.add(await secretListing(stage, upstream.url), { credential_mode: 'PERSONAL' });
    const place = { bundle_id: endpoint.bundleId, entry_id: entryId, is_personal: true };
    for (const each of [owner, person]) await given(each, { ...place, values: { 'X-Api-Key': KEY } });
    const count = async () => {
      const [row] = await stage.test.dataSource.query<{ n: number }[]>(
        `SELECT count(*)::int AS n FROM credentials WHERE bundle_id = $1`,
        [endpoint.bundleId],
      );
      return row?.n;
    };
    const body = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/deletion-preview`);
    expect(body).toMatchObject({ credential_count: 2 });
    await person.api.delete('/v1/users/me', 204);
    expect(await count()).toBe(1);
    await owner.api.delete(`/v1/bundles/${endpoint.bundleId}`, 204);
    expect(await count()).toBe(0);
  });
});
