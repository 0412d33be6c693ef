import { unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import type { LegacyClient } from './support/mcp-client';
import { EVENTS, eventOf, type Json, TestUpstream, type UpstreamEra } from './support/test-upstream';

const LEVELS = ['debug', 'info', 'warning', 'error'];

describe('The level of log messages', () => {
  let stage: Stage;
  let ada: Person;
  let upstream: TestUpstream;
  let endpoint: Endpoint;
  let name: unknown;

  beforeAll(async () => {
    stage = await createStage(2);
    ada = await stage.person(unique('ada'));
  });

  afterAll(() => stage.close());

  afterEach(() => upstream.close());

  /** A server whose tools write one message of each level, of those that its session or its request has asked for. */
  const start = async (...eras: UpstreamEra[]) => {
    upstream = await TestUpstream.start({ eras: new Set(eras) });
    upstream.fault = (exchange) => {
      const { received, response, session, era } = exchange;
      if (received.method !== 'tools/call' || (era === 'legacy' && !session)) return false;
      const meta = received.params._meta as Json | undefined;
      const least = era === 'modern' ? meta?.['io.modelcontextprotocol/logLevel'] : session?.logLevel;
      response.writeHead(200, EVENTS);
      for (const level of least === undefined ? [] : LEVELS.slice(LEVELS.indexOf(least as string)))
        response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: { level, data: level } }));
      upstream.send(exchange, { content: [] });
      return true;
    };
    endpoint = await ada.endpoint([upstream.url]);
    const client = await ada.legacy(endpoint);
    name = (await client.all('tools/list', 'tools'))[0]?.name;
  };
  const heard = async (client: { request: LegacyClient['request'] }) => {
    const { before } = await client.request('tools/call', { name, arguments: {} });
    return before.map(({ params }) => (params as Json).level);
  };
  const levels = () => upstream.of('logging/setLevel').map(({ params }) => params.level);
  const both = { elicitation: {} };

  it('reaches a server of the legacy era, in the session that exists and in each that follows', async () => {
    await start('legacy');
    const client = await ada.legacy(endpoint, both);
    expect(await heard(client)).toEqual([]);
    await client.result('logging/setLevel', { level: 'warning' });
    expect(levels()).toEqual(['warning']);
    expect(await heard(client)).toEqual(['warning', 'error']);
    upstream.forgetSessions();
    expect(await heard(client)).toEqual(['warning', 'error']);
    // Once for each session, in whatever process it is used.
    for (let n = 0; n < 4; n++) await heard(client);
    expect(levels()).toEqual(['warning', 'warning']);
  });

  it('is the most verbose one of those who share a session, and each hears what is at or above their own', async () => {
    await start('legacy');
    const [one, other] = [await ada.legacy(endpoint, both), await ada.legacy(endpoint, both)];
    await one.result('logging/setLevel', { level: 'error' });
    expect(await heard(one)).toEqual(['error']);
    await other.result('logging/setLevel', { level: 'info' });
    expect(await heard(other)).toEqual(['info', 'warning', 'error']);
    expect(await heard(one)).toEqual(['error']);
    const shared = new Set(upstream.of('tools/call').map(({ headers }) => headers['mcp-session-id']));
    expect(shared.size).toBe(1);
    await other.result('logging/setLevel', { level: 'warning' });
    expect(await heard(one)).toEqual(['error']);
    expect(await heard(other)).toEqual(['warning', 'error']);
    expect(levels()).toEqual(['error', 'info', 'warning']);
  });

  it('reaches a server of the modern era with each call', async () => {
    await start('modern');
    const client = await ada.legacy(endpoint);
    await client.result('logging/setLevel', { level: 'warning' });
    for (let n = 0; n < 2; n++) expect(await heard(client)).toEqual(['warning', 'error']);
  });

  it('of a client of the modern era reaches a server of the legacy era', async () => {
    await start('legacy');
    const client = await ada.modern(endpoint);
    expect(await heard(client)).toEqual([]);
    client.logLevel = 'warning';
    expect(await heard(client)).toEqual(['warning', 'error']);
    client.logLevel = 'error';
    expect(await heard(client)).toEqual(['error']);
    expect(levels()).toEqual(['warning']);
  });

  it('that does not exist is an error, and changes nothing', async () => {
    await start('legacy');
    const client = await ada.legacy(endpoint);
    for (const level of ['loud', 5, undefined])
      expect(await client.error('logging/setLevel', { level })).toMatchObject({ code: -32_602 });
    await heard(client);
    expect(levels()).toEqual([]);
  });

  it('is no reason for a call to fail where the server does not take it', async () => {
    await start('legacy');
    const { fault } = upstream;
    upstream.fault = (exchange) => {
      if (exchange.received.method !== 'logging/setLevel') return fault(exchange);
      exchange.response.writeHead(500).end();
      return true;
    };
    const client = await ada.legacy(endpoint);
    await client.result('logging/setLevel', { level: 'info' });
    for (let n = 0; n < 3; n++) expect(await heard(client)).toEqual([]);
  });
});
