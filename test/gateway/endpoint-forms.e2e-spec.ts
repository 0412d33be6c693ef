import { unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { MessageStream, type LegacyClient, type ModernClient } from './support/mcp-client';
import { faultsOfList, faultsOfToolResult, LISTS, type ListName } from './support/revision-schemas';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

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

async function start(fields: Partial<TestUpstream> = {}): Promise<TestUpstream> {
  const upstream = await TestUpstream.start();
  started.push(upstream);
  return Object.assign(upstream, fields);
}

/** An endpoint, and a client of each era. */
async function connected(upstreams: TestUpstream[], capabilities: Json = {}) {
  const endpoint = await ada.endpoint(upstreams.map(({ url }) => url));
  const modern = await ada.modern(endpoint);
  const legacy = await ada.legacy(endpoint, capabilities);
  return { endpoint, clients: { modern, legacy } };
}

type Clients = { modern: ModernClient; legacy: LegacyClient };

async function nameOf({ modern }: Clients, tool: string): Promise<string> {
  const tools = await modern.all('tools/list', 'tools');
  return tools.map(({ name }) => String(name)).find((name) => name.endsWith(tool)) ?? '';
}

const problemsOf = async ({ bundleId }: Endpoint) =>
  (await ada.api.post(`/v1/bundles/${bundleId}/compile`, undefined, 200)).body.problems;

/** Lets a server answer every call of a tool with this. */
function answering(upstream: TestUpstream, result: Json): void {
  upstream.fault = (exchange) => {
    if (exchange.received.method !== 'tools/call') return false;
    upstream.send(exchange, result);
    return true;
  };
}

describe('What a sloppy server lists', () => {
  it('takes nothing of other servers from any client, and the report names what was wrong', async () => {
    const sloppy = await start({
      tools: [
        { name: 'empty', inputSchema: {}, title: null, description: null, annotations: { readOnlyHint: 'yes' } },
        { name: 'broken', inputSchema: { type: 'object', required: null }, outputSchema: { $ref: '#/nowhere' } },
        { name: 'wrong', inputSchema: { type: 'array' } },
        toolOf('good'),
      ],
      prompts: [{ name: 'ask', arguments: null }],
      resources: [{ uri: 'memo://nameless' }, { uri: 'nothing', name: 'x' }],
      templates: [{ uriTemplate: 'memo://{x}', name: null, mimeType: 5 }],
    });
    const { endpoint, clients } = await connected([sloppy, await start()]);
    for (const method of Object.keys(LISTS) as ListName[]) {
      expect(faultsOfList('2026-07-28', method, await clients.modern.result(method))).toEqual([]);
      for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'] as const)
        expect(faultsOfList(revision, method, await clients.legacy.result(method))).toEqual([]);
    }
    const tools = (await clients.legacy.all('tools/list', 'tools')).map(({ name }) => String(name).split('__')[1]);
    expect(tools).toEqual(expect.arrayContaining(['empty', 'broken', 'good', 'echo']));
    expect(tools).not.toContain('wrong');
    const problems = await problemsOf(endpoint);
    expect(problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual(
      expect.arrayContaining([
        'definition_mended empty',
        'definition_mended broken',
        'left_out wrong',
        'definition_mended ask',
        'definition_mended memo://nameless',
        'left_out nothing',
        'definition_mended memo://{x}',
      ]),
    );
    expect(problems.find(({ subject }) => subject === 'empty')?.detail).toContain(
      '/annotations/readOnlyHint is a text',
    );
  });
});

describe('A tool whose output is of any type', () => {
  it('has a list and results that clients of either era can read', async () => {
    const outputSchema = { type: 'array', items: { $ref: '#/$defs/Item' }, $defs: { Item: { type: 'string' } } };
    const upstream = await start({ tools: [toolOf('names', { outputSchema })] });
    const { clients } = await connected([upstream]);
    const name = await nameOf(clients, 'names');
    const [ofModern] = await clients.modern.all('tools/list', 'tools');
    const [ofLegacy] = await clients.legacy.all('tools/list', 'tools');
    expect(ofModern?.outputSchema).toEqual(outputSchema);
    expect(ofLegacy?.outputSchema).toEqual({
      type: 'object',
      properties: { result: { ...outputSchema, items: { $ref: '#/properties/result/$defs/Item' } } },
      required: ['result'],
    });
    answering(upstream, { resultType: 'complete', structuredContent: ['a', 'b'] });
    const toModern = await clients.modern.result('tools/call', { name });
    const toLegacy = await clients.legacy.result('tools/call', { name });
    expect(toModern).toMatchObject({ content: [], structuredContent: ['a', 'b'] });
    expect(toLegacy).toEqual({ content: [], structuredContent: { result: ['a', 'b'] } });
    expect(faultsOfToolResult('2026-07-28', toModern)).toEqual([]);
    expect(faultsOfToolResult('2025-11-25', toLegacy)).toEqual([]);
  });
});

describe('What a server answers', () => {
  it('is an error for clients that do not know the kind of result', async () => {
    const upstream = await start();
    const { clients } = await connected([upstream]);
    const name = await nameOf(clients, 'echo');
    answering(upstream, { resultType: 'later', ticket: 5 });
    expect(await clients.modern.result('tools/call', { name })).toMatchObject({ resultType: 'later', ticket: 5 });
    expect(await clients.legacy.result('tools/call', { name })).toMatchObject({ isError: true });
  });
});

describe('What a server asks in one call', () => {
  const asking = { capabilities: {}, message: 'x', requestedSchema: { type: 'object', properties: {} } };

  it('is at most 16 questions at once to clients of either era', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const { clients } = await connected([upstream], { elicitation: {} });
    const name = await nameOf(clients, 'echo');
    const requests = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`q${n}`, { method: 'elicitation/create', params: asking }]),
      );
    answering(upstream, { resultType: 'input_required', inputRequests: requests(17), requestState: 's' });
    clients.modern.capabilities = { elicitation: {} };
    expect(await clients.modern.result('tools/call', { name })).toMatchObject({ isError: true });
    answering(upstream, { resultType: 'input_required', inputRequests: requests(16), requestState: 's' });
    expect(await clients.modern.result('tools/call', { name })).toMatchObject({ resultType: 'input_required' });
  });

  it('is at most 16 questions on the stream of the call, and no address but of a page', async () => {
    const upstream = await start({ eras: new Set(['legacy']) });
    const { clients } = await connected([upstream], { sampling: {}, elicitation: { url: {} } });
    const name = await nameOf(clients, 'echo');
    const message = (id: number, method: string, params: Json) =>
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n\n`;
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const url of ['javascript:alert(1)', 'file:///etc/passwd'])
        response.write(message(1, 'elicitation/create', { mode: 'url', url, message: 'x', elicitationId: '1' }));
      for (let n = 0; n < 500; n++) response.write(message(n + 100, 'sampling/createMessage', { messages: [] }));
      response.end(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: received.id, result: { content: [] } })}\n\n`,
      );
      return true;
    };
    const stream = new MessageStream(await clients.legacy.send('tools/call', { name }, { id: 'call' }));
    const methods: unknown[] = [];
    let next = await stream.next();
    for (; next && next.id !== 'call'; next = await stream.next()) methods.push(next.method);
    expect(next?.id).toBe('call');
    expect(methods).toEqual(Array.from({ length: 16 }, () => 'sampling/createMessage'));
  });
});
