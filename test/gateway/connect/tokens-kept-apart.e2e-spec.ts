import { CredentialSecrets } from '../../../src/gateway/credentials/credential-secrets';
import { eventually } from '../../support/eventually';
import {
  connect,
  type ConnectStage,
  createConnectStage,
  personalEndpoint,
  toolOf,
  withServers,
} from '../support/connect-stage';
import type { Endpoint, Person } from '../support/endpoint-stage';
import type { ModernClient } from '../support/mcp-client';
import type { Json } from '../support/test-upstream';

const CALLBACK = 'https://toolyard.test/connect/callback';
const NAMES = ['access_token', 'refresh_token', 'client_secret'];

function gateOf() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

describe('Tokens and secrets of clients', () => {
  let shared: ConnectStage;
  let at: ConnectStage;
  let ada: Person;
  beforeAll(async () => {
    shared = await createConnectStage();
  });
  beforeEach(async () => {
    at = await withServers(shared.stage);
    ada = await at.stage.person();
  });
  afterEach(() => at.close());
  afterAll(() => shared.close());

  const register = (id: string, secret: string, issuer = at.issuer) =>
    issuer.clients.set(id, { id, secret, redirectUris: [CALLBACK] });
  const giveClient = async (endpoint: Endpoint, entry_id: string) => {
    const body = {
      bundle_id: endpoint.bundleId,
      entry_id,
      kind: 'OAUTH_CLIENT',
      client_id: 'one',
      client_secret: 's1',
    };
    const answer = await ada.api.raw('post', '/v1/credentials').send(body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return (answer.body as { id: string }).id;
  };
  const offered = (client: ModernClient) =>
    eventually(
      () => toolOf(client).catch(() => ''),
      (found) => found !== '',
      10_000,
    );
  const rowOf = async (id: string) => {
    const sql = `SELECT credentials.*, ARRAY(SELECT name FROM credential_values WHERE credential_id = credentials.id ORDER BY name) AS names
      FROM credentials WHERE id = $1`;
    return (await at.stage.test.dataSource.query<Json[]>(sql, [id]))[0];
  };
  const idIn = async (entryId: string) => {
    const sql = `SELECT id FROM credentials WHERE entry_id = $1`;
    return String((await at.stage.test.dataSource.query<{ id: string }[]>(sql, [entryId]))[0]?.id);
  };

  it('are not put where a server.json names them', async () => {
    register('one', 's1');
    const headers = NAMES.map((name) => ({
      name: `X-${name.replace('_', '-')}`,
      value: `{${name}}`,
      variables: { [name]: { isSecret: true } },
    }));
    const plain = NAMES.map((name) => ({ name, isSecret: true }));
    const remotes = [{ type: 'streamable-http', url: at.upstream.url, headers: [...headers, ...plain] }];
    const listing = await at.stage.listing(at.upstream.url, { server: { remotes } });
    for (const mode of ['PERSONAL', 'SHARED']) {
      const endpoint = await ada.endpoint([]);
      const entryId = await endpoint.add(listing, { credential_mode: mode });
      if (mode === 'SHARED') await giveClient(endpoint, entryId);
      else await connect(at.stage, ada, endpoint, entryId);
      const client = await ada.modern(endpoint);
      const name = await offered(client);
      expect((await client.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
    }
    const sent = at.upstream.received.map(({ headers: names }) => Object.keys(names));
    const others = sent
      .flat()
      .filter((name) => NAMES.some((secret) => name.endsWith(secret.replace('_', '-')) || name === secret));
    expect([sent.length > 0, others]).toEqual([true, []]);
  });

  it('of a client that is changed are got again, and from where the client is good for', async () => {
    register('one', 's1');
    const { endpoint, entryId } = await personalEndpoint(at, ada, 'SHARED');
    const id = await giveClient(endpoint, entryId);
    const client = await ada.modern(endpoint);
    await offered(client);
    const { issuer } = at.issuer;
    expect(await rowOf(id)).toMatchObject({ issuer, names: ['access_token', 'client_secret'] });
    // Nobody asks for tokens until the test lets them.
    const gate = gateOf();
    at.upstream.fault = () => true;
    at.issuer.fault = async () => {
      await gate.opened;
      return false;
    };
    const change = async (body: Json) => {
      expect((await ada.api.raw('patch', `/v1/credentials/${id}`).send(body)).status).toBe(200);
      return rowOf(id);
    };
    const names = ['client_secret'];
    expect(await change({ scopes: ['files:read'] })).toMatchObject({ issuer, names, expires_at: null });
    const forgotten = {
      issuer: null,
      token_endpoint: null,
      revocation_endpoint: null,
      token_auth: null,
      resource: null,
    };
    expect(await change({ client_secret: 's2' })).toMatchObject({ ...forgotten, names, expires_at: null });
    register('one', 's2');
    at.issuer.protect(at.upstream);
    gate.open();
    await offered(client);
    expect(await rowOf(id)).toMatchObject({ issuer, names: ['access_token', 'client_secret'] });
  });

  it('that were renewed for an account of before do not take the place of those that were given meanwhile', async () => {
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await connect(at.stage, ada, endpoint, entryId);
    const client = await ada.modern(endpoint);
    const name = await offered(client);
    const [gate, held] = [gateOf(), gateOf()];
    at.issuer.fault = async (path) => {
      if (path !== '/token') return false;
      at.issuer.fault = () => false;
      held.open();
      await gate.opened;
      return false;
    };
    at.issuer.forgetTokens('access');
    const call = client.request('tools/call', { name, arguments: {} });
    await held.opened;
    expect((await connect(at.stage, ada, endpoint, entryId)).text).toContain('<h1>Connected</h1>');
    const stored = () =>
      at.stage.test.dataSource.query<object[]>(
        `SELECT name, sealed FROM credential_values WHERE credential_id = $1 ORDER BY name`,
        [id],
      );
    const id = await idIn(entryId);
    const given = await stored();
    gate.open();
    await call;
    expect(at.issuer.tokenRequests.map((form) => form.get('grant_type'))).toContain('refresh_token');
    expect([await stored(), (await rowOf(id))?.version]).toEqual([given, 2]);
    expect((await client.result('tools/call', { name: await offered(client), arguments: {} })).isError).toBeUndefined();
  });

  it('are neither sent nor asked for with another version, or for another origin', async () => {
    register('one', 's1');
    const { endpoint, entryId } = await personalEndpoint(at, ada, 'SHARED');
    const id = await giveClient(endpoint, entryId);
    const other = await withServers(at.stage);
    const secrets = at.stage.test.app.get(CredentialSecrets);
    const fill = (url: string, version: number) => secrets.fill({ url }, { id, version, placements: {} });
    const refusal = { code: 'credential_required' };
    await expect(fill(other.upstream.url, 1)).rejects.toMatchObject(refusal);
    await expect(fill(at.upstream.url, 2)).rejects.toMatchObject(refusal);
    expect([other.upstream.received, at.issuer.tokenRequests, (await rowOf(id))?.issuer]).toEqual([[], [], null]);
    expect((await fill(at.upstream.url, 1)).headers).toEqual({
      authorization: expect.stringMatching(/^Bearer at-/) as string,
    });
    await other.close();
  });
});
