import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { relist } from './support/bundle-tools';
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

  it('is wrapped once, where a server of both eras wraps it itself, as the official SDK does', async () => {
    const upstream = await start({ tools: [toolOf('names', { outputSchema: { type: 'array' } })] });
    const { clients } = await connected([upstream]);
    const name = await nameOf(clients, 'names');
    upstream.fault = (exchange) => {
      if (exchange.received.method !== 'tools/call') return false;
      upstream.send(exchange, { structuredContent: exchange.era === 'legacy' ? { result: ['a'] } : ['a'] });
      return true;
    };
    const toLegacy = await clients.legacy.result('tools/call', { name });
    expect(toLegacy).toEqual({ content: [], structuredContent: { result: ['a'] } });
    expect(await clients.modern.result('tools/call', { name })).toMatchObject({ structuredContent: ['a'] });
    // Of an earlier revision only, where no server wraps: `result` is a member like others.
    const sloppy = await start({ tools: upstream.tools, eras: new Set(['legacy']) });
    const { clients: others } = await connected([sloppy]);
    answering(sloppy, { structuredContent: { result: ['a'] } });
    expect(await others.legacy.result('tools/call', { name: await nameOf(others, 'names') })).toEqual({
      content: [],
      structuredContent: { result: { result: ['a'] } },
    });
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

describe('What a server has since its lists were read, and has not announced', () => {
  const named = (name: string) => ({ uri: `memo://${name}`, name });

  /** A bundle with two servers that have resources, of which nothing says which one others belong to. */
  const withTwo = async () => {
    const fields = { templates: [], prompts: [], resources: [named('one')] };
    const [server, other] = [await start(fields), await start({ ...fields, resources: [named('two')] })];
    const { clients } = await connected([server, other]);
    await clients.modern.all('resources/list', 'resources');
    const listed = () => server.of('resources/list').length;
    return { server, clients, listed };
  };

  it('is a resource that is looked for once', async () => {
    const { server, clients, listed } = await withTwo();
    server.resources = [named('one'), named('new')];
    expect(await clients.modern.result('resources/read', { uri: 'memo://new' })).toMatchObject({
      contents: [{ uri: 'memo://new' }],
    });
    const before = listed();
    expect(await clients.modern.error('resources/read', { uri: 'memo://none' })).toMatchObject({ code: -32_602 });
    expect(await clients.legacy.error('resources/subscribe', { uri: 'memo://none' })).toMatchObject({ code: -32_002 });
    expect(listed()).toBe(before);
  });

  it('is a resource that a client follows', async () => {
    const { server, clients } = await withTwo();
    const stream = new MessageStream(await clients.legacy.open());
    server.resources = [named('one'), named('new')];
    expect(await clients.legacy.result('resources/subscribe', { uri: 'memo://new' })).toEqual({});
    const told = stream.nextOf('notifications/resources/updated');
    const updates = () => stream.messages.filter(({ method }) => method === 'notifications/resources/updated').length;
    await eventually(
      () => (server.update('memo://new'), updates()),
      (count) => count > 0,
      10_000,
    );
    expect(await told).toMatchObject({ params: { uri: 'memo://new' } });
    await stream.close();
  });

  it.each([
    ['prompt', { prompts: [{ name: 'new' }] }, (alias: string) => ({ type: 'ref/prompt', name: `${alias}__new` })],
    [
      'template',
      { templates: [{ uriTemplate: 'new://{x}', name: 'x' }] },
      () => ({ type: 'ref/resource', uri: 'new://{x}' }),
    ],
  ])('is a %s of which arguments are completed', async (_, added, refOf) => {
    const { server, clients } = await withTwo();
    const [alias = ''] = (await nameOf(clients, 'echo')).split('__');
    Object.assign(server, added);
    const params = { ref: refOf(alias), argument: { name: 'x', value: '' } };
    expect(await clients.modern.result('completion/complete', params)).toMatchObject({ completion: { total: 2 } });
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
    let count = 500;
    const message = (id: number, method: string, params: Json) =>
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n\n`;
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const url of ['javascript:alert(1)', 'file:///etc/passwd'])
        response.write(message(1, 'elicitation/create', { mode: 'url', url, message: 'x', elicitationId: '1' }));
      for (let n = 0; n < count; n++) response.write(message(n + 100, 'sampling/createMessage', { messages: [] }));
      response.end(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: received.id, result: { content: [] } })}\n\n`,
      );
      return true;
    };
    expect(await clients.legacy.result('tools/call', { name })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('more than 200 requests that the client is not asked') as string }],
    });
    count = 40;
    const stream = new MessageStream(await clients.legacy.send('tools/call', { name }, { id: 'call' }));
    const methods: unknown[] = [];
    let next = await stream.next();
    for (; next && next.id !== 'call'; next = await stream.next()) methods.push(next.method);
    expect(next?.id).toBe('call');
    expect(methods).toEqual(Array.from({ length: 16 }, () => 'sampling/createMessage'));
  });
});

describe('Tools that a server lists only for clients that can be asked something', () => {
  const sample = toolOf('sample');
  const forSampling = ({ sampling }: Json): Json[] => (sampling ? [toolOf('echo'), sample] : [toolOf('echo')]);
  const toolsOf = async (client: ModernClient | LegacyClient) =>
    (await client.all('tools/list', 'tools')).map(({ name }) => String(name).replace(/^.*__/, '')).sort();
  const modern = async (endpoint: Endpoint, capabilities: Json) =>
    Object.assign(await ada.modern(endpoint), { capabilities });

  it('are listed for those, and called by them', async () => {
    const server = await start({ toolsFor: forSampling });
    const endpoint = await ada.endpoint([server.url]);
    const [bare, sampling] = [await ada.legacy(endpoint), await ada.legacy(endpoint, { sampling: {} })];
    expect(await toolsOf(bare)).toEqual(['echo']);
    expect(await toolsOf(sampling)).toEqual(['echo', 'sample']);
    expect(await toolsOf(await modern(endpoint, { sampling: {}, roots: {} }))).toEqual(['echo', 'sample']);
    expect(await toolsOf(await modern(endpoint, { roots: {} }))).toEqual(['echo']);
    const name = (await sampling.all('tools/list', 'tools')).map((tool) => String(tool.name)).find(isSample);
    expect(await sampling.result('tools/call', { name, arguments: { a: 1 } })).toMatchObject({ content: [{}] });
    expect(await bare.error('tools/call', { name })).toMatchObject({ code: -32_602 });
  });

  it('are in the inventory and the report of the bundle, once', async () => {
    const variant = toolOf('echo', { description: 'Asks a model.' });
    const server = await start({ toolsFor: ({ sampling }) => (sampling ? [variant, sample] : [toolOf('echo')]) });
    const endpoint = await ada.endpoint([server.url]);
    const [bare, sampling] = [await modern(endpoint, {}), await modern(endpoint, { sampling: {} })];
    expect(await toolsOf(bare)).toEqual(['echo']);
    const described = await sampling.all('tools/list', 'tools');
    expect(described.find(({ name }) => !isSample(name))?.description).toBe('Asks a model.');
    const known = async () => {
      const { body } = await ada.api.get(`/v1/bundles/${endpoint.bundleId}/tools`);
      return body.filter(({ kind }) => kind === 'tool').map(({ upstream_name }) => upstream_name);
    };
    await eventually(known, (names) => names.length > 1, 5_000);
    expect((await known()).sort()).toEqual(['echo', 'sample']);
    expect(await problemsOf(endpoint)).toEqual([]);
  });

  it('are held until they are approved, each definition by itself', async () => {
    const variant = toolOf('echo', { description: 'Asks a model.' });
    const server = await start({ toolsFor: ({ sampling }) => (sampling ? [variant] : [toolOf('echo')]) });
    const endpoint = await ada.endpoint([server.url]);
    const [bare, sampling] = [await modern(endpoint, {}), await modern(endpoint, { sampling: {} })];
    expect(await toolsOf(bare)).toEqual(['echo']);
    const path = `/v1/bundles/${endpoint.bundleId}` as const;
    const [entry] = (await ada.api.get(`${path}/entries`)).body;
    await ada.api.patch(`${path}/entries/${entry?.id ?? ''}`, { pinning: 'APPROVE' });
    const described = async (client: ModernClient) =>
      (await client.all('tools/list', 'tools')).map(({ description }) => description);
    const plain = await described(bare);
    expect(await described(sampling)).toEqual(plain);
    expect((await problemsOf(endpoint)).map(({ code }) => code)).toEqual(['definition_changed']);
    const tool = (await ada.api.get(`${path}/tools`)).body.find(({ kind }) => kind === 'tool');
    const { definitions } = (await ada.api.get(`${path}/tools/${tool?.id ?? ''}`)).body;
    const other = definitions.find(({ is_approved }) => !is_approved);
    await ada.api.post(`${path}/tools/${tool?.id ?? ''}/approve`, { digest: other?.digest ?? '' }, 200);
    expect(await described(sampling)).toEqual(['Asks a model.']);
    expect(await described(bare)).toEqual(plain);
  });

  it('are not listed by a client that the server could not ask', async () => {
    const server = await start({ toolsFor: forSampling, eras: new Set(['legacy'] as const) });
    const endpoint = await ada.endpoint([server.url]);
    expect(await toolsOf(await ada.legacy(endpoint, { sampling: {} }))).toEqual(['echo', 'sample']);
    expect(await toolsOf(await modern(endpoint, { sampling: {} }))).toEqual(['echo']);
  });

  it('bring list_changed when they change', async () => {
    let asked = [toolOf('echo')];
    const server = await start({ toolsFor: ({ sampling }) => (sampling ? asked : [toolOf('echo')]) });
    const endpoint = await ada.endpoint([server.url]);
    const client = await modern(endpoint, { sampling: {} });
    expect(await toolsOf(client)).toEqual(['echo']);
    const stream = new MessageStream(
      await client.send('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    await stream.nextOf('notifications/subscriptions/acknowledged');
    asked = [toolOf('echo'), sample];
    await relist(stage, server);
    await stream.nextOf('notifications/tools/list_changed');
    expect(await toolsOf(client)).toEqual(['echo', 'sample']);
    await stream.close();
  });

  it('are read where another list is not answered, which is asked for once', async () => {
    let asked = [toolOf('echo')];
    const server = await start({ toolsFor: ({ sampling }) => (sampling ? asked : [toolOf('echo')]) });
    const endpoint = await ada.endpoint([server.url]);
    const client = await modern(endpoint, { sampling: {} });
    expect(await toolsOf(client)).toEqual(['echo']);
    asked = [toolOf('echo'), sample];
    server.fault = ({ received, response }) => received.method === 'prompts/list' && Boolean(response.destroy());
    const before = server.of('prompts/list').length;
    await relist(stage, server);
    expect(
      await eventually(
        () => toolsOf(client),
        ({ length }) => length === 2,
        5_000,
      ),
    ).toEqual(['echo', 'sample']);
    expect(server.of('prompts/list')).toHaveLength(before + 1);
    expect((await problemsOf(endpoint)).map(({ code }) => code)).toEqual(['list_failed']);
  });

  it('are read by asking nobody: a server that asks for roots first gets none', async () => {
    const server = await start({ eras: new Set(['legacy'] as const), answersBy: 'events' });
    const answers: Json[] = [];
    server.fault = ({ received, response, session }) => {
      if (received.method === '(answer)') answers.push(received.body);
      if (received.method !== 'tools/list' || !session?.capabilities.roots) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const questions = ['roots/list', 'ping', 'sampling/createMessage'];
      questions.forEach((method, index) =>
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: `q${index}`, method, params: {} })}\n\n`),
      );
      void eventually(
        () => answers.length,
        (count) => count === questions.length,
        5_000,
      ).then(() => {
        const result = { tools: [sample] };
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: received.id, result })}\n\n`);
      });
      return true;
    };
    const endpoint = await ada.endpoint([server.url]);
    expect(await toolsOf(await ada.legacy(endpoint, { roots: {} }))).toEqual(['sample']);
    expect(answers.slice(0, 3).sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))).toMatchObject([
      { id: 'q0', result: { roots: [] } },
      { id: 'q1', result: {} },
      { id: 'q2', error: { code: -32_601 } },
    ]);
  });

  it('are read for eight sets of capabilities; others see what the nearest of these does', async () => {
    const server = await start({
      toolsFor: (capabilities) =>
        Object.keys(capabilities)
          .sort()
          .map((name) => toolOf(`with-${name}`)),
    });
    const endpoint = await ada.endpoint([server.url]);
    const sets: Json[] = [
      { roots: {} },
      { sampling: {} },
      { sampling: {}, roots: {} },
      ...[{ form: {} }, { url: {} }, { form: {}, url: {} }].map((elicitation) => ({ elicitation })),
      { elicitation: {}, roots: {} },
    ];
    for (const set of sets)
      expect(await toolsOf(await modern(endpoint, set))).toEqual(
        Object.keys(set)
          .sort()
          .map((name) => `with-${name}`),
      );
    expect(await toolsOf(await modern(endpoint, { sampling: {}, roots: {}, elicitation: {} }))).toHaveLength(2);
    const [count] = await stage.test.dataSource.query<{ sets: number }[]>(
      `SELECT count(*)::int AS sets FROM upstream_capability_sets JOIN upstreams ON upstreams.id = upstream_id WHERE url = $1`,
      [server.url],
    );
    expect(count?.sets).toBe(7);
  });
});

function isSample(name: unknown): boolean {
  return String(name).endsWith('sample');
}
