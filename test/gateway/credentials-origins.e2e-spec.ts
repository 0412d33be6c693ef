import { eventually } from '../support/eventually';
import { bodyOf, given, OVER_LOOPBACK, requireKey, secretListing } from './support/credential-stage';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { type Json, TestUpstream } from './support/test-upstream';

const KEY = 'key-for-one-origin-W7QX';

describe('A credential whose server moves', () => {
  let stage: Stage;
  let owner: Person;
  let upstream: TestUpstream;
  let trap: TestUpstream;

  beforeAll(async () => {
    stage = await createStage(2, { env: OVER_LOOPBACK });
    owner = await stage.person();
  });
  beforeEach(async () => {
    upstream = await TestUpstream.start();
    trap = await TestUpstream.start();
    requireKey(upstream, new Set([KEY]));
  });
  afterEach(async () => {
    await upstream.close();
    await trap.close();
  });
  afterAll(() => stage.close());

  /** A version of the listing that points elsewhere, as an import or its publisher makes one. */
  const move = (listingId: string, url: string) =>
    stage.test.dataSource.query(
      `UPDATE listing_versions SET updated_at = now() + interval '1 second',
         server = jsonb_set(server::jsonb, '{remotes,0,url}', to_jsonb($2::text))::json
       WHERE listing_id = $1`,
      [listingId, url],
    );
  const eventsOf = (credentialId: string) =>
    stage.test.dataSource.query<{ data: Json }[]>(
      `SELECT data FROM events WHERE type = 'credential.origin_changed' AND data->>'credential_id' = $1 ORDER BY id`,
      [credentialId],
    );
  const problemsOf = async (endpoint: Endpoint) => {
    const body = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/compile`, { method: 'post' });
    return ((body as Json).problems as Json[]).map(({ code }) => code);
  };

  async function moved() {
    const endpoint = await owner.endpoint([]);
    const listingId = await secretListing(stage, upstream.url);
    const entryId = await endpoint.add(listingId, { credential_mode: 'SHARED' });
    const place = { bundle_id: endpoint.bundleId, entry_id: entryId };
    const { id } = await given(owner, { ...place, values: { 'X-Api-Key': KEY } });
    const client = await owner.modern(endpoint);
    const [tool] = await client.all('tools/list', 'tools');
    const name = String(tool?.name);
    expect(await client.result('tools/call', { name })).not.toHaveProperty('isError');
    await move(listingId, trap.url);
    return { endpoint, listingId, id, client, name, path: `/v1/credentials/${id}` };
  }

  it('is not sent to the new one, and nothing else is: a listening server gets no connection', async () => {
    const { endpoint, id, client, name } = await moved();
    for (const _ of stage.urlsOf('')) {
      expect(await client.all('tools/list', 'tools')).toEqual([]);
      expect(await client.error('tools/call', { name })).toMatchObject({ code: -32_602 });
    }
    expect(await problemsOf(endpoint)).toContain('credential_origin_changed');
    await owner.api.raw('post', `/v1/bundles/${endpoint.bundleId}/endpoint/refresh`);
    await eventually(
      () => eventsOf(id),
      (events) => events.length === 1,
      5_000,
    );
    expect(trap.connections).toBe(0);
    expect(trap.received).toEqual([]);
    const needs = await bodyOf(owner, `/v1/bundles/${endpoint.bundleId}/credential-needs`);
    expect(needs).toMatchObject([{ state: 'ORIGIN_CHANGED', origin: `http://127.0.0.1:${trap.port}` }]);
  });

  it('is told of once for each origin, however often it moves', async () => {
    const { id, listingId, client } = await moved();
    for (const url of [trap.url, upstream.url, trap.url]) {
      await move(listingId, url);
      for (const _ of stage.urlsOf('')) await client.all('tools/list', 'tools');
    }
    const events = await eventually(
      () => eventsOf(id),
      (found) => found.length > 0,
      5_000,
    );
    expect(events).toMatchObject([{ data: { new_origin: `http://127.0.0.1:${trap.port}` } }]);
    expect(trap.connections).toBe(0);
  });

  it('is changed only by who confirms the new origin', async () => {
    const { id, client, name, path } = await moved();
    const origin = `http://127.0.0.1:${trap.port}`;
    const patch = (body: Json) => owner.api.raw('patch', path).send(body);
    const values = { 'X-Api-Key': 'another-key' };
    expect(await patch({ values })).toMatchObject({ status: 409, body: { code: 'credential_conflict' } });
    expect((await patch({ values })).text).toContain(origin);
    expect(await patch({ values, origin: `http://127.0.0.1:${upstream.port}` })).toMatchObject({ status: 409 });
    expect(await patch({ origin: 'https://elsewhere.example' })).toMatchObject({ status: 409 });
    expect(trap.connections).toBe(0);
    const confirmed = await patch({ origin });
    expect(confirmed.body).toMatchObject({ id, origin, other_origins: [], status: 'ACTIVE' });
    expect(await client.all('tools/list', 'tools')).not.toEqual([]);
    expect(await client.result('tools/call', { name })).not.toHaveProperty('isError');
    expect(trap.of('tools/call').map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
  });

  it('is not sent on by a redirect', async () => {
    const { client, name, listingId } = await moved();
    await move(listingId, upstream.url);
    await client.all('tools/list', 'tools');
    upstream.fault = ({ response, received }) => {
      if (received.method !== 'tools/call') return false;
      response.writeHead(307, { location: trap.url }).end();
      return true;
    };
    expect(await client.result('tools/call', { name })).toMatchObject({ isError: true });
    expect(trap.connections).toBe(0);
  });

  it('is not sent where the host depends on a secret', async () => {
    const endpoint = await owner.endpoint([]);
    const url = 'http://127.0.0.1:{port}/mcp';
    const listing = await stage.listing(url, {
      server: {
        remotes: [{ type: 'streamable-http', url, variables: { port: { isSecret: true, isRequired: true } } }],
      },
    });
    const entryId = await endpoint.add(listing, { credential_mode: 'SHARED' });
    const answer = await owner.api
      .raw('post', '/v1/credentials')
      .send({ bundle_id: endpoint.bundleId, entry_id: entryId, values: { port: String(trap.port) } });
    expect(answer.status).toBe(409);
    expect(await problemsOf(endpoint)).toContain('invalid_server');
    expect(trap.connections).toBe(0);
  });
});
