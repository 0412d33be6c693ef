import { unique } from '../../support/factories';
import { connect, type ConnectStage, createConnectStage, toolOf, withServers } from '../support/connect-stage';
import type { Endpoint, Person } from '../support/endpoint-stage';
import type { Json } from '../support/test-upstream';

const CALLBACK = 'https://toolyard.test/connect/callback';
const PACKAGES = [{ registryType: 'npm', identifier: 'weather', version: '1.0.0', transport: { type: 'stdio' } }];

describe('Connecting an account at the endpoint_url of an entry', () => {
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

  const change = async (endpoint: Endpoint, entryId: string, fields: Json) => {
    const path = `/v1/bundles/${endpoint.bundleId}/entries/${entryId}`;
    const answer = await ada.api.raw('patch', path).send(fields);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  };

  it('discovers, asks and calls there, as at a remote server', async () => {
    const { stage, issuer, upstream } = at;
    const endpoint = await ada.endpoint([]);
    const listing = await stage.listing('', { server: { packages: PACKAGES } });
    const entryId = await endpoint.add(listing, { credential_mode: 'PERSONAL', endpoint_url: upstream.url });
    expect((await connect(stage, ada, endpoint, entryId)).text).toContain('<h1>Connected</h1>');
    expect(issuer.authorizations[0]?.get('resource')).toBe(upstream.url);
    const client = await ada.modern(endpoint);
    const result = await client.result('tools/call', { name: await toolOf(client), arguments: {} });
    expect(result.isError).toBeUndefined();
    expect(upstream.of('tools/call').map(({ headers }) => headers.authorization)).toEqual([
      expect.stringMatching(/^Bearer at-/),
    ]);
    expect(JSON.stringify(upstream.received)).not.toContain(client.token);
  });

  it('sends no token to where it moves', async () => {
    const { stage, upstream } = at;
    const other = await withServers(stage);
    const endpoint = await ada.endpoint([]);
    const listing = await stage.listing('', { server: { packages: PACKAGES } });
    const entryId = await endpoint.add(listing, { credential_mode: 'PERSONAL', endpoint_url: upstream.url });
    await connect(stage, ada, endpoint, entryId);
    const client = await ada.modern(endpoint);
    await toolOf(client);
    await change(endpoint, entryId, { endpoint_url: other.upstream.url });
    expect(await client.all('tools/list', 'tools')).toEqual([]);
    expect(other.upstream.connections).toBe(0);
    await other.close();
  });

  it('never uses a client of the organisation, whose secret an editor could have sent elsewhere', async () => {
    const { stage, issuer, upstream } = at;
    issuer.clients.set('known:1', { id: 'known:1', secret: 's+e c%', redirectUris: [CALLBACK] });
    const org = await ada.api.raw('post', '/v1/organisations').send({ name: 'Acme', slug: unique('acme') });
    const { id: org_id } = org.body as { id: string };
    const listing_id = await stage.listing(upstream.url);
    const given = { org_id, listing_id, kind: 'OAUTH_CLIENT', client_id: 'known:1', client_secret: 's+e c%' };
    expect((await ada.api.raw('post', '/v1/credentials').send(given)).status).toBe(201);
    const endpoint = await ada.endpoint([], {}, { org_id });
    const entryId = await endpoint.add(listing_id, { credential_mode: 'PERSONAL' });
    await connect(stage, ada, endpoint, entryId);
    expect(issuer.authorizations.at(-1)?.get('client_id')).toBe('known:1');
    await stage.test.dataSource.query(
      `UPDATE listing_versions SET server = (server::jsonb - 'remotes')::json WHERE listing_id = $1`,
      [listing_id],
    );
    await change(endpoint, entryId, { endpoint_url: upstream.url });
    const client = await ada.modern(endpoint);
    const call = { name: await toolOf(client), arguments: {} };
    const asked = issuer.authentications.length;
    issuer.forgetTokens('access');
    // The tokens that were got with it are renewed without its secret, if the issuer takes that.
    await client.request('tools/call', call);
    expect(issuer.authentications.slice(asked)).toEqual([undefined]);
    expect(issuer.tokenRequests.at(-1)?.has('client_secret')).toBe(false);
    await connect(stage, ada, endpoint, entryId);
    expect(issuer.authorizations.at(-1)?.get('client_id')).not.toBe('known:1');
  });

  it('sends the secret of such a client to no issuer that gave its own client the same name, after the entry moves back', async () => {
    const { stage, issuer, upstream } = at;
    const org = await ada.api.raw('post', '/v1/organisations').send({ name: 'Acme', slug: unique('acme') });
    const { id: org_id } = org.body as { id: string };
    const listing_id = await stage.listing(upstream.url);
    const remotes = [{ type: 'streamable-http', url: upstream.url }];
    // What the issuer of the editor calls the first client that registers there, which gets no secret.
    const client_id = 'client-1';
    const given = { org_id, listing_id, kind: 'OAUTH_CLIENT', client_id, client_secret: 'of the organisation' };
    expect((await ada.api.raw('post', '/v1/credentials').send(given)).status).toBe(201);
    issuer.metadata = { token_endpoint_auth_methods_supported: ['none'] };
    const edit = (sql: string) =>
      stage.test.dataSource.query(`UPDATE listing_versions SET server = (${sql})::json WHERE listing_id = $1`, [
        listing_id,
      ]);
    await edit(`server::jsonb - 'remotes'`);
    const endpoint = await ada.endpoint([], {}, { org_id });
    const entryId = await endpoint.add(listing_id, { credential_mode: 'PERSONAL', endpoint_url: upstream.url });
    await connect(stage, ada, endpoint, entryId);
    expect(issuer.authorizations.at(-1)?.get('client_id')).toBe(client_id);
    await edit(`server::jsonb || '${JSON.stringify({ remotes })}'`);
    await change(endpoint, entryId, { endpoint_url: null });
    const client = await ada.modern(endpoint);
    const call = { name: await toolOf(client), arguments: {} };
    const asked = issuer.authentications.length;
    issuer.forgetTokens('access');
    await client.request('tools/call', call);
    expect(issuer.authentications.slice(asked)).toEqual([undefined]);
    expect(issuer.tokenRequests.at(-1)?.has('client_secret')).toBe(false);
  });
});
