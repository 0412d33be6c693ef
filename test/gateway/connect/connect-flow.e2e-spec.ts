import {
  browserOf,
  connect,
  connectAnswer,
  type ConnectStage,
  connectUrl,
  createConnectStage,
  personalEndpoint,
  press,
  toolOf,
} from '../support/connect-stage';
import { upstreamExtras } from '../support/authorization-server';
import { TestUpstream } from '../support/test-upstream';

describe('Connecting an account', () => {
  let at: ConnectStage;
  beforeEach(async () => {
    at = await createConnectStage();
  });
  afterEach(() => at.close());

  it('registers, asks the person, and calls the server with their token and nothing of theirs here', async () => {
    const { stage, issuer, upstream } = at;
    const ada = await stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    const url = await connectUrl(ada, endpoint, entryId);
    const browser = await browserOf(stage, ada);
    const page = await browser.request(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain(new URL(upstream.url).host);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const done = await press(browser, url);
    expect([done.status, done.text.includes('<h1>Connected</h1>')]).toEqual([200, true]);

    const [asked] = issuer.authorizations;
    expect(asked?.get('resource')).toBe(upstream.url);
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect(issuer.registrations).toMatchObject([{ client_name: 'Toolyard', application_type: 'web' }]);
    const client = await ada.modern(endpoint);
    const result = await client.result('tools/call', { name: await toolOf(client), arguments: {} });
    expect(result.isError).toBeUndefined();
    const sent = upstream.of('tools/call').map(({ headers }) => headers.authorization);
    expect(sent).toEqual([expect.stringMatching(/^Bearer at-/)]);
    expect(JSON.stringify(upstream.received)).not.toContain(client.token);
  });

  it('uses what a person has connected for their own calls only', async () => {
    const { stage } = at;
    const [ada, bob] = [await stage.person(), await stage.person()];
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await stage.test.dataSource.query(`UPDATE bundles SET visibility = 'PUBLIC' WHERE id = $1`, [endpoint.bundleId]);
    await connect(stage, ada, endpoint, entryId);
    const call = { name: await toolOf(await ada.modern(endpoint)), arguments: {} };
    expect((await (await ada.modern(endpoint)).result('tools/call', call)).isError).toBeUndefined();
    const other = await (await bob.modern(endpoint)).request('tools/call', call);
    expect(JSON.stringify(other.answer)).not.toContain('at-');
    const token = await endpoint.bundleToken();
    const machine = Object.assign(await ada.modern(endpoint), { token });
    expect(JSON.stringify((await machine.request('tools/call', call)).answer)).not.toContain('resultType":"complete"');
  });

  it('asks for the scopes of the challenge, and shows them', async () => {
    const { stage, issuer, upstream } = at;
    issuer.protect(upstream, () => 'files:read');
    const ada = await stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    const url = await connectUrl(ada, endpoint, entryId);
    const browser = await browserOf(stage, ada);
    expect((await browser.request(url)).text).toContain('<code><bdi>files:read</bdi></code>');
    await press(browser, url);
    expect(issuer.authorizations[0]?.get('scope')).toBe('files:read');
  });

  it('is the document at its own address where that is read', async () => {
    const { stage, issuer } = at;
    const document = await stage.test.anonymous.raw('get', '/oauth2/clients/mcp.json');
    const id = 'https://toolyard.test/oauth2/clients/mcp.json';
    expect(document.body).toMatchObject({ client_id: id, redirect_uris: ['https://toolyard.test/connect/callback'] });
    issuer.metadata = { client_id_metadata_document_supported: true };
    issuer.documents = { [id]: document.body as Record<string, unknown> };
    const ada = await stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    expect((await connect(stage, ada, endpoint, entryId)).text).toContain('<h1>Connected</h1>');
    expect([issuer.authorizations[0]?.get('client_id'), issuer.registrations]).toEqual([id, []]);
  });

  it('registers once for all who come to the same issuer', async () => {
    const { stage, issuer } = at;
    const [ada, bob] = [await stage.person(), await stage.person()];
    for (const person of [ada, bob]) {
      const { endpoint, entryId } = await personalEndpoint(at, person);
      expect((await connect(stage, person, endpoint, entryId)).status).toBe(200);
    }
    expect(issuer.registrations).toHaveLength(1);
    const rows = await stage.test.dataSource.query<object[]>(`SELECT * FROM oauth_client_registrations`);
    expect(JSON.stringify(rows)).not.toContain([...issuer.clients.values()][0]?.secret);
  });

  it('is refused where nothing is needed', async () => {
    const open = await TestUpstream.start();
    const ada = await at.stage.person();
    const endpoint = await ada.endpoint([]);
    const entryId = await endpoint.add(await at.stage.listing(open.url), { credential_mode: 'PERSONAL' });
    const none = await endpoint.add(await at.stage.listing(at.upstream.url));
    const answers = [];
    for (const entry_id of [entryId, none])
      answers.push((await connectAnswer(ada, { bundle_id: endpoint.bundleId, entry_id, owner: 'PERSON' })).status);
    expect(answers).toEqual([409, 409]);
    await open.close();
  });

  it('is for those who see the bundle, and a shared one for its editors', async () => {
    const [ada, bob] = [await at.stage.person(), await at.stage.person()];
    const { endpoint, entryId } = await personalEndpoint(at, ada, 'PERSONAL_OR_SHARED');
    const body = { bundle_id: endpoint.bundleId, entry_id: entryId };
    expect((await connectAnswer(bob, body)).status).toBe(404);
    await at.stage.test.dataSource.query(`UPDATE bundles SET visibility = 'PUBLIC' WHERE id = $1`, [endpoint.bundleId]);
    expect((await connectAnswer(bob, { ...body, owner: 'BUNDLE' })).status).toBe(403);
    expect((await connectAnswer(bob, body)).status).toBe(200);
    expect((await connectAnswer(ada, { ...body, entry_id: endpoint.bundleId })).status).toBe(404);
  });

  it('connects one for everyone', async () => {
    const { stage } = at;
    const ada = await stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada, 'SHARED');
    expect((await connect(stage, ada, endpoint, entryId, 'BUNDLE')).text).toContain('<h1>Connected</h1>');
    const machine = Object.assign(await ada.modern(endpoint), { token: await endpoint.bundleToken() });
    const result = await machine.result('tools/call', { name: await toolOf(machine), arguments: {} });
    expect(result.isError).toBeUndefined();
  });

  it('takes the scopes of the metadata where the challenge has none, and asks to stay', async () => {
    const { stage, issuer, upstream } = at;
    upstreamExtras.set(upstream, { scopes_supported: ['a', 'b'] });
    issuer.metadata = { scopes_supported: ['a', 'b', 'c', 'offline_access'] };
    const ada = await stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await connect(stage, ada, endpoint, entryId);
    expect(issuer.authorizations[0]?.get('scope')).toBe('a b offline_access');
  });
});
