import { createCast } from '../support/factories';
import { DnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { statementsOf } from '../support/statements';
import { bodyOf, give, given, OVER_LOOPBACK, requireKey } from './support/credential-stage';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

const KEY = 'Bearer key-of-one-origin-K3PZ';
const STDIO = {
  registryType: 'npm',
  identifier: 'weather',
  version: '1.0.0',
  transport: { type: 'stdio' },
  environmentVariables: [{ name: 'WEATHER_TOKEN', isSecret: true, isRequired: true }],
};

const HIDDEN = 'It uses no credential, and only those who belong to the bundle see where its server runs.';

/** Entries whose listings have only packages, which their editors run somewhere. */
describe('A server at the endpoint_url of an entry', () => {
  let stage: Stage;
  let owner: Person;
  let endpoint: Endpoint;
  let upstream: TestUpstream;
  let other: TestUpstream;

  beforeAll(async () => {
    stage = await createStage(2, { env: OVER_LOOPBACK });
    owner = await stage.person();
  });
  beforeEach(async () => {
    upstream = await TestUpstream.start();
    other = await TestUpstream.start();
    other.tools = [toolOf('echo'), toolOf('moved')];
    endpoint = await owner.endpoint([]);
  });
  afterEach(async () => {
    await upstream.close();
    await other.close();
  });
  afterAll(() => stage.close());

  const listing = (server: Json = { packages: [STDIO] }, fields: Json = {}) => stage.listing('', { ...fields, server });
  const entry = async (fields: Json = {}, server?: Json) =>
    endpoint.add(await listing(server), { endpoint_url: upstream.url, ...fields });
  const set = async (entryId: string, fields: Json) => {
    const path = `/v1/bundles/${endpoint.bundleId}/entries/${entryId}`;
    const answer = await owner.api.raw('patch', path).send(fields);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  };
  const placeOf = (entryId: string) => ({ bundle_id: endpoint.bundleId, entry_id: entryId });
  const namesOf = async (client: ModernClient) =>
    (await client.all('tools/list', 'tools')).map(({ name }) => String(name).split('__')[1]);
  const echo = async (client: ModernClient) => {
    const tools = await client.all('tools/list', 'tools');
    const name = String(tools.find((tool) => String(tool.name).endsWith('__echo'))?.name);
    return client.result('tools/call', { name, arguments: { a: 1 } });
  };
  const report = async () =>
    (await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/compile`, { method: 'post' })) as {
      entries: Json[];
      problems: { code: string; detail: string; entry_id: string }[];
    };
  const needs = async () => (await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/credential-needs`)) as Json[];
  const deploy = async (version?: number) => {
    const { version: newest } = (await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}`)) as { version: number };
    const answer = await owner.api.raw('post', `/v1/bundles/${endpoint.bundleId}/deployments`).send({
      ...{ name: 'D', environment: 'test', kind: 'ENDPOINT', bundle_version: version ?? newest },
    });
    return { path: `/mcp/deployments/${(answer.body as { id: string }).id}`, version: newest };
  };

  it('lists and calls like a remote server, to clients of both eras', async () => {
    await entry();
    const modern = await owner.modern(endpoint);
    expect(await namesOf(modern)).toContain('echo');
    expect(await echo(modern)).toMatchObject({ content: [{ text: '{"a":1}' }] });
    const legacy = await owner.legacy(endpoint);
    const { tools } = await legacy.result('tools/list');
    const name = (tools as { name: string }[]).find((tool) => tool.name.endsWith('__echo'))?.name;
    expect(await legacy.result('tools/call', { name, arguments: { b: 2 } })).toMatchObject({
      content: [{ text: '{"b":2}' }],
    });
    expect(await report()).toMatchObject({ entries: [{ state: 'READY', tool_count: 6 }], problems: [] });
  });

  it('is out of reach without the address, and the report says how to get on', async () => {
    const entryId = await entry({ endpoint_url: null });
    const { entries, problems } = await report();
    expect(entries).toMatchObject([{ entry_id: entryId, state: 'OUT_OF_REACH' }]);
    expect(problems).toMatchObject([{ code: 'no_remote', entry_id: entryId }]);
    for (const word of ['endpoint_url', '/export?client=compose', 'kubernetes']) {
      expect(problems[0]?.detail).toContain(word);
      expect(entries[0]?.reason).toContain(word);
    }
    expect(await namesOf(await owner.modern(endpoint))).toEqual([]);
  });

  it('is another one from the next request on, in every process', async () => {
    const entryId = await entry();
    const client = await owner.modern(endpoint);
    for (const _ of stage.urlsOf('')) expect(await namesOf(client)).not.toContain('moved');
    await set(entryId, { endpoint_url: other.url });
    for (const _ of stage.urlsOf('')) {
      expect(await namesOf(client)).toEqual(['echo', 'moved']);
      await echo(client);
    }
    expect([upstream.of('tools/call').length, other.of('tools/call').length]).toEqual([0, 2]);
    await set(entryId, { endpoint_url: null });
    for (const _ of stage.urlsOf('')) expect(await namesOf(client)).toEqual([]);
  });

  it('keeps the names of its tools when it moves', async () => {
    const entryId = await entry();
    const client = await owner.modern(endpoint);
    const before = (await client.all('tools/list', 'tools')).map(({ name }) => name);
    await set(entryId, { endpoint_url: other.url });
    const after = (await client.all('tools/list', 'tools')).map(({ name }) => name);
    expect(before).toContain(after[0]);
  });

  it('costs a call nothing but the statement that admits it', async () => {
    await entry();
    const client = new ModernClient([stage.test.url + endpoint.path], await owner.tokenFor(endpoint.path));
    await echo(client);
    const [tool] = await client.all('tools/list', 'tools');
    const statements = await statementsOf(stage.test, () => client.result('tools/call', { name: tool?.name }));
    const about = statements.filter(({ sql }) => sql.includes('endpoint_url') || sql.includes('bundle_entries'));
    expect(about.map(({ sql }) => sql.includes('asked.person_id'))).toEqual([true]);
  });

  it('is that of the version to which a deployment is bound', async () => {
    const entryId = await entry();
    const { path, version } = await deploy();
    await set(entryId, { endpoint_url: other.url });
    const { path: newer } = await deploy();
    await set(entryId, { endpoint_url: null });
    expect(await namesOf(await owner.modern({ path }))).toContain('progress');
    expect(await echo(await owner.modern({ path }))).not.toHaveProperty('isError');
    expect(await namesOf(await owner.modern({ path: newer }))).toEqual(['echo', 'moved']);
    expect(await namesOf(await owner.modern(endpoint))).toEqual([]);
    await owner.api.raw('post', `/v1/bundles/${endpoint.bundleId}/versions/${version}/restore`).send({});
    expect(await namesOf(await owner.modern(endpoint))).toContain('progress');
    expect([upstream.of('tools/call').length, other.of('tools/call').length]).toEqual([1, 0]);
  });

  it('is none in versions of earlier releases', async () => {
    await entry();
    const { path } = await deploy();
    await stage.test.dataSource.query(
      `UPDATE bundle_versions SET entries = jsonb_build_array((entries->0) - 'endpoint_url')
       WHERE bundle_id = $1 AND entry_count = 1`,
      [endpoint.bundleId],
    );
    expect(await namesOf(await owner.modern({ path }))).toEqual([]);
    expect(await namesOf(await owner.modern(endpoint))).toContain('echo');
  });

  it('stays in force when the listing gets a remote server, which the report says', async () => {
    const entryId = await entry();
    const client = await owner.modern(endpoint);
    await client.all('tools/list', 'tools');
    const { listing_id } = (await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/entries/${entryId}`)) as Json;
    await stage.test.dataSource.query(
      `UPDATE listing_versions SET updated_at = now() + interval '1 second',
         server = (server::jsonb || jsonb_build_object('remotes', $2::jsonb))::json WHERE listing_id = $1`,
      [listing_id, JSON.stringify([{ type: 'streamable-http', url: other.url }])],
    );
    expect(await echo(client)).not.toHaveProperty('isError');
    const { entries, problems } = await report();
    expect(entries).toMatchObject([{ state: 'READY', reason: null }]);
    expect(problems).toMatchObject([{ code: 'endpoint_url_kept', entry_id: entryId }]);
    expect(other.connections).toBe(0);
    await set(entryId, { endpoint_url: null });
    expect(await namesOf(client)).toEqual(['echo', 'moved']);
    expect((await report()).problems).toEqual([]);
  });

  it('is pinned: another server behind the address shows nothing that is not approved', async () => {
    const entryId = await entry();
    const client = await owner.modern(endpoint);
    await client.all('tools/list', 'tools');
    await set(entryId, { pinning: 'APPROVE' });
    expect(await namesOf(client)).toContain('echo');
    other.tools = [toolOf('echo', { description: 'Sends everything elsewhere.' }), toolOf('moved')];
    await set(entryId, { endpoint_url: other.url });
    expect(await namesOf(client)).toEqual(['echo']);
    expect(await echo(client)).toMatchObject({ isError: true });
    expect(other.of('tools/call')).toEqual([]);
  });

  it('shows its origin to outsiders of a public bundle only where they may give a credential', async () => {
    endpoint = await owner.endpoint([], {}, { visibility: 'PUBLIC' });
    const entryId = await entry();
    const outsider = await stage.person();
    const needsOf = (person: Person) => bodyOf(person, `/v1/bundles/${endpoint.bundleId}/credential-needs`);
    const origin = `http://127.0.0.1:${upstream.port}`;
    expect(await needsOf(owner)).toMatchObject([{ origin, reason: null }]);
    expect(await needsOf(outsider)).toMatchObject([{ origin: null, reason: HIDDEN }]);
    expect(JSON.stringify(await needsOf(outsider))).not.toContain(String(upstream.port));
    await set(entryId, { credential_mode: 'PERSONAL' });
    expect(await needsOf(outsider)).toMatchObject([{ origin, reason: null }]);
    await set(entryId, { credential_mode: 'NONE', endpoint_url: null });
    expect(await needsOf(outsider)).toMatchObject([{ origin: null }]);
    expect(JSON.stringify(await needsOf(outsider))).toContain('packages are not run here');
  });

  describe('with credentials', () => {
    const keys = new Set([KEY]);
    beforeEach(() => requireKey(upstream, keys, 'authorization'));

    it('gets the header Authorization that was given for it, and no secret of the package', async () => {
      const entryId = await entry({ credential_mode: 'SHARED' });
      const place = placeOf(entryId);
      const origin = `http://127.0.0.1:${upstream.port}`;
      expect(await needs()).toMatchObject([
        {
          origin,
          state: 'MISSING',
          secrets: [],
          set_elsewhere: ['WEATHER_TOKEN'],
          kinds: ['OAUTH', 'OAUTH_CLIENT', 'SECRETS'],
        },
      ]);
      const refused = await give(owner, { ...place, values: { WEATHER_TOKEN: 'w' } });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('where it runs');
      expect(await given(owner, { ...place, values: { Authorization: KEY } })).toMatchObject({ origin });
      expect(await echo(await owner.modern(endpoint))).not.toHaveProperty('isError');
      expect(upstream.of('tools/call').map(({ headers }) => headers.authorization)).toEqual([KEY]);
      expect(await needs()).toMatchObject([{ state: 'CONNECTED' }]);
    });

    it('gets the secret headers of a package that speaks HTTP', async () => {
      requireKey(upstream, new Set(['k-1']), 'x-api-key');
      const headers = [{ name: 'X-Api-Key', isSecret: true, isRequired: true }];
      const http = { ...STDIO, transport: { type: 'streamable-http', url: 'http://127.0.0.1/mcp', headers } };
      const entryId = await entry({ credential_mode: 'SHARED' }, { packages: [http] });
      expect(await needs()).toMatchObject([{ secrets: [{ name: 'X-Api-Key', is_required: false }] }]);
      await given(owner, { ...placeOf(entryId), values: { 'X-Api-Key': 'k-1' } });
      expect(await echo(await owner.modern(endpoint))).not.toHaveProperty('isError');
    });

    it('gets nothing at another origin until that is confirmed: a listening server gets no connection', async () => {
      const entryId = await entry({ credential_mode: 'SHARED' });
      const { id } = await given(owner, { ...placeOf(entryId), values: { Authorization: KEY } });
      const client = await owner.modern(endpoint);
      expect(await echo(client)).not.toHaveProperty('isError');
      await set(entryId, { endpoint_url: other.url });
      for (const _ of stage.urlsOf('')) expect(await namesOf(client)).toEqual([]);
      expect((await report()).problems).toMatchObject([{ code: 'credential_origin_changed' }]);
      await owner.api.raw('post', `/v1/bundles/${endpoint.bundleId}/endpoint/refresh`);
      const events = await eventually(
        () =>
          stage.test.dataSource.query<{ data: Json }[]>(
            `SELECT data FROM events WHERE type = 'credential.origin_changed' AND data->>'credential_id' = $1`,
            [id],
          ),
        (found) => found.length > 0,
        5_000,
      );
      const origin = `http://127.0.0.1:${other.port}`;
      expect(events).toMatchObject([{ data: { new_origin: origin } }]);
      expect(await needs()).toMatchObject([{ state: 'ORIGIN_CHANGED', origin }]);
      expect([other.connections, other.received]).toEqual([0, []]);
      const patch = (body: Json) => owner.api.raw('patch', `/v1/credentials/${id}`).send(body);
      expect((await patch({ values: { Authorization: 'Bearer x' } })).status).toBe(409);
      expect((await patch({ origin })).status).toBe(200);
      expect(await echo(client)).not.toHaveProperty('isError');
      expect(other.of('tools/call').map(({ headers }) => headers.authorization)).toEqual([KEY]);
    });

    it('gets them at another path of the same origin, as a listing that moves within its origin', async () => {
      const entryId = await entry({ credential_mode: 'SHARED' });
      await given(owner, { ...placeOf(entryId), values: { Authorization: KEY } });
      await set(entryId, { endpoint_url: `${upstream.url}?region=eu` });
      expect(await echo(await owner.modern(endpoint))).not.toHaveProperty('isError');
    });

    it('gets none of an organisation, which are for where the listing says', async () => {
      const { orgId, owner: admin } = await createCast(stage.test);
      const listingId = await listing({
        packages: [],
        remotes: [{ type: 'streamable-http', url: upstream.url, headers: [{ name: 'Authorization', isSecret: true }] }],
      });
      const common = { org_id: orgId, listing_id: listingId, values: { Authorization: KEY } };
      expect((await admin.raw('post', '/v1/credentials').send(common)).status).toBe(201);
      const { id: bundleId } = (await admin.post('/v1/bundles', { name: 'Ours', org_id: orgId })).body;
      const path = `/v1/bundles/${bundleId}`;
      const added = await admin
        .raw('post', `${path}/entries`)
        .send({ listing_id: listingId, credential_mode: 'SHARED' });
      const entryId = (added.body as { id: string }).id;
      const stateNow = async () =>
        ((await admin.raw('get', `${path}/credential-needs`)).body as { state: string; shared: Json | null }[])[0];
      expect(await stateNow()).toMatchObject({ state: 'CONNECTED', shared: { owner: 'ORGANISATION' } });
      await stage.test.dataSource.query(
        `UPDATE listing_versions SET server = (server::jsonb - 'remotes')::json WHERE listing_id = $1`,
        [listingId],
      );
      const moved = await admin
        .raw('patch', `${path}/entries/${entryId}`)
        .send({ endpoint_url: `${upstream.url}/tenant` });
      expect(moved.status).toBe(200);
      expect(await stateNow()).toMatchObject({ state: 'MISSING', shared: null });
      await admin.raw('patch', `${path}/endpoint`).send({ is_enabled: true });
      const compiled = (await admin.raw('post', `${path}/compile`)).body as { problems: Json[] };
      expect(compiled.problems).toContainEqual(expect.objectContaining({ code: 'credential_missing' }));
      expect(upstream.received.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    });

    it('is not given any by http, unless the operator allows that on this machine', async () => {
      const strict = await createStage(1);
      try {
        const person = await strict.person();
        const bundle = await person.endpoint([]);
        const listingId = await strict.listing('', { server: { packages: [STDIO] } });
        const entryId = await bundle.add(listingId, { endpoint_url: upstream.url, credential_mode: 'SHARED' });
        const place = { bundle_id: bundle.bundleId, entry_id: entryId };
        expect(await give(person, { ...place, values: { Authorization: KEY } })).toMatchObject({ status: 409 });
      } finally {
        await strict.close();
      }
    });
  });
});

describe('An endpoint_url that is not public', () => {
  let stage: Stage;
  let dns: DnsServer;
  let trap: TestUpstream;

  beforeAll(async () => {
    dns = await DnsServer.start();
    trap = await TestUpstream.start();
    stage = await createStage(1, { dns: dns.resolver, env: { WEBHOOKS_ALLOWED_NETWORKS: '' } });
  });
  afterAll(async () => {
    await stage.close();
    await trap.close();
    await dns.close();
  });

  it.each(['127.0.0.1', '169.254.169.254', '10.0.0.1'])(
    'is not dialled where its name is that of %s',
    async (address) => {
      dns.answer = (_name, family) => (family === 4 ? [address] : []);
      const person = await stage.person();
      const endpoint = await person.endpoint([]);
      const listingId = await stage.listing('', { server: { packages: [STDIO] } });
      await endpoint.add(listingId, { endpoint_url: `https://mcp.example.com:${trap.port}/${address}` });
      const compiled = await bodyOf(person, `/v1/bundles/${endpoint.bundleId}/compile`, { method: 'post' });
      const reason = 'Its address is not allowed: it is not public.';
      expect(compiled).toMatchObject({ entries: [{ state: 'FAILING', reason }] });
      expect(dns.questions).toContain('mcp.example.com 4');
      expect(trap.connections).toBe(0);
    },
  );

  it('is not taken where its text says so', async () => {
    const person = await stage.person();
    const endpoint = await person.endpoint([]);
    const listing_id = await stage.listing('', { server: { packages: [STDIO] } });
    for (const endpoint_url of [trap.url, 'https://169.254.169.254/', 'http://[::1]/', 'https://2852039166/']) {
      const answer = await person.api
        .raw('post', `/v1/bundles/${endpoint.bundleId}/entries`)
        .send({ listing_id, endpoint_url });
      expect([endpoint_url, answer.status]).toEqual([endpoint_url, 422]);
    }
    expect(trap.connections).toBe(0);
  });
});

describe('An endpoint_url by http', () => {
  let stage: Stage;
  let dns: DnsServer;
  let upstream: TestUpstream;

  beforeAll(async () => {
    dns = await DnsServer.start();
    upstream = await TestUpstream.start();
    stage = await createStage(1, { dns: dns.resolver });
  });
  afterAll(async () => {
    await stage.close();
    await upstream.close();
    await dns.close();
  });

  it('is dialled in networks that the operator allows only, whatever its name becomes', async () => {
    const person = await stage.person();
    const endpoint = await person.endpoint([]);
    const add = async (host: string) => {
      const listingId = await stage.listing('', { server: { packages: [STDIO] } });
      await endpoint.add(listingId, { endpoint_url: `http://${host}:${upstream.port}/mcp` });
    };
    dns.answer = (name, family) => {
      if (family === 6) return [];
      return name === 'became-public' ? ['203.0.113.1', '8.8.8.8'] : ['8.8.8.8', '127.0.0.1'];
    };
    await add('became-public');
    await add('mcp-github');
    const compiled = await bodyOf(person, `/v1/bundles/${endpoint.bundleId}/compile`, { method: 'post' });
    const reason =
      'Its address is public, and a host that is not is reached by http only in networks that the operator allows.';
    expect(compiled).toMatchObject({ entries: [{ state: 'FAILING', reason }, { state: 'READY' }] });
  });
});
