import { CallRates } from '../../src/gateway/edge/call-rates';
import { UpstreamLimits } from '../../src/gateway/upstreams/upstream-limits';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { MessageStream, ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, toolOf, type UpstreamEra } from './support/test-upstream';

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api,worker' } });
  ada = await stage.person(unique('ada'));
});

afterAll(async () => {
  await stage.close();
  for (const upstream of started) await upstream.close();
});

async function start(behaviour: Parameters<typeof TestUpstream.start>[0] = {}): Promise<TestUpstream> {
  const upstream = await TestUpstream.start(behaviour);
  started.push(upstream);
  return upstream;
}

/** A client, and the name of a tool of its server. */
async function connected(
  upstream: TestUpstream,
  settings: Json = {},
): Promise<{ client: ModernClient; endpoint: Endpoint; nameOf: (tool: string) => string }> {
  const endpoint = await ada.endpoint([upstream.url], settings);
  const client = await ada.modern(endpoint);
  const tools = await client.all('tools/list', 'tools');
  const nameOf = (tool: string) =>
    tools.map(({ name }) => String(name)).find((name) => name.endsWith(`__${tool}`) || name === tool) ?? '';
  return { client, endpoint, nameOf };
}

const textOf = (result: Json) => (result.content as Json[])[0]?.text;

describe.each([
  ['a modern server', ['modern']],
  ['a legacy server', ['legacy']],
  ['a server of both eras', ['modern', 'legacy']],
] as [string, UpstreamEra[]][])('A modern client and %s', (_, eras) => {
  let upstream: TestUpstream;
  let client: ModernClient;
  let nameOf: (tool: string) => string;

  beforeAll(async () => {
    upstream = await start({ eras: new Set(eras) });
    ({ client, nameOf } = await connected(upstream));
  });

  it('know each other', async () => {
    const { supportedVersions, capabilities, ttlMs, cacheScope, _meta } = await client.result('server/discover');
    expect(supportedVersions).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
    expect(capabilities).toMatchObject({ tools: { listChanged: true }, resources: { subscribe: true } });
    expect([typeof ttlMs, cacheScope]).toEqual(['number', 'private']);
    expect((_meta as Json)['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: expect.any(String) as string });
  });

  it.each([
    ['tools/list', 'tools', 6],
    ['prompts/list', 'prompts', 1],
    ['resources/list', 'resources', 1],
    ['resources/templates/list', 'resourceTemplates', 1],
  ])('list: %s', async (method, field, count) => {
    const result = await client.result(method);
    expect(result[field]).toHaveLength(count);
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  });

  it('call tools', async () => {
    const before = upstream.of('tools/call').length;
    const result = await client.result('tools/call', {
      name: nameOf('echo'),
      arguments: { a: [1, '世'] },
      _meta: { 'com.example/x': 1, traceparent: 't' },
    });
    expect([textOf(result), result.resultType]).toEqual(['{"a":[1,"世"]}', 'complete']);
    const calls = upstream.of('tools/call').slice(before);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.params).toMatchObject({ name: 'echo', _meta: { 'com.example/x': 1, traceparent: 't' } });
    // Nothing of the client's own credentials or words goes on.
    expect(JSON.stringify([calls[0]?.headers, calls[0]?.params])).not.toMatch(/bearer|"test"/i);
    const failed = await client.result('tools/call', { name: nameOf('fail'), arguments: {} });
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'It failed.' }] });
  });

  it('get prompts, read resources and complete arguments', async () => {
    const [prompt] = await client.all('prompts/list', 'prompts');
    expect(await client.result('prompts/get', { name: prompt?.name, arguments: { name: 'Ada' } })).toMatchObject({
      messages: [{ content: { text: 'Hello Ada' } }],
    });
    for (const uri of ['memo://one', 'memo://other'])
      expect(await client.result('resources/read', { uri })).toMatchObject({
        contents: [{ uri, text: `The memo ${uri}.` }],
        cacheScope: 'private',
      });
    const argument = { name: 'name', value: 'a' };
    for (const ref of [
      { type: 'ref/prompt', name: prompt?.name },
      { type: 'ref/resource', uri: 'memo://{name}' },
    ])
      expect(await client.result('completion/complete', { ref, argument })).toMatchObject({
        completion: { values: ['ada', 'bob'] },
      });
    expect(upstream.of('prompts/get').at(-1)?.params.name).toBe('greet');
    expect(upstream.of('completion/complete').map(({ params }) => (params.ref as Json).name)).toContain('greet');
  });

  it('pass progress as it comes', async () => {
    const response = await client.send('tools/call', {
      name: nameOf('progress'),
      arguments: { waits: true },
      _meta: { progressToken: 'p' },
    });
    const stream = new MessageStream(response);
    expect(await stream.nextOf('notifications/progress')).toMatchObject({
      params: { progressToken: 'p', progress: 1, total: 2 },
    });
    upstream.calls.release();
    expect(await stream.nextOf('notifications/progress')).toMatchObject({ params: { progress: 2 } });
    expect(await stream.next()).toMatchObject({
      result: { content: [{ text: expect.stringContaining('progressed') as string }] },
    });
    expect(await stream.next()).toBeUndefined();
  });

  it('pass log messages only if they were asked for', async () => {
    const name = nameOf('log');
    expect((await client.request('tools/call', { name, arguments: {} })).before).toEqual([]);
    client.logLevel = 'info';
    const { before } = await client.request('tools/call', { name, arguments: {} });
    client.logLevel = 'error';
    // A server of the legacy era does not know it.
    const quiet = await client.request('tools/call', { name, arguments: {} });
    client.logLevel = undefined;
    if (!eras.includes('modern')) expect(quiet.before).toEqual([]);
    expect(before).toMatchObject([{ method: 'notifications/message', params: { data: 'It works.' } }]);
  });

  it('cancel by closing the stream', async () => {
    const controller = new AbortController();
    const cancelled = upstream.cancelled.length;
    const call = client
      .send('tools/call', { name: nameOf('slow'), arguments: {} }, { signal: controller.signal })
      .catch(() => undefined);
    await eventually(
      () => upstream.calls.begun.filter((tool) => tool === 'slow').length,
      (count) => count > 0,
      5_000,
    );
    controller.abort();
    await call;
    await eventually(
      () => upstream.cancelled.length,
      (count) => count > cancelled,
      1_000,
    );
  });
});

describe('A modern client', () => {
  it('is asked by a modern server, in the result', async () => {
    const { client, nameOf } = await connected(await start({ eras: new Set(['modern']) }));
    client.capabilities = { elicitation: { form: {} } };
    const asked = await client.result('tools/call', { name: nameOf('elicit'), arguments: {} });
    expect(asked).toMatchObject({
      resultType: 'input_required',
      requestState: expect.not.stringContaining('state-1') as string,
      inputRequests: { name: { method: 'elicitation/create' } },
    });
    expect(asked).not.toHaveProperty('ttlMs');
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const result = await client.result('tools/call', {
      name: nameOf('elicit'),
      arguments: {},
      inputResponses,
      requestState: asked.requestState,
    });
    // The server gets exactly what it gave.
    expect(JSON.parse(String(textOf(result)))).toEqual({ responses: inputResponses, state: 'state-1' });
  });

  it('cannot send the state of another principal, another request, or one of its own making', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    upstream.tools = [toolOf('elicit'), toolOf('other')];
    const endpoint = await ada.endpoint([upstream.url], { naming: 'PLAIN' }, { visibility: 'PUBLIC' });
    const client = await ada.modern(endpoint);
    const eve = await (await stage.person(unique('eve'))).modern(endpoint);
    const program = new ModernClient([endpoint.url], await endpoint.bundleToken());
    const elsewhere = await ada.modern(await ada.endpoint([upstream.url], { naming: 'PLAIN' }));
    const clients = [client, eve, program, elsewhere];
    for (const each of clients) each.capabilities = { elicitation: { form: {} } };
    const call = { name: 'elicit', arguments: {} };
    const inputResponses = { name: { action: 'accept', content: { name: 'Eve' } } };
    const { requestState } = await client.result('tools/call', call);
    const attempts: [ModernClient, Json][] = [
      [eve, { requestState }],
      [program, { requestState }],
      [elsewhere, { requestState }],
      [client, { requestState, name: 'other' }],
      [client, { requestState: `${String(requestState)}-TAMPERED` }],
      [client, { requestState: 'state-1' }],
      [client, { requestState: 7 }],
      [client, { requestState: null }],
    ];
    const before = upstream.of('tools/call').length;
    for (const [sender, params] of attempts)
      expect(await sender.error('tools/call', { ...call, inputResponses, ...params })).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('requestState') as string,
      });
    expect(upstream.of('tools/call')).toHaveLength(before);
    const result = await client.result('tools/call', { ...call, inputResponses, requestState });
    expect(JSON.parse(String(textOf(result)))).toEqual({ responses: inputResponses, state: 'state-1' });
  });

  it('is told if a server wants more back than a request can carry', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const { client, nameOf } = await connected(upstream);
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      const result = { resultType: 'input_required', requestState: 'x'.repeat(600_000) };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: received.id, result }));
      return true;
    };
    expect(await client.result('tools/call', { name: nameOf('echo') })).toMatchObject({
      isError: true,
      _meta: { 'com.toolyard/error': { code: 'too_large', retryable: false } },
    });
  });

  it('has a call under way until it has read the answer', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const { client, nameOf } = await connected(upstream);
    // More than the buffers of two sockets take.
    const text = 'x'.repeat(10_000_000);
    let isLarge = true;
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      const result = { resultType: 'complete', content: [{ type: 'text', text: isLarge ? text : '' }] };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: received.id, result }));
      return true;
    };
    const limits = stage.test.app.get(UpstreamLimits);
    const usual = limits.callsOfPrincipal;
    limits.callsOfPrincipal = 2;
    try {
      const call = { name: nameOf('echo'), arguments: {} };
      const unread = [await client.send('tools/call', call), await client.send('tools/call', call)];
      isLarge = false;
      expect(await client.result('tools/call', call)).toMatchObject({
        isError: true,
        _meta: { 'com.toolyard/error': { code: 'rate_limited', retryable: true } },
      });
      expect(upstream.of('tools/call')).toHaveLength(2);
      const [first, second] = unread;
      expect((await first?.text())?.length).toBeGreaterThan(text.length);
      await eventually(
        () => client.result('tools/call', call),
        ({ isError }) => isError !== true,
        2_000,
      );
      await second?.body?.cancel();
    } finally {
      limits.callsOfPrincipal = usual;
    }
  });

  it('is not asked by a legacy server', async () => {
    const { client, nameOf } = await connected(await start({ eras: new Set(['legacy']) }));
    client.capabilities = { elicitation: {} };
    expect(textOf(await client.result('tools/call', { name: nameOf('elicit'), arguments: {} }))).toBe('nobody to ask');
  });

  it.each([
    [{ name: 'nothing' }, 'Unknown tool'],
    [{ name: 7 }, 'params.name must be a string.'],
    [{ name: 'x', arguments: [] }, 'params.arguments must be an object.'],
  ])('is told what is wrong with %j', async (params, message) => {
    const { client } = await connected(await start());
    expect(await client.error('tools/call', params)).toEqual({ status: 200, code: -32602, message });
  });

  it('does not find what nobody has', async () => {
    const { client } = await connected(await start());
    expect(await client.error('prompts/get', { name: 'x' })).toMatchObject({ code: -32602 });
    expect(await client.error('resources/read', { uri: 'memo:/none' })).toMatchObject({
      code: -32602,
      message: 'Resource not found',
    });
    const second = await start();
    const endpoint = await ada.endpoint([(await start()).url, second.url]);
    const both = await ada.modern(endpoint);
    expect(await both.error('resources/read', { uri: 'other://x' })).toMatchObject({
      code: -32602,
      data: { uri: 'other://x' },
    });
    expect(second.of('resources/read')).toEqual([]);
    expect(
      await both.error('completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: {} }),
    ).toMatchObject({ code: -32602 });
  });

  it('must repeat parameters that a tool wants in headers', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    upstream.tools = [toolOf('query', { inputSchema })];
    const { client, nameOf } = await connected(upstream);
    const params = { name: nameOf('query'), arguments: { region: 'eu' } };
    expect(await client.error('tools/call', params)).toMatchObject({ status: 400, code: -32020 });
    expect(await client.error('tools/call', { ...params, headers: { 'mcp-param-region': 'us' } })).toMatchObject({
      status: 400,
      code: -32020,
    });
    await client.result('tools/call', { ...params, headers: { 'mcp-param-region': 'eu' } });
    expect(upstream.of('tools/call')).toHaveLength(1);
    expect(upstream.of('tools/call')[0]?.headers).toMatchObject({ 'mcp-param-region': 'eu', 'mcp-name': 'query' });
  });

  it('is told by a result why a server has not done something, while the others go on', async () => {
    const [dead, alive] = [await start(), await start()];
    const endpoint = await ada.endpoint([dead.url, alive.url]);
    const client = await ada.modern(endpoint);
    const names = (await client.all('tools/list', 'tools'))
      .map(({ name }) => String(name))
      .filter((name) => name.endsWith('__echo'));
    expect(names).toHaveLength(2);
    await dead.close();
    const failed = await client.result('tools/call', { name: names[0], arguments: {} });
    expect(failed).toMatchObject({
      isError: true,
      resultType: 'complete',
      _meta: { 'com.toolyard/error': { code: 'upstream_unreachable', retryable: true } },
    });
    expect(textOf(failed)).toMatch(
      /^The server "server-\d+" has failed\. .* Nothing else is wrong with this bundle\.$/,
    );
    expect(textOf(await client.result('tools/call', { name: names[1], arguments: { a: 1 } }))).toBe('{"a":1}');
    expect(await client.all('tools/list', 'tools')).toHaveLength(12);
    const [prompt] = await client.all('prompts/list', 'prompts');
    expect(await client.error('prompts/get', { name: prompt?.name })).toMatchObject({
      code: -32603,
      data: { 'com.toolyard/error': { code: 'upstream_unreachable' } },
    });
  });

  it('gets an error of a server as it is', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const { client, nameOf } = await connected(upstream);
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      const error = { code: -32_123, message: 'x'.repeat(9_000), data: { a: 1 } };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: received.id, error }));
      return true;
    };
    const error = await client.error('tools/call', { name: nameOf('echo') });
    expect([error.code, error.data, String(error.message).length < 4_100]).toEqual([-32_123, { a: 1 }, true]);
  });

  it('sees names as the bundle sets them', async () => {
    const upstream = await start();
    const { client, endpoint } = await connected(upstream, { naming: 'PLAIN' });
    expect((await client.all('tools/list', 'tools')).map(({ name }) => name)).toEqual([
      'echo',
      'elicit',
      'fail',
      'log',
      'progress',
      'slow',
    ]);
    expect(textOf(await client.result('tools/call', { name: 'echo', arguments: {} }))).toBe('{}');
    await endpoint.set({ naming: 'PREFIX' });
    const names = (await client.all('tools/list', 'tools')).map(({ name }) => String(name));
    expect(names.every((name) => /^[a-z0-9-]{1,16}__[a-z]+$/.test(name))).toBe(true);
    expect(await client.error('tools/call', { name: 'echo' })).toMatchObject({ message: 'Unknown tool' });
  });

  it('gets long lists in pages', async () => {
    const upstream = await start();
    upstream.tools = Array.from({ length: 1_234 }, (_, index) => toolOf(`tool-${index}`));
    const { client } = await connected(upstream);
    const first = await client.result('tools/list');
    expect([(first.tools as Json[]).length, typeof first.nextCursor]).toEqual([500, 'string']);
    expect(new Set((await client.all('tools/list', 'tools')).map(({ name }) => name)).size).toBe(1_234);
    expect(await client.error('prompts/list', { cursor: first.nextCursor })).toMatchObject({ code: -32602 });
    const { client: other } = await connected(upstream);
    expect(await other.error('tools/list', { cursor: first.nextCursor })).toMatchObject({ code: -32602 });
  });

  it('can make 600 calls a minute through one bundle', async () => {
    const { client, endpoint, nameOf } = await connected(await start());
    const began = performance.now();
    stage.test.app.get(CallRates).measureBy(() => began);
    const many = () =>
      Promise.all(Array.from({ length: 15 }, () => client.result('tools/call', { name: nameOf('echo') })));
    for (let made = 0; made < 600; made += 15)
      expect((await many()).filter(({ isError }) => isError === true)).toEqual([]);
    expect(await client.result('tools/call', { name: nameOf('echo') })).toMatchObject({
      isError: true,
      _meta: { 'com.toolyard/error': { code: 'rate_limited', retryable: true } },
    });
    const { status, headers } = await client.request('resources/read', { uri: 'memo://one' });
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await client.request('tools/list')).status).toBe(200);
    const program = new ModernClient([endpoint.url], await endpoint.bundleToken());
    expect(textOf(await program.result('tools/call', { name: nameOf('echo'), arguments: {} }))).toBe('{}');
    stage.test.app.get(CallRates).measureBy(() => began + 100);
    expect(textOf(await client.result('tools/call', { name: nameOf('echo'), arguments: {} }))).toBe('{}');
    expect(await client.result('tools/call', { name: nameOf('echo') })).toMatchObject({ isError: true });
  });
});
