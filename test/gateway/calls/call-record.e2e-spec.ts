import { createHash } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { idOf, unique } from '../../support/factories';
import { growth } from '../../support/metrics';
import { CallRates } from '../../../src/gateway/edge/call-rates';
import { UpstreamLimits } from '../../../src/gateway/upstreams/upstream-limits';
import { createStage, type Endpoint, type Person, type Stage } from '../support/endpoint-stage';
import { ModernClient } from '../support/mcp-client';
import { untilRecorded } from '../support/recorded-calls';
import { type Exchange, type Json, TestUpstream } from '../support/test-upstream';

const SECRET = 's3cret-of-a-client';
const RESULT = 's3cret-of-a-server';

let stage: Stage;
let upstream: TestUpstream;
let person: Person;

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api' } });
  upstream = await TestUpstream.start();
  person = await stage.person();
});

afterEach(() => {
  upstream.fault = () => false;
});

afterAll(async () => {
  await stage.close();
  await upstream.close();
});

interface Scene {
  endpoint: Endpoint;
  entryId: string;
  modern: ModernClient;
}

/** A bundle of one server, whose tools are known. */
async function scene(settings: Json = {}): Promise<Scene> {
  const endpoint = await person.endpoint([], { naming: 'PLAIN', ...settings });
  const entryId = await endpoint.add(await stage.listing(upstream.url));
  const modern = await person.modern(endpoint);
  await modern.all('tools/list', 'tools');
  return { endpoint, entryId, modern };
}

/** The only row after a piece of work. */
async function rowAfter({ endpoint }: Scene, work: () => Promise<unknown>): Promise<Json> {
  await work();
  const rows = await untilRecorded(stage.test, endpoint.bundleId, 1);
  expect(rows).toHaveLength(1);
  return rows[0] as Json;
}

const failing =
  (answer: (exchange: Exchange) => void) =>
  (exchange: Exchange): boolean => {
    if (exchange.received.method !== 'tools/call') return false;
    answer(exchange);
    return true;
  };

describe('The row of a call', () => {
  it('has who called what, through what, and how long it took', async () => {
    const own = await scene();
    const before = Date.now();
    const row = await rowAfter(own, () => own.modern.result('tools/call', { name: 'echo', arguments: { a: SECRET } }));
    const definition = upstream.tools.find(({ name }) => name === 'echo');
    expect(row).toMatchObject({
      bundle_id: own.endpoint.bundleId,
      deployment_id: null,
      entry_id: own.entryId,
      method: 'tools/call',
      name: 'echo',
      exposed_name: 'echo',
      principal_type: 'person',
      principal_id: await idOf(person.api),
      client_name: 'test',
      client_version: '1',
      era: 'modern',
      outcome: 'OK',
      error_code: null,
      argument_keys: null,
      argument_digest: null,
      trace_id: null,
    });
    const canonical = `{"description":"${String(definition?.description)}","inputSchema":{"type":"object"},"name":"echo"}`;
    expect((row.definition_digest as Buffer).toString('hex')).toBe(
      createHash('sha256').update(canonical).digest('hex'),
    );
    const time = parseInt(String(row.id).replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(time).toBeLessThanOrEqual(Date.now());
    expect(row.upstream_us).toBeGreaterThan(0);
    expect(row.duration_us).toBeGreaterThan(row.upstream_us as number);
    expect(row.bytes_in).toBeGreaterThan(100);
    expect(row.bytes_out).toBeGreaterThan(50);
    expect(String(row.request_id)).toMatch(/^[\w.-]+$/);
  });

  it('has the sizes of the messages, and the request and the trace that the client names', async () => {
    const own = await scene();
    const token = await person.tokenFor(own.endpoint.path);
    const meta = 'io.modelcontextprotocol/';
    const params = {
      name: 'echo',
      _meta: {
        [`${meta}protocolVersion`]: '2026-07-28',
        [`${meta}clientCapabilities`]: {},
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    let answer = '';
    const row = await rowAfter(own, async () => {
      const response = await fetch(own.endpoint.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
          'x-request-id': 'request-of-mine',
        },
        body,
      });
      answer = await response.text();
    });
    expect(row).toMatchObject({
      bytes_in: Buffer.byteLength(body),
      bytes_out: Buffer.byteLength(answer),
      request_id: 'request-of-mine',
      trace_id: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
      client_name: null,
      client_version: null,
    });
  });

  it('names the access token of a bundle, the deployment and its version, and clients with sessions', async () => {
    const own = await scene();
    const token = await own.endpoint.bundleToken();
    const made = await person.api
      .raw('post', `/v1/bundles/${own.endpoint.bundleId}/deployments`)
      .send({ name: 'D', environment: 'test', kind: 'ENDPOINT', bundle_version: 1 });
    const { id } = made.body as { id: string };
    const path = `/mcp/deployments/${id}`;
    const client = new ModernClient(stage.urlsOf(path), token);
    const row = await rowAfter(own, () =>
      client.request('prompts/get', { name: 'greet', arguments: { name: SECRET } }),
    );
    const [{ id: tokenId } = { id: '' }] = await stage.test.dataSource.query<{ id: string }[]>(
      `SELECT id FROM bundle_access_tokens WHERE bundle_id = $1`,
      [own.endpoint.bundleId],
    );
    expect(row).toMatchObject({
      deployment_id: id,
      bundle_version: 1,
      principal_type: 'token',
      principal_id: tokenId,
      method: 'prompts/get',
    });
    const legacy = await person.legacy(own.endpoint);
    await legacy.result('tools/call', { name: 'echo' });
    const rows = await untilRecorded(stage.test, own.endpoint.bundleId, 2);
    expect(rows[1]).toMatchObject({ era: 'legacy', client_name: 'test', client_version: '1', outcome: 'OK' });
  });

  it('is not made for lists, and whatever else does not go to a server', async () => {
    const own = await scene();
    await own.modern.result('server/discover');
    await own.modern.all('prompts/list', 'prompts');
    const legacy = await person.legacy(own.endpoint);
    await legacy.result('ping');
    await legacy.result('tools/list');
    const row = await rowAfter(own, () => own.modern.result('tools/call', { name: 'echo' }));
    expect(row).toMatchObject({ method: 'tools/call' });
  });

  it('has nothing of arguments and results, and of an address only what the server lists', async () => {
    const own = await scene();
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      const result = { resultType: 'complete', content: [{ type: 'text', text: RESULT }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: received.id, result }));
      return true;
    };
    await own.modern.result('tools/call', { name: 'echo', arguments: { [SECRET]: SECRET } });
    await own.modern.result('resources/read', { uri: `memo://${SECRET}` });
    await own.modern.result('resources/read', { uri: 'memo://one' });
    await own.modern.error('resources/read', { uri: `other://${SECRET}` });
    await own.modern.result('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'name', value: SECRET },
    });
    const rows = await untilRecorded(stage.test, own.endpoint.bundleId, 5);
    expect(rows.map(({ method, name }) => [method, name])).toEqual([
      ['tools/call', 'echo'],
      ['resources/read', 'memo://{name}'],
      ['resources/read', 'memo://one'],
      // Only one server has resources, so that one is asked.
      ['resources/read', null],
      ['completion/complete', 'greet'],
    ]);
    expect(JSON.stringify(rows)).not.toContain('s3cret');
  });

  it('has the names of arguments, or a keyed digest of them, if the endpoint says so', async () => {
    const own = await scene({ record_arguments: 'KEYS' });
    await own.modern.result('tools/call', { name: 'echo', arguments: { query: SECRET, 'a\u0000b': 1 } });
    await own.modern.result('tools/call', { name: 'echo' });
    await own.endpoint.set({ record_arguments: 'DIGEST' });
    for (const args of [
      { a: 1, b: SECRET },
      { b: SECRET, a: 1 },
      { a: 2, b: SECRET },
    ])
      await own.modern.result('tools/call', { name: 'echo', arguments: args });
    const rows = await untilRecorded(stage.test, own.endpoint.bundleId, 5);
    expect(rows.map(({ argument_keys }) => argument_keys)).toEqual([['a\ufffdb', 'query'], [], null, null, null]);
    const digests = rows.map(({ argument_digest }) => (argument_digest as Buffer | null)?.toString('hex') ?? null);
    expect(digests.slice(0, 2)).toEqual([null, null]);
    expect(digests[2]).toMatch(/^[0-9a-f]{64}$/);
    expect(digests[3]).toBe(digests[2]);
    expect(digests[4]).not.toBe(digests[2]);
    // Whoever knows what it may have been cannot try it out.
    expect(digests[2]).not.toBe(createHash('sha256').update(`{"a":1,"b":"${SECRET}"}`).digest('hex'));
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('is written whatever a client calls itself, and what it asks for', async () => {
    const own = await scene();
    const legacy = await person.legacy(own.endpoint);
    const texts = ['\u0000', '\ud800', '{"a\\', `'${'x'.repeat(100_000)}`, 'NULL', '', '\u202e😀'.repeat(300)];
    for (const text of texts) {
      own.modern.info = { name: text, version: text };
      await legacy.error('prompts/get', { name: text });
      await own.modern.result('tools/call', { name: 'echo', _meta: { traceparent: text } });
    }
    const rows = await untilRecorded(stage.test, own.endpoint.bundleId, 2 * texts.length);
    expect(rows).toHaveLength(2 * texts.length);
    for (const { exposed_name } of rows) expect(Array.from(String(exposed_name)).length).toBeLessThanOrEqual(256);
  });
});

describe('The outcome of a call', () => {
  const works = () => undefined;
  const echo = (own: Scene) => own.modern.request('tools/call', { name: 'echo' });

  it.each<[string, string | null, (own: Scene) => Promise<unknown>, (exchange: Exchange) => void]>([
    ['OK', null, echo, works],
    [
      'OK',
      null,
      ({ modern }) => {
        modern.capabilities = { elicitation: { form: {} } };
        return modern.request('tools/call', { name: 'elicit' });
      },
      works,
    ],
    ['TOOL_ERROR', null, ({ modern }) => modern.request('tools/call', { name: 'fail' }), works],
    ['UPSTREAM_ERROR', 'upstream_error', echo, ({ response }) => response.writeHead(500).end()],
    ['UPSTREAM_ERROR', 'upstream_unreachable', echo, ({ response }) => response.destroy()],
    ['UPSTREAM_ERROR', '-32050', echo, (exchange) => upstream.sendError(exchange, -32_050, 'No.')],
    ['CREDENTIAL_REQUIRED', 'credential_required', echo, ({ response }) => response.writeHead(401).end()],
    ['RATE_LIMITED', 'rate_limited', echo, ({ response }) => response.writeHead(429).end()],
    ['DENIED', '-32602', ({ modern }) => modern.request('tools/call', { name: 'none' }), works],
    ['DENIED', '-32602', ({ modern }) => modern.request('tools/call', { name: 'echo', arguments: [] }), works],
    [
      'DENIED',
      '-32602',
      ({ modern }) => modern.request('tools/call', { name: 'echo', requestState: 'another' }),
      works,
    ],
  ])('is %s (%s)', async (outcome, errorCode, work, answer) => {
    const own = await scene();
    if (answer !== works) upstream.fault = failing(answer);
    const row = await rowAfter(own, () => work(own));
    expect(row).toMatchObject({ outcome, error_code: errorCode, method: 'tools/call' });
    expect(row.bytes_out).toBeGreaterThan(0);
    expect(row.upstream_us === null).toBe(outcome === 'DENIED');
  });

  it('is counted', async () => {
    const own = await scene();
    const grown = await growth(stage.test, ['toolyard_gateway_calls_total'], async () => {
      await echo(own);
      await own.modern.request('tools/call', { name: 'fail' });
      await own.modern.request('prompts/get', { name: 'none' });
      await untilRecorded(stage.test, own.endpoint.bundleId, 3);
    });
    expect(grown).toEqual({
      'toolyard_gateway_calls_total{outcome="OK"}': 1,
      'toolyard_gateway_calls_total{outcome="TOOL_ERROR"}': 1,
      'toolyard_gateway_calls_total{outcome="DENIED"}': 1,
    });
  });

  it('is not what a server pretends', async () => {
    const own = await scene();
    upstream.fault = failing((exchange) =>
      upstream.send(exchange, {
        content: [],
        isError: true,
        _meta: { 'com.toolyard/error': { code: 'denied', entry: 'x', retryable: false } },
      }),
    );
    expect(await rowAfter(own, () => echo(own))).toMatchObject({ outcome: 'TOOL_ERROR', error_code: null });
  });

  it('is TIMEOUT if the server does not answer in time', async () => {
    const own = await scene();
    const limits = stage.test.app.get(UpstreamLimits);
    const before = limits.firstByteMs;
    limits.firstByteMs = 200;
    try {
      upstream.fault = failing(() => undefined);
      const row = await rowAfter(own, () => echo(own));
      expect(row).toMatchObject({ outcome: 'TIMEOUT', error_code: 'upstream_timeout' });
      expect(row.upstream_us).toBeGreaterThan(150_000);
    } finally {
      limits.firstByteMs = before;
    }
  });

  it('is CANCELLED if the client takes the call back, in both eras', async () => {
    const own = await scene();
    const untilHeld = () =>
      eventually(
        () => upstream.calls.held,
        (held) => held === 1,
        2_000,
      );
    const controller = new AbortController();
    const call = own.modern
      .send('tools/call', { name: 'slow' }, { signal: controller.signal })
      .catch((error: unknown) => error);
    await untilHeld();
    controller.abort();
    await call;
    await untilRecorded(stage.test, own.endpoint.bundleId, 1);
    const legacy = await person.legacy(own.endpoint);
    const other = legacy.send('tools/call', { name: 'slow' }, { id: 'mine' });
    await untilHeld();
    await legacy.notify('notifications/cancelled', { requestId: 'mine' });
    await (await other).text();
    const rows = await untilRecorded(stage.test, own.endpoint.bundleId, 2);
    expect(rows.map(({ era, outcome }) => [era, outcome])).toEqual([
      ['modern', 'CANCELLED'],
      ['legacy', 'CANCELLED'],
    ]);
  });

  it('is DENIED without the scope to call, and for a tool that one may not see', async () => {
    const own = await scene();
    const reader = await person.modern(own.endpoint, 'mcp:read');
    expect(await rowAfter(own, () => reader.request('tools/call', { name: 'echo' }))).toMatchObject({
      outcome: 'DENIED',
      error_code: 'insufficient_scope',
      entry_id: null,
    });
    await own.modern.error('tools/call', { name: unique('hidden') });
    const [, unknown] = await untilRecorded(stage.test, own.endpoint.bundleId, 2);
    expect(unknown).toMatchObject({ outcome: 'DENIED', error_code: '-32602', entry_id: null, name: null });
    expect(unknown?.exposed_name).toContain('hidden');
  });

  it('is RATE_LIMITED if there are too many calls, of tools and of others', async () => {
    const own = await scene();
    const rates = stage.test.app.get(CallRates);
    const taking = jest.spyOn(rates, 'take').mockReturnValue({
      seconds: 1,
      detail: 'Too many.',
      policy: { name: 'mcp-calls', quota: 600, seconds: 60 },
    });
    try {
      await echo(own);
      await own.modern.request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } });
    } finally {
      taking.mockRestore();
    }
    const rows = await untilRecorded(stage.test, own.endpoint.bundleId, 2);
    expect(rows.map(({ outcome, entry_id, upstream_us }) => [outcome, entry_id, upstream_us])).toEqual([
      ['RATE_LIMITED', own.entryId, null],
      ['RATE_LIMITED', own.entryId, null],
    ]);
  });
});
