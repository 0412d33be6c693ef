import { FakeClock } from '../../support/app';
import {
  connect,
  type ConnectStage,
  createConnectStage,
  idOf,
  personalEndpoint,
  toolOf,
} from '../support/connect-stage';
import type { Endpoint, Person } from '../support/endpoint-stage';
import type { ModernClient } from '../support/mcp-client';

const LIFE_MS = 600_000;

describe('The tokens of an account', () => {
  const clock = new FakeClock(new Date());
  let at: ConnectStage;
  let ada: Person;
  let endpoint: Endpoint;
  let entryId: string;
  let client: ModernClient;
  let name: string;
  beforeEach(async () => {
    clock.time = new Date();
    at = await createConnectStage(2, { clock });
    at.issuer.lifetimeS = LIFE_MS / 1_000;
    ada = await at.stage.person();
    ({ endpoint, entryId } = await personalEndpoint(at, ada));
    await connect(at.stage, ada, endpoint, entryId);
    client = await ada.modern(endpoint);
    name = await toolOf(client);
    at.issuer.tokenRequests.length = 0;
    at.upstream.received.length = 0;
  });
  afterEach(() => at.close());

  const call = (from = client) => from.result('tools/call', { name, arguments: {} });
  const renewals = () => at.issuer.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token');
  const status = async () => {
    const sql = `SELECT status FROM credentials WHERE entry_id = $1`;
    return (await at.stage.test.dataSource.query<{ status: string }[]>(sql, [entryId]))[0]?.status;
  };
  const events = async (type: string) => {
    const sql = `SELECT data FROM events WHERE type = $1 AND owner_id = $2`;
    return at.stage.test.dataSource.query<object[]>(sql, [type, await idOf(at.stage, ada)]);
  };

  it('are renewed a minute before they expire, for the same resource', async () => {
    await call();
    clock.advance(LIFE_MS - 61_000);
    await call();
    expect(renewals()).toEqual([]);
    clock.advance(2_000);
    expect((await call()).isError).toBeUndefined();
    expect(renewals().map((form) => form.get('resource'))).toEqual([at.upstream.url]);
    await call();
    await call();
    expect(renewals()).toHaveLength(1);
  });

  it('are renewed once for all calls of all processes', async () => {
    clock.advance(LIFE_MS - 30_000);
    const results = await Promise.all(Array.from({ length: 12 }, () => call()));
    expect(results.filter(({ isError }) => isError === true)).toEqual([]);
    expect(renewals()).toHaveLength(1);
  });

  it('are renewed once for a call that is refused, and the call is sent once more', async () => {
    at.issuer.forgetTokens('access');
    expect((await call()).isError).toBeUndefined();
    expect([renewals().length, at.upstream.of('tools/call').length]).toEqual([1, 2]);
  });

  it('are renewed once for all calls that are refused', async () => {
    at.issuer.forgetTokens('access');
    const results = await Promise.all(Array.from({ length: 12 }, () => call()));
    expect(results.filter(({ isError }) => isError === true)).toEqual([]);
    expect(renewals()).toHaveLength(1);
  });

  it('are asked for once in a call, whatever the server says', async () => {
    const protects = at.upstream.fault;
    at.upstream.fault = (exchange) => {
      if (exchange.received.method !== 'tools/call') return protects(exchange);
      exchange.response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return true;
    };
    const result = await call();
    expect([result.isError, renewals().length, at.upstream.of('tools/call').length]).toEqual([true, 1, 2]);
    // The new ones were refused, too, so others would not help. Each of the two processes may find that out by itself.
    for (let times = 0; times < 6; times++) expect((await call()).isError).toBe(true);
    expect(renewals().length).toBeLessThanOrEqual(2);
  });

  it('that live for less than a minute are not renewed for every call', async () => {
    at.issuer.lifetimeS = 50;
    // When tokens were stored is by the clock of the database.
    clock.time = new Date();
    await connect(at.stage, ada, endpoint, entryId);
    name = await toolOf(client);
    for (let times = 0; times < 3; times++) expect((await call()).isError).toBeUndefined();
    expect(renewals()).toEqual([]);
    clock.advance(35_000);
    await call();
    expect(renewals()).toHaveLength(1);
  });

  it.each([
    ['invalid_request', 'ACTIVE'],
    ['slow_down', 'ACTIVE'],
    ['unauthorized_client', 'RECONNECT'],
  ])('that are not renewed because of %s are %s', async (error, expected) => {
    at.issuer.fault = (path, _request, response) => {
      if (path !== '/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return true;
    };
    at.issuer.forgetTokens('access');
    expect([(await call()).isError, await status()]).toEqual([true, expected]);
  });

  it('that are refused for good have to be connected again, which is said once', async () => {
    at.issuer.forgetTokens();
    const results = await Promise.all([call(), call(), call()]);
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(JSON.stringify(results[0])).toContain('/connect/accounts/');
    expect([await status(), (await events('credential.reconnect_needed')).length]).toEqual(['RECONNECT', 1]);
    const before = at.issuer.tokenRequests.length;
    await call();
    expect(at.issuer.tokenRequests).toHaveLength(before);
    await connect(at.stage, ada, endpoint, entryId);
    expect([(await call()).isError, await status()]).toEqual([undefined, 'ACTIVE']);
  });

  it.each<[string, (path: string) => number | undefined]>([
    ['fails', (path) => (path === '/token' ? 503 : undefined)],
    ['breaks off', (path) => (path === '/token' ? 0 : undefined)],
  ])('are kept while the authorization server %s', async (_what, statusOf) => {
    at.issuer.fault = (path, _request, response) => {
      const code = statusOf(path);
      if (code === undefined) return false;
      if (code === 0) response.destroy();
      else response.writeHead(code).end('down');
      return true;
    };
    clock.advance(LIFE_MS - 30_000);
    expect([(await call()).isError, await status()]).toEqual([undefined, 'ACTIVE']);
    expect(await events('credential.reconnect_needed')).toEqual([]);
  });

  it('without a refresh token are used until they end', async () => {
    at.issuer.hasRefreshTokens = false;
    await connect(at.stage, ada, endpoint, entryId);
    clock.advance(LIFE_MS - 30_000);
    expect([(await call()).isError, await status()]).toEqual([undefined, 'ACTIVE']);
  });

  it('without a refresh token have to be connected again when they have ended', async () => {
    at.issuer.hasRefreshTokens = false;
    await connect(at.stage, ada, endpoint, entryId);
    await call();
    clock.advance(LIFE_MS + 1_000);
    expect((await call()).isError).toBe(true);
    expect(await status()).toBe('RECONNECT');
  });
});
