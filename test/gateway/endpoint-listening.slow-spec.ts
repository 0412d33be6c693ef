import { crowding, eventually } from '../support/eventually';
import { join, unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { type LegacyClient, MessageStream, ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, toolOf, type UpstreamEra } from './support/test-upstream';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];
const streams: MessageStream[] = [];

beforeAll(async () => {
  stage = await createStage(2, { env: { RUN: 'api,worker' } });
  ada = await stage.person(unique('ada'));
});

afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
});

afterAll(async () => {
  await stage.close();
  for (const upstream of started) await upstream.close();
});

async function start(eras: UpstreamEra[] = ['modern', 'legacy']): Promise<TestUpstream> {
  const upstream = await TestUpstream.start({ eras: new Set(eras) });
  started.push(upstream);
  return upstream;
}

/** Opens a stream and waits until it is acknowledged. */
async function listen(
  client: ModernClient,
  notifications: Json,
  id: string | number = 'sub',
): Promise<{ stream: MessageStream; agreed: Json }> {
  const stream = new MessageStream(await client.send('subscriptions/listen', { notifications }, { id }));
  streams.push(stream);
  const { method, params } = (await stream.next()) as { method: string; params: { _meta: Json; notifications: Json } };
  expect([method, params._meta]).toEqual(['notifications/subscriptions/acknowledged', { [SUBSCRIPTION]: id }]);
  return { stream, agreed: params.notifications };
}

async function open(client: LegacyClient): Promise<MessageStream> {
  const stream = new MessageStream(await client.open());
  streams.push(stream);
  return stream;
}

/** @returns how long something took that a stream then told */
async function within(change: () => Promise<unknown> | void, told: () => Promise<unknown>): Promise<number> {
  await change();
  const began = performance.now();
  await told();
  return performance.now() - began;
}

describe.each([['modern'], ['legacy']])('A %s client that listens', (era) => {
  let endpoint: Endpoint;
  let upstream: TestUpstream;
  let stream: MessageStream;

  beforeEach(async () => {
    upstream = await start();
    endpoint = await ada.endpoint([upstream.url]);
    if (era === 'modern') {
      const client = await ada.modern(endpoint);
      await client.all('tools/list', 'tools');
      ({ stream } = await listen(client, ALL));
    } else {
      const client = await ada.legacy(endpoint);
      await client.all('tools/list', 'tools');
      stream = await open(client);
    }
  });

  it('hears of a change of an entry', async () => {
    const second = await start();
    second.prompts = [];
    second.resources = [];
    second.templates = [];
    const listing = await stage.listing(second.url);
    const ms = await within(
      () => endpoint.add(listing),
      () => stream.nextOf('notifications/tools/list_changed'),
    );
    // A second, and a server that was never asked before.
    expect(ms).toBeLessThan(4_000 * crowding());
  });

  it('hears of a change of a server', async () => {
    await eventually(
      () => upstream.listening.size + [...upstream.sessions.values()].filter(({ stream: own }) => own).length,
      (count) => count > 0,
      15_000,
    );
    upstream.tools = [toolOf('new')];
    const ms = await within(
      () => upstream.announce('tools'),
      () => stream.nextOf('notifications/tools/list_changed'),
    );
    expect(ms).toBeLessThan(3_000 * crowding());
    expect(stream.messages.map(({ method }) => method)).not.toContain('notifications/prompts/list_changed');
  });

  it('hears of a change of the settings', async () => {
    await endpoint.set({ naming: 'PLAIN' });
    await stream.nextOf('notifications/tools/list_changed');
    await stream.nextOf('notifications/prompts/list_changed');
  });

  it('is not told anything any more when the endpoint is disabled', async () => {
    await endpoint.set({ is_enabled: false });
    const rest: Json[] = [];
    for (let message = await stream.next(); message; message = await stream.next()) rest.push(message);
    const graceful = {
      jsonrpc: '2.0',
      id: 'sub',
      result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 'sub' } },
    };
    expect(rest).toEqual(era === 'modern' ? [graceful] : []);
  });
});

describe('A modern client', () => {
  it('hears only of what it has asked for', async () => {
    const upstream = await start();
    const endpoint = await ada.endpoint([upstream.url]);
    const { stream, agreed } = await listen(
      await ada.modern(endpoint),
      { promptsListChanged: true, toolsListChanged: false },
      7,
    );
    expect(agreed).toEqual({ promptsListChanged: true });
    await endpoint.set({ naming: 'PLAIN' });
    const { params } = (await stream.next()) as { params: Json };
    expect(stream.messages.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/prompts/list_changed',
      params: { _meta: { [SUBSCRIPTION]: 7 } },
    });
    expect(params._meta).toEqual({ [SUBSCRIPTION]: 7 });
  });

  it.each([[['modern']], [['legacy']]] as [UpstreamEra[]][])('follows resources of a server: %j', async (eras) => {
    const upstream = await start(eras);
    const endpoint = await ada.endpoint([upstream.url]);
    const client = await ada.modern(endpoint);
    await client.all('tools/list', 'tools');
    const uris = ['memo://one', 'elsewhere:x'];
    const { stream, agreed } = await listen(client, { resourceSubscriptions: uris });
    expect((agreed.resourceSubscriptions as string[])[0]).toBe('memo://one');
    upstream.update('memo://one');
    expect(await stream.nextOf('notifications/resources/updated')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'memo://one', _meta: { [SUBSCRIPTION]: 'sub' } },
    });
    await stream.close();
    await eventually(
      () => upstream.listening.size + [...upstream.sessions.values()].length,
      (count) => count <= 1,
      10_000,
    ).catch(() => undefined);
  });

  it.each([
    [{}],
    [{ notifications: { resourceSubscriptions: 'x' } }],
    [{ notifications: { resourceSubscriptions: Array.from({ length: 101 }, String) } }],
  ])('cannot listen to %j', async (params) => {
    const client = await ada.modern(await ada.endpoint([]));
    expect(await client.error('subscriptions/listen', params)).toMatchObject({ code: -32_602 });
  });

  it('holds no stream open after it has gone while its request was read', async () => {
    const slow = await start(['modern']);
    // The first request to a bundle waits for the first lists of its servers.
    slow.fault = () => true;
    const endpoint = await ada.endpoint([slow.url]);
    const own = new ModernClient([endpoint.url], await ada.tokenFor(endpoint.path));
    const controller = new AbortController();
    const { signal } = controller;
    const gone = Array.from({ length: 40 }, () =>
      own.send('subscriptions/listen', { notifications: ALL }, { signal }).catch(() => undefined),
    );
    await eventually(
      () => slow.received.length,
      (count) => count > 0,
      5_000,
    );
    controller.abort();
    await Promise.all(gone);
    expect((await own.request('tools/list')).status).toBe(200);
    for (let n = 0; n < 32; n++) await listen(own, ALL, n);
  });

  it('can have 32 streams open', async () => {
    const endpoint = await ada.endpoint([]);
    const own = new ModernClient([endpoint.url], await ada.tokenFor(endpoint.path));
    for (let n = 0; n < 32; n++) await listen(own, ALL, n);
    expect((await own.request('subscriptions/listen', { notifications: ALL })).status).toBe(429);
    await streams[0]?.close();
    await eventually(
      async () => {
        const response = await own.send('subscriptions/listen', { notifications: ALL });
        if (response.status === 200) streams.push(new MessageStream(response));
        return response.status;
      },
      (status) => status === 200,
      5_000,
    );
  });
});

describe('Access tokens', () => {
  it('have 64 streams together, of whatever bundles, and leave those of others alone', async () => {
    const mallory = await stage.person(unique('mallory'));
    const endpoints = [await mallory.endpoint([]), await mallory.endpoint([])];
    const clients: ModernClient[] = [];
    for (const endpoint of endpoints)
      for (let n = 0; n < 2; n++) clients.push(new ModernClient([endpoint.url], await endpoint.bundleToken()));
    for (let n = 0; n < 64; n++) await listen(clients[n % 4] as ModernClient, ALL, n);
    for (const client of clients) {
      const refused = await client.send('subscriptions/listen', { notifications: ALL });
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10']);
      await refused.body?.cancel();
    }
    const endpoint = await ada.endpoint([]);
    await listen(new ModernClient([endpoint.url], await endpoint.bundleToken()), ALL);
  });
});

describe('A client with a session', () => {
  it('follows resources, on whatever process its stream is', async () => {
    const upstream = await start();
    const endpoint = await ada.endpoint([upstream.url]);
    const client = await ada.legacy(endpoint);
    await client.all('tools/list', 'tools');
    expect(await client.result('resources/subscribe', { uri: 'memo://before' })).toEqual({});
    const stream = await open(client);
    expect(await client.result('resources/subscribe', { uri: 'memo://after' })).toEqual({});
    for (const uri of ['memo://before', 'memo://after']) {
      const heardOf = () => stream.messages.some(({ params }) => (params as Json).uri === uri);
      // Updates of the other one may still be on their way.
      const told = (async () => {
        while (!heardOf()) await stream.nextOf('notifications/resources/updated');
      })();
      // Until the server has agreed.
      const isTold = () => (upstream.update(uri), heardOf());
      await eventually(isTold, (is) => is, 10_000);
      await told;
    }
    expect(await client.result('resources/unsubscribe', { uri: 'memo://after' })).toEqual({});
    expect(await client.error('resources/subscribe', {})).toMatchObject({ code: -32_602 });
    expect(await client.error('resources/subscribe', { uri: 'x'.repeat(9_000) })).toMatchObject({
      code: expect.any(Number) as number,
    });
  });

  it('gets an error for more resources than it can follow', async () => {
    const endpoint = await ada.endpoint([(await start()).url]);
    const client = await ada.legacy(endpoint);
    await client.all('tools/list', 'tools');
    for (let n = 0; n < 32; n++) expect(await client.result('resources/subscribe', { uri: `memo://${n}` })).toEqual({});
    const more = { uri: 'memo://more' };
    expect(await client.error('resources/subscribe', more)).toMatchObject({
      code: -32_602,
      message: 'A session can follow 32 resources, with addresses of less than 7 KiB.',
    });
    // One that it follows already is none more.
    expect(await client.result('resources/subscribe', { uri: 'memo://0' })).toEqual({});
    expect(await client.result('resources/unsubscribe', { uri: 'memo://0' })).toEqual({});
    expect(await client.result('resources/subscribe', more)).toEqual({});
  });

  it('has one stream at a time, and none after its end', async () => {
    const endpoint = await ada.endpoint([]);
    const client = await ada.legacy(endpoint);
    const one = client.at(endpoint.url);
    const [first, second] = [await open(one), await open(one)];
    expect(await first.next()).toBeUndefined();
    expect((await client.open('DELETE')).status).toBe(204);
    expect(await second.next()).toBeUndefined();
  });

  it('must accept events', async () => {
    const client = await ada.legacy(await ada.endpoint([]));
    expect((await client.open('GET', 'application/json')).status).toBe(406);
  });
});

describe('Streams end', () => {
  it('when a member leaves, and when an access token is revoked', async () => {
    const owner = await stage.test.as(unique('owner'));
    const organisation = (await owner.post('/v1/organisations', { name: unique('Org'), slug: unique('org') })).body;
    const memberId = await join(owner, organisation.id, ada.api);
    const endpoint = await ada.endpoint([], {}, { org_id: organisation.id });
    const { stream } = await listen(await ada.modern(endpoint), ALL);
    const program = new ModernClient([endpoint.url], await endpoint.bundleToken());
    const { stream: ofProgram } = await listen(program, ALL);
    await owner.delete(`/v1/organisations/${organisation.id}/members/${memberId}`);
    expect(await stream.next()).toHaveProperty('result');
    // The token of who has left opens nothing either.
    expect(await ofProgram.next()).toHaveProperty('result');
    expect(await stream.next()).toBeUndefined();
  });

  it('when their access token expires', async () => {
    const endpoint = await ada.endpoint([]);
    const client = new ModernClient([endpoint.url], await ada.tokenFor(endpoint.path, 'mcp:read', 3));
    const { stream } = await listen(client, ALL);
    expect(await stream.next()).toHaveProperty('result');
  });

  it('when the process ends', async () => {
    const own = await createStage(1, { env: { RUN: 'api' } });
    const person = await own.person(unique('person'));
    const endpoint = await person.endpoint([]);
    const { stream } = await listen(await person.modern(endpoint), ALL);
    const legacy = await open(await person.legacy(endpoint));
    const closed = own.close();
    expect(await stream.next()).toHaveProperty('result');
    expect(await legacy.next()).toBeUndefined();
    await closed;
  });
});

describe('A server whose tool changes its lists', () => {
  it.each<UpstreamEra>(['modern', 'legacy'])(
    'may announce it on the stream of the call, in the %s era',
    async (era) => {
      const upstream = await start([era]);
      // It offers no stream of its own for it.
      upstream.capabilities = { tools: {} };
      const endpoint = await ada.endpoint([upstream.url]);
      const client = await ada.modern(endpoint);
      const [tool] = await client.all('tools/list', 'tools');
      upstream.fault = ({ received, response }) => {
        if (received.method !== 'tools/call') return false;
        if (upstream.tools.length === 6) upstream.tools.push(toolOf('new'));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const change = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
        response.write(`event: message\ndata: ${JSON.stringify(change)}\n\n`);
        const result = { resultType: 'complete', content: [] };
        response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: received.id, result })}\n\n`);
        return true;
      };
      const { stream } = await listen(client, ALL);
      await client.result('tools/call', { name: tool?.name, arguments: {} });
      await stream.nextOf('notifications/tools/list_changed');
      expect(await client.all('tools/list', 'tools')).toHaveLength(7);
    },
  );
});

describe('A name that an endpoint does not know', () => {
  it.each(['PREFIX', 'PLAIN'])('makes it look once with %s names, and the call goes on', async (naming) => {
    const upstream = await start(['legacy']);
    upstream.capabilities = { tools: {}, prompts: {} };
    const endpoint = await ada.endpoint([upstream.url], { naming });
    const client = new ModernClient([endpoint.url], (await ada.modern(endpoint)).token);
    const [tool] = await client.all('tools/list', 'tools');
    const prefix = naming === 'PREFIX' ? `${String(tool?.name).split('__')[0]}__` : '';
    upstream.tools.push(toolOf('new'));
    const before = upstream.of('tools/list').length;
    expect(await client.result('tools/call', { name: `${prefix}new`, arguments: {} })).toMatchObject({ content: [{}] });
    expect(upstream.of('tools/list').length).toBe(before + 1);
    // Whoever asks for what does not exist does not make it look each time.
    for (let n = 0; n < 3; n++)
      expect(await client.error('tools/call', { name: `${prefix}none` })).toMatchObject({ message: 'Unknown tool' });
    expect(await client.error('prompts/get', { name: `${prefix}none` })).toMatchObject({ message: 'Unknown prompt' });
    expect(upstream.of('tools/list').length).toBe(before + 1);
  });
});
