import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { CallRates } from '../../src/gateway/edge/call-rates';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { LegacyClient, MessageStream, ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

const SEARCH_TOOLS = ['find_tools', 'describe_tools', 'call_tool'];

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];
const streams: MessageStream[] = [];
const until = (isSo: () => boolean) => eventually(isSo, (answer) => answer, 5_000);

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

async function start(behaviour: Parameters<typeof TestUpstream.start>[0] = {}): Promise<TestUpstream> {
  const upstream = await TestUpstream.start(behaviour);
  started.push(upstream);
  return upstream;
}

const textOf = (result: Json) => String((result.content as Json[])[0]?.text);
/** What a search tool says. */
async function said(client: ModernClient | LegacyClient, name: string, args: Json): Promise<Json> {
  return JSON.parse(textOf(await client.result('tools/call', { name, arguments: args }))) as Json;
}
const namesOf = (tools: unknown) => (tools as Json[]).map(({ name }) => String(name));
const listed = async (client: ModernClient | LegacyClient) => namesOf(await client.all('tools/list', 'tools'));

describe.each([['modern'], ['legacy']] as const)('A %s client of an endpoint that is searched', (era) => {
  let upstream: TestUpstream;
  let endpoint: Endpoint;
  let client: ModernClient | LegacyClient;
  /** As clients call it. */
  let echo: string;

  beforeAll(async () => {
    upstream = await start();
    endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH' });
    client = era === 'modern' ? await ada.modern(endpoint) : await ada.legacy(endpoint, { elicitation: {} });
    echo = namesOf((await said(client, 'find_tools', { query: 'echo' })).tools)[0] ?? '';
  });

  it('has three tools in its list', async () => {
    expect(await listed(client)).toEqual(SEARCH_TOOLS);
  });

  it('finds tools, and reads their definitions', async () => {
    const found = await said(client, 'find_tools', { query: 'progress', limit: 1 });
    expect(found).toMatchObject({ tools: [{ description: 'The tool progress.' }], matches: 1, of: 6 });
    const [name = ''] = namesOf(found.tools);
    expect(await said(client, 'describe_tools', { names: [name, 'none', name] })).toEqual({
      tools: [{ name, description: 'The tool progress.', inputSchema: { type: 'object' } }],
      unknown: ['none'],
    });
    expect((await said(client, 'find_tools', { query: '' })).tools).toHaveLength(6);
    expect(await said(client, 'find_tools', { query: 'nothing like it' })).toMatchObject({ of: 6 });
  });

  it('is told as a result what is wrong with its arguments', async () => {
    for (const [name, args] of [
      ['find_tools', {}],
      ['find_tools', { query: 'x', limit: 51 }],
      ['find_tools', { query: 'x'.repeat(1_025) }],
      ['describe_tools', { names: [] }],
      ['describe_tools', { names: Array(21).fill('x') as string[] }],
      ['call_tool', {}],
      ['call_tool', { name: echo, arguments: [] }],
    ] as const)
      expect(await client.result('tools/call', { name, arguments: args })).toMatchObject({ isError: true });
  });

  it('calls a tool by call_tool, and by its own name', async () => {
    const before = upstream.of('tools/call').length;
    const args = { name: echo, arguments: { a: 1 } };
    const called = await client.result('tools/call', { name: 'call_tool', arguments: args });
    expect(called).toEqual(await client.result('tools/call', args));
    expect(textOf(called)).toBe('{"a":1}');
    const calls = upstream.of('tools/call').slice(before);
    expect(calls.map(({ params }) => [params.name, params.arguments])).toEqual(Array(2).fill(['echo', { a: 1 }]));
  });

  it('gets the same bytes for a tool that it may not use and one that does not exist', async () => {
    const path = `/v1/bundles/${endpoint.bundleId}/policies` as const;
    const rules = [{ effect: 'DENY' as const, subject: { kind: 'everyone' as const }, tools: 'echo' }];
    await ada.api.put(path, { rules }, 200);
    const bodyOf = async (name: string) => {
      const response = await client.send('tools/call', { name: 'call_tool', arguments: { name } }, { id: 'same' });
      return [response.status, await response.text()];
    };
    expect(await bodyOf(echo)).toEqual(await bodyOf('no_such_tool'));
    expect(await said(client, 'describe_tools', { names: [echo] })).toEqual({ tools: [], unknown: [echo] });
    expect(await said(client, 'find_tools', { query: 'echo' })).toEqual({ tools: [], matches: 0, of: 5 });
    await ada.api.put(path, { rules: [] }, 200);
  });

  it('hears of progress', async () => {
    const [progress = ''] = namesOf((await said(client, 'find_tools', { query: 'progress' })).tools);
    const response = await client.send('tools/call', {
      name: 'call_tool',
      arguments: { name: progress, arguments: {} },
      _meta: { progressToken: 'p' },
    });
    const stream = new MessageStream(response);
    streams.push(stream);
    expect(await stream.nextOf('notifications/progress')).toMatchObject({ params: { progressToken: 'p' } });
  });

  it('cancels', async () => {
    const [slow = ''] = namesOf((await said(client, 'find_tools', { query: 'slow' })).tools);
    const controller = new AbortController();
    const before = upstream.of('tools/call').length;
    const params = { name: 'call_tool', arguments: { name: slow, arguments: {} } };
    const calling = client.send('tools/call', params, { signal: controller.signal, id: 'slow' }).then(
      (response) => response.text().catch(() => undefined),
      () => undefined,
    );
    await until(() => upstream.of('tools/call').length > before);
    const cancelled = upstream.cancelled.length;
    if (client instanceof LegacyClient) await client.notify('notifications/cancelled', { requestId: 'slow' });
    controller.abort();
    await until(() => upstream.cancelled.length > cancelled);
    await calling;
  });

  it('counts a call once, and a search like a call', async () => {
    const rates = stage.test.app.get(CallRates);
    const taken = jest.spyOn(rates, 'take');
    const [url = ''] = client.urls;
    const here = client instanceof LegacyClient ? client.at(url) : new ModernClient([url], client.token);
    await here.result('tools/call', { name: 'call_tool', arguments: { name: echo } });
    expect(taken).toHaveBeenCalledTimes(1);
    await here.result('tools/call', { name: 'find_tools', arguments: { query: 'echo' } });
    expect(taken).toHaveBeenCalledTimes(2);
    taken.mockRestore();
  });
});

describe('What a server asks of a call by call_tool', () => {
  it('comes back by its state, for the same tool, and for no other', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH' });
    const client = await ada.modern(endpoint);
    client.capabilities = { elicitation: { form: {} } };
    const nameOf = async (query: string) => namesOf((await said(client, 'find_tools', { query })).tools)[0] ?? '';
    const [elicit, echo] = [await nameOf('elicit'), await nameOf('echo')];
    const asked = await client.result('tools/call', { name: 'call_tool', arguments: { name: elicit, arguments: {} } });
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string });
    const [key = ''] = Object.keys(asked.inputRequests as Json);
    const answers = {
      requestState: asked.requestState,
      inputResponses: { [key]: { action: 'accept', content: { name: 'Ada' } } },
    };
    const other = { name: 'call_tool', arguments: { name: echo, arguments: {} }, ...answers };
    expect(await client.error('tools/call', other)).toMatchObject({ code: -32602 });
    const again = { name: 'call_tool', arguments: { name: elicit, arguments: {} }, ...answers };
    expect(await client.result('tools/call', again)).toMatchObject({ resultType: 'complete' });
  });

  it.each([['legacy'], ['modern']] as const)(
    'comes on the stream of a client with a session, from a %s server',
    async (era) => {
      const upstream = await start({ eras: new Set([era]) });
      const endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH' });
      const client = await ada.legacy(endpoint, { elicitation: {} });
      const [name = ''] = namesOf((await said(client, 'find_tools', { query: 'elicit' })).tools);
      const stream = new MessageStream(
        await client.send('tools/call', { name: 'call_tool', arguments: { name, arguments: {} } }),
      );
      streams.push(stream);
      const { id } = await stream.nextOf('elicitation/create');
      await client.answer(id, { action: 'accept', content: { name: 'Ada' } });
      const answered = await stream.next();
      expect(textOf(answered?.result as Json)).toContain('Ada');
    },
  );

  it('needs no headers of the parameters of the tool, which its server gets', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    upstream.tools = [toolOf('echo', { inputSchema: { type: 'object', properties: { region } } })];
    const endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH' });
    const client = await ada.modern(endpoint);
    const [name = ''] = namesOf((await said(client, 'find_tools', { query: 'echo' })).tools);
    const args = { name, arguments: { region: 'eu' } };
    await client.result('tools/call', { name: 'call_tool', arguments: args });
    expect(upstream.of('tools/call').at(-1)?.headers['mcp-param-region']).toBe('eu');
    // By its own name the rules of the protocol hold.
    expect(await client.error('tools/call', args)).toMatchObject({ status: 400, code: -32020 });
    const headers = { 'mcp-param-region': 'eu' };
    expect(await client.result('tools/call', { ...args, headers })).toMatchObject({ resultType: 'complete' });
  });
});

describe('The presentation of an endpoint', () => {
  const many = (count: number) => Array.from({ length: count }, (_, number) => toolOf(`tool_${number}`));

  it('AUTO switches with the number of tools that someone may use, and clients hear of it', async () => {
    const upstream = await start();
    upstream.tools = many(61);
    const endpoint = await ada.endpoint([upstream.url], { presentation: 'AUTO' });
    const client = await ada.modern(endpoint);
    expect(await listed(client)).toEqual(SEARCH_TOOLS);
    const stream = new MessageStream(
      await client.send('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    streams.push(stream);
    await stream.nextOf('notifications/subscriptions/acknowledged');
    const rules = [{ effect: 'DENY' as const, subject: { kind: 'everyone' as const }, tools: 'tool_60' }];
    await ada.api.put(`/v1/bundles/${endpoint.bundleId}/policies`, { rules }, 200);
    await stream.nextOf('notifications/tools/list_changed');
    expect(await listed(client)).toHaveLength(60);
    // Without search tools their names mean nothing.
    expect(await client.error('tools/call', { name: 'find_tools', arguments: { query: 'x' } })).toMatchObject({
      message: 'Unknown tool',
    });
  });

  it('lets a token search that may only read', async () => {
    const upstream = await start();
    const endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH' });
    const client = Object.assign(await ada.modern(endpoint), { token: await endpoint.bundleToken(['read']) });
    const [name = ''] = namesOf((await said(client, 'find_tools', { query: 'echo' })).tools);
    for (const params of [{ name: 'call_tool', arguments: { name } }, { name }])
      expect((await client.request('tools/call', params)).status).toBe(403);
    await endpoint.set({ presentation: 'ALL', naming: 'PLAIN' });
    upstream.tools = [toolOf('find_tools')];
    await ada.api.post(`/v1/bundles/${endpoint.bundleId}/endpoint/refresh`, undefined, 200);
    // Now it is a tool like any other.
    expect((await client.request('tools/call', { name: 'find_tools', arguments: { query: 'x' } })).status).toBe(403);
  });

  it('keeps answers small with 2,000 tools', async () => {
    const upstream = await start();
    upstream.tools = Array.from({ length: 2_000 }, (_, number) =>
      toolOf(`tool_${number}`, {
        description: `Does thing ${number} of the kind ${number % 7}. ${'It is described at length. '.repeat(20)}`,
        inputSchema: { type: 'object', properties: { target: { type: 'string', description: 'What it is done to.' } } },
      }),
    );
    const endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH' });
    const client = await ada.modern(endpoint);
    const bytesOf = async (method: string, params: Json = {}) => {
      const response = await client.send(method, params);
      return { bytes: (await response.arrayBuffer()).byteLength, status: response.status };
    };
    const list = await bytesOf('tools/list');
    const find = await bytesOf('tools/call', { name: 'find_tools', arguments: { query: 'thing 1234', limit: 50 } });
    const found = await said(client, 'find_tools', { query: 'thing 1234' });
    const names = namesOf(found.tools).slice(0, 1);
    const describe = await bytesOf('tools/call', { name: 'describe_tools', arguments: { names } });
    expect(names).toEqual([expect.stringMatching(/__tool_1234$/)]);
    expect(found).toMatchObject({ matches: 2_000, of: 2_000 });
    expect(list.bytes).toBeLessThan(4_000);
    expect(find.bytes).toBeLessThan(24_000);
    expect(describe.bytes).toBeLessThan(2_000);
    const report = (await ada.api.post(`/v1/bundles/${endpoint.bundleId}/compile`, undefined, 200)).body;
    expect(report.tools).toHaveLength(2_000);
    expect(report.tools_tokens).toBeLessThan(1_000);
    await endpoint.set({ presentation: 'ALL' });
    expect((await bytesOf('tools/list')).bytes).toBeGreaterThan(300_000);
  });

  it('gives a tool with a reserved name its longer one, and the report says so', async () => {
    const upstream = await start();
    upstream.tools = [toolOf('call_tool')];
    const endpoint = await ada.endpoint([upstream.url], { presentation: 'SEARCH', naming: 'PLAIN' });
    const client = await ada.modern(endpoint);
    const [name = ''] = namesOf((await said(client, 'find_tools', { query: 'call' })).tools);
    expect(name).toMatch(/__call_tool$/);
    const report = (await ada.api.post(`/v1/bundles/${endpoint.bundleId}/compile`, undefined, 200)).body;
    expect(report.problems.map(({ code, subject }) => [code, subject])).toContainEqual(['name_reserved', 'call_tool']);
  });
});
