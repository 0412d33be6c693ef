import {
  browserOf,
  connect,
  type ConnectStage,
  createConnectStage,
  personalEndpoint,
  press,
  toolOf,
} from '../support/connect-stage';
import type { Endpoint, Person } from '../support/endpoint-stage';
import { UpstreamLimits } from '../../../src/gateway/upstreams/upstream-limits';
import { LegacyClient, type ModernClient } from '../support/mcp-client';
import type { Json } from '../support/test-upstream';

const BY_URL = { elicitation: { url: {} } };

describe('A call without the account that it needs', () => {
  let at: ConnectStage;
  let ada: Person;
  let endpoint: Endpoint;
  let entryId: string;
  let name: string;
  beforeEach(async () => {
    at = await createConnectStage(2);
    const { stage, issuer, upstream } = at;
    ada = await stage.person();
    // A server that lists its tools to everyone, so that they are known before anybody is connected.
    issuer.protect(upstream);
    const refuses = upstream.fault;
    upstream.fault = (exchange) =>
      ['tools/call', 'prompts/get', 'resources/read'].includes(exchange.received.method) ||
      exchange.received.method === 'GET' ||
      exchange.received.headers.authorization !== undefined
        ? refuses(exchange)
        : false;
    ({ endpoint, entryId } = await personalEndpoint(at, ada));
    name = await toolOf(await ada.modern(endpoint));
    // A call waits for the first lists of a server with an account that was connected just now, and not only for so long.
    for (const { app } of [stage.test, ...stage.others]) app.get(UpstreamLimits).firstListsMs = 1;
  });
  afterEach(() => at.close());

  const offered = async (client: ModernClient, args: Json = {}) => {
    const result = await client.result('tools/call', { name, arguments: args });
    const { connect: question } = result.inputRequests as { connect: { method: string; params: Json } };
    return { result, question, url: String(question.params.url) };
  };

  it('asks a modern client to have an address opened, and goes on at another process', async () => {
    const client = await ada.modern(endpoint);
    client.capabilities = BY_URL;
    const { result, question, url } = await offered(client, { a: 1 });
    expect(result.resultType).toBe('input_required');
    expect(question).toMatchObject({ method: 'elicitation/create', params: { mode: 'url' } });
    expect(at.upstream.of('tools/call')).toEqual([]);
    expect((await press(await browserOf(at.stage, ada), url)).text).toContain('<h1>Connected</h1>');
    const { requestState } = result;
    const inputResponses = { connect: { action: 'accept' } };
    const again = { name, arguments: { a: 1 }, requestState, inputResponses };
    const done = await client.result('tools/call', again);
    expect([done.resultType, done.isError]).toEqual(['complete', undefined]);
    // Neither is of the server.
    const [sent] = at.upstream.of('tools/call');
    expect([sent?.params.requestState, sent?.params.inputResponses]).toEqual([undefined, undefined]);
  });

  it('does not ask again when the person does not want to', async () => {
    const client = await ada.modern(endpoint);
    client.capabilities = BY_URL;
    const { result } = await offered(client);
    const inputResponses = { connect: { action: 'decline' } };
    const { requestState } = result;
    const declined = await client.result('tools/call', { name, arguments: {}, requestState, inputResponses });
    expect([declined.isError, JSON.stringify(declined)]).toEqual([
      true,
      expect.not.stringContaining('/connect/accounts/'),
    ]);
    expect(declined._meta).toMatchObject({ 'com.toolyard/error': { code: 'credential_required' } });
  });

  it('takes what it gave back for the same request of the same person only', async () => {
    const client = await ada.modern(endpoint);
    client.capabilities = BY_URL;
    const { result } = await offered(client, { a: 1 });
    await connect(at.stage, ada, endpoint, entryId);
    const bob = await at.stage.person();
    await at.stage.test.dataSource.query(`UPDATE bundles SET visibility = 'PUBLIC' WHERE id = $1`, [endpoint.bundleId]);
    await connect(at.stage, bob, endpoint, entryId);
    const { requestState } = result;
    const other = await client.error('tools/call', { name, arguments: { a: 2 }, requestState });
    const stranger = await (
      await bob.modern(endpoint)
    ).error('tools/call', { name, arguments: { a: 1 }, requestState });
    expect([other.code, stranger.code]).toEqual([-32_602, -32_602]);
    expect(at.upstream.of('tools/call')).toEqual([]);
  });

  it('is -32042 for a client of 2025-11-25 that opens addresses', async () => {
    const client = await ada.legacy(endpoint, BY_URL);
    const { code, data } = await client.error('tools/call', { name, arguments: {} });
    const { elicitations } = data as { elicitations: Json[] };
    const asked = {
      mode: 'url',
      elicitationId: expect.any(String) as string,
      url: expect.stringContaining('/connect/accounts/') as string,
      message: expect.any(String) as string,
    };
    expect([code, elicitations]).toEqual([-32_042, [asked]]);
    await press(await browserOf(at.stage, ada), String(elicitations[0]?.url));
    expect((await client.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
  });

  it('tells the address to whoever reads the error, in a client that opens none', async () => {
    const old = new LegacyClient(at.stage.urlsOf(endpoint.path), await ada.tokenFor(endpoint.path));
    Object.assign(old, { revision: '2025-06-18', capabilities: BY_URL });
    await old.begin();
    for (const client of [await ada.modern(endpoint), await ada.legacy(endpoint), old]) {
      const result = await client.result('tools/call', { name, arguments: {} });
      const [{ text }] = result.content as [{ text: string }];
      expect([result.isError, text]).toEqual([
        true,
        expect.stringMatching(/https:\/\/toolyard\.test\/connect\/accounts\/[\w-]+$/),
      ]);
    }
    const error = await (await ada.modern(endpoint)).error('resources/read', { uri: 'memo://one' });
    expect(error.message).toContain('https://toolyard.test/connect/accounts/');
  });

  it('never gives such an address to an access token of the bundle', async () => {
    const client = Object.assign(await ada.modern(endpoint), {
      token: await endpoint.bundleToken(),
      capabilities: BY_URL,
    });
    const result = await client.result('tools/call', { name, arguments: {} });
    expect([result.isError, result.resultType]).toEqual([true, 'complete']);
    expect(JSON.stringify(result)).not.toContain('/connect/accounts/');
  });

  it('asks for more rights where the server wants more, beside those that there are', async () => {
    const { issuer, upstream } = at;
    await connect(at.stage, ada, endpoint, entryId);
    issuer.protect(upstream, ({ received }) => (received.method === 'tools/call' ? 'write' : undefined));
    upstream.received.length = 0;
    const client = await ada.modern(endpoint);
    client.capabilities = BY_URL;
    const { url } = await offered(client);
    await press(await browserOf(at.stage, ada), url);
    expect(issuer.authorizations.at(-1)?.get('scope')).toBe('write');
    expect((await client.result('tools/call', { name, arguments: {} })).isError).toBeUndefined();
    issuer.protect(upstream, ({ received }) => (received.method === 'tools/call' ? 'admin' : undefined));
    await press(await browserOf(at.stage, ada), (await offered(client)).url);
    expect(issuer.authorizations.at(-1)?.get('scope')).toBe('write admin');
  });
});
