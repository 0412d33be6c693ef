import { eventually } from '../../support/eventually';
import { unique } from '../../support/factories';
import {
  browserOf,
  connect,
  type ConnectStage,
  connectUrl,
  createConnectStage,
  hiddenFields,
  personalEndpoint,
  press,
  toolOf,
  withServers,
} from '../support/connect-stage';
import type { Endpoint, Person } from '../support/endpoint-stage';
import type { Json } from '../support/test-upstream';

const CALLBACK = 'https://toolyard.test/connect/callback';

describe('Accounts and clients', () => {
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

  const give = async (body: Json, status = 201) => {
    const answer = await ada.api.raw('post', '/v1/credentials').send(body);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    return (answer.body as { id: string }).id;
  };
  const client = (endpoint: Endpoint, entry_id: string): Json => ({
    ...{ bundle_id: endpoint.bundleId, entry_id, kind: 'OAUTH_CLIENT', client_id: 'known:1', client_secret: 's+e c%' },
  });
  const register = () =>
    at.issuer.clients.set('known:1', { id: 'known:1', secret: 's+e c%', redirectUris: [CALLBACK] });

  it('use a client that an editor has registered before anything else', async () => {
    at.issuer.metadata = { client_id_metadata_document_supported: true };
    register();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    const clientId = await give(client(endpoint, entryId));
    expect((await connect(at.stage, ada, endpoint, entryId)).text).toContain('<h1>Connected</h1>');
    expect([at.issuer.authorizations[0]?.get('client_id'), at.issuer.registrations]).toEqual(['known:1', []]);
    expect(at.issuer.authorizations[0]?.get('redirect_uri')).toBe(CALLBACK);

    // It is bound to that issuer now.
    const other = await withServers(at.stage);
    other.issuer.protect(at.upstream);
    const moved = await connect(at.stage, ada, endpoint, entryId);
    expect([moved.status, other.issuer.authorizations, other.issuer.tokenRequests]).toEqual([409, [], []]);
    const [row] = await at.stage.test.dataSource.query<object[]>(`SELECT issuer FROM credentials WHERE id = $1`, [
      clientId,
    ]);
    expect(row).toEqual({ issuer: at.issuer.issuer });
    await other.close();
  });

  it('renew with the secret of such a client', async () => {
    register();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await give(client(endpoint, entryId));
    await connect(at.stage, ada, endpoint, entryId);
    const caller = await ada.modern(endpoint);
    const name = await toolOf(caller);
    at.issuer.forgetTokens('access');
    expect((await caller.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
    expect(at.issuer.tokenRequests.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
  });

  it.each([
    ['a person', 'PERSON'],
    ['everyone', 'BUNDLE'],
  ])('of an organisation renew the tokens of %s, and leave their secret where it is', async (_what, owner) => {
    register();
    const org = await ada.api.raw('post', '/v1/organisations').send({ name: 'Acme', slug: unique('acme') });
    const { id: org_id } = org.body as { id: string };
    const endpoint = await ada.endpoint([], {}, { org_id });
    const listing_id = await at.stage.listing(at.upstream.url);
    const entryId = await endpoint.add(listing_id, { credential_mode: 'PERSONAL_OR_SHARED' });
    await give({ org_id, listing_id, kind: 'OAUTH_CLIENT', client_id: 'known:1', client_secret: 's+e c%' });
    expect((await connect(at.stage, ada, endpoint, entryId, owner)).text).toContain('<h1>Connected</h1>');
    const caller = await ada.modern(endpoint);
    const name = await toolOf(caller);
    at.issuer.forgetTokens('access');
    expect((await caller.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
    expect(at.issuer.tokenRequests.at(-1)?.get('grant_type')).toBe('refresh_token');
    const sql = `SELECT name FROM credential_values JOIN credentials ON credentials.id = credential_id
      WHERE entry_id = $1 ORDER BY name`;
    expect(await at.stage.test.dataSource.query<object[]>(sql, [entryId])).toEqual([
      { name: 'access_token' },
      { name: 'refresh_token' },
    ]);
  });

  it('of machines get tokens of their own, and others when these are refused', async () => {
    register();
    const { endpoint, entryId } = await personalEndpoint(at, ada, 'SHARED');
    await give({ ...client(endpoint, entryId), scopes: ['files:read'] });
    const machine = Object.assign(await ada.modern(endpoint), { token: await endpoint.bundleToken() });
    const name = await eventually(
      () => toolOf(machine).catch(() => ''),
      (found) => found !== '',
      10_000,
    );
    const call = () => machine.result('tools/call', { name, arguments: {} });
    expect((await call()).isError).toBeUndefined();
    at.issuer.forgetTokens();
    expect((await call()).isError).toBeUndefined();
    const asked = at.issuer.tokenRequests.map((form) => [
      form.get('grant_type'),
      form.get('scope'),
      form.get('resource'),
    ]);
    expect(asked).toEqual([
      ['client_credentials', 'files:read', at.upstream.url],
      ['client_credentials', 'files:read', at.upstream.url],
    ]);
  });

  it('keep the secret of a client when tokens for everyone take its place', async () => {
    register();
    const { endpoint, entryId } = await personalEndpoint(at, ada, 'SHARED');
    await give(client(endpoint, entryId));
    for (let times = 0; times < 2; times++)
      expect((await connect(at.stage, ada, endpoint, entryId, 'BUNDLE')).text).toContain('<h1>Connected</h1>');
    expect(at.issuer.authorizations.map((query) => query.get('client_id'))).toEqual(['known:1', 'known:1']);
  });

  it('are given back when a credential is deleted, which waits for nobody', async () => {
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await connect(at.stage, ada, endpoint, entryId);
    const sql = `SELECT id FROM credentials WHERE entry_id = $1`;
    const [row] = await at.stage.test.dataSource.query<{ id: string }[]>(sql, [entryId]);
    const answer = await ada.api.raw('delete', `/v1/credentials/${row?.id}`);
    expect(answer.status).toBe(204);
    await eventually(
      () => at.issuer.revoked,
      ({ length }) => length === 2,
      5_000,
    );
    expect(at.issuer.revoked).toEqual([expect.stringMatching(/^rt-/), expect.stringMatching(/^at-/)]);

    await connect(at.stage, ada, endpoint, entryId);
    at.issuer.fault = (path) => path === '/revoke';
    const [again] = await at.stage.test.dataSource.query<{ id: string }[]>(sql, [entryId]);
    expect((await ada.api.raw('delete', `/v1/credentials/${again?.id}`)).status).toBe(204);
  });

  it.each(['account', 'organisation'])('give their tokens back when the %s is deleted', async (what) => {
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await connect(at.stage, ada, endpoint, entryId);
    if (what === 'organisation') {
      const orgId = (await ada.api.post('/v1/organisations', { name: unique('Doomed') })).body.id;
      await at.stage.test.dataSource.query(`UPDATE bundles SET org_id = $2 WHERE id = $1`, [endpoint.bundleId, orgId]);
      await ada.api.delete(`/v1/organisations/${orgId}`, 204);
    } else {
      await ada.api.delete('/v1/users/me', 204);
    }
    await eventually(
      () => at.issuer.revoked,
      ({ length }) => length === 2,
      5_000,
    );
    expect(at.issuer.revoked).toEqual([expect.stringMatching(/^rt-/), expect.stringMatching(/^at-/)]);
    const left = `SELECT FROM credentials WHERE entry_id = $1`;
    expect(await at.stage.test.dataSource.query<object[]>(left, [entryId])).toEqual([]);
  });

  it('are registered again where the issuer does not know us any more', async () => {
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await connect(at.stage, ada, endpoint, entryId);
    const browser = await browserOf(at.stage, ada);
    const url = await connectUrl(ada, endpoint, entryId);
    // It forgets the client between the code and the tokens.
    at.issuer.fault = (path) => {
      if (path === '/token') at.issuer.clients.clear();
      return false;
    };
    const lost = await press(browser, url);
    expect([lost.status, lost.text]).toEqual([409, expect.stringContaining('Try again')]);
    at.issuer.fault = () => false;
    expect((await press(browser, url)).text).toContain('<h1>Connected</h1>');
    expect(at.issuer.registrations).toHaveLength(2);
  });

  describe('that are secrets', () => {
    const HEADERS = [
      { name: 'X-Api-Key', isSecret: true, isRequired: true, description: 'From \u202Eyour\u0085 <settings>.' },
      { name: 'X-Tenant', isSecret: true },
    ];
    const withSecrets = async () => {
      const endpoint = await ada.endpoint([]);
      const remotes = [{ type: 'streamable-http', url: at.upstream.url, headers: HEADERS }];
      const listing = await at.stage.listing(at.upstream.url, { server: { remotes } });
      const entryId = await endpoint.add(listing, { credential_mode: 'PERSONAL' });
      at.upstream.fault = ({ received, response }) => {
        const isKnown = received.headers['x-api-key'] === 'sesame';
        if (!isKnown) response.writeHead(401).end();
        return !isKnown;
      };
      return { endpoint, entryId, url: await connectUrl(ada, endpoint, entryId) };
    };

    it('are asked for by the page, and never shown again', async () => {
      const { endpoint, url } = await withSecrets();
      const browser = await browserOf(at.stage, ada);
      const page = await browser.request(url);
      expect(page.text).toMatch(
        /<label for="secret-0"><bdi>X-Api-Key<\/bdi><\/label>[^]*type="password"[^]*<bdi>From your &lt;settings&gt;/,
      );
      const done = await press(browser, url, undefined, { secret_0: ' sesame\n', secret_1: '' });
      expect(done.text).toContain('<h1>Connected</h1>');
      expect((await browser.request(url)).text).not.toContain('sesame');
      const caller = await ada.modern(endpoint);
      const name = await toolOf(caller);
      expect((await caller.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
    });

    const changeServer = (entryId: string, path: string, value: string) =>
      at.stage.test.dataSource.query(
        `UPDATE listing_versions SET server = jsonb_set(server::jsonb, $2::text[], to_jsonb($3::text))::json
         WHERE listing_id = (SELECT listing_id FROM bundle_entries WHERE id = $1)`,
        [entryId, path, value],
      );
    const saved = async (entryId: string) => {
      const sql = `SELECT origin FROM credentials WHERE entry_id = $1`;
      return at.stage.test.dataSource.query<{ origin: string }[]>(sql, [entryId]);
    };

    it.each([
      ['is somewhere else', '{remotes,0,url}', 'https://evil.example/mcp'],
      ['asks for something else', '{remotes,0,headers,0,name}', 'X-Master-Key'],
    ])('are not saved for a server that %s since the page was shown', async (_what, path, value) => {
      const { entryId, url } = await withSecrets();
      const browser = await browserOf(at.stage, ada);
      const fields = hiddenFields(await browser.request(url));
      await changeServer(entryId, path, value);
      const shown = await browser.request(url, { form: { ...fields, secret_0: 'sesame' } });
      expect([shown.status, shown.text]).toEqual([409, expect.stringContaining('The server has changed')]);
      expect(shown.text).not.toContain('sesame');
      expect(await saved(entryId)).toEqual([]);
      const again = await browser.request(url, { form: { ...hiddenFields(shown), secret_0: 'sesame' } });
      expect([again.status, (await saved(entryId)).length]).toEqual([200, 1]);
    });

    it('are neither asked for nor saved where they would not be encrypted', async () => {
      const { entryId, url } = await withSecrets();
      await changeServer(entryId, '{remotes,0,url}', 'http://mcp.example.com/mcp');
      const browser = await browserOf(at.stage, ada);
      const page = await browser.request(url);
      expect([page.status, page.text]).toEqual([409, expect.stringContaining('not encrypted')]);
      expect(await saved(entryId)).toEqual([]);
    });

    it.each([
      ['nothing', '', 'Enter a value.'],
      ['control characters', 'a\u0007b', 'control characters'],
      ['more than 8 KiB', 'a'.repeat(8_193), 'at most 8 KiB'],
    ])('are not saved with %s', async (_what, secret_0, words) => {
      const { url } = await withSecrets();
      const shown = await press(await browserOf(at.stage, ada), url, undefined, { secret_0 });
      expect([shown.status, shown.text]).toEqual([422, expect.stringContaining(words)]);
      if (secret_0 !== '') expect(shown.text).not.toContain(secret_0);
    });
  });
});
