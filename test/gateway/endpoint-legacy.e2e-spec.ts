import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { LegacyClient, MessageStream } from './support/mcp-client';
import { type Json, type ReceivedMessage, TestUpstream, type UpstreamEra } from './support/test-upstream';

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];

// Two processes on one database: each request of a client goes to the other one.
beforeAll(async () => {
  stage = await createStage(2, { env: { RUN: 'api,worker' } });
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

interface Connected {
  client: LegacyClient;
  endpoint: Endpoint;
  nameOf: (tool: string) => string;
}

async function connected(upstream: TestUpstream, capabilities: Json = {}): Promise<Connected> {
  const endpoint = await ada.endpoint([upstream.url]);
  const client = await ada.legacy(endpoint, capabilities);
  const tools = await client.all('tools/list', 'tools');
  const nameOf = (tool: string) =>
    tools.map(({ name }) => String(name)).find((name) => name.endsWith(`__${tool}`)) ?? '';
  return { client, endpoint, nameOf };
}

const textOf = (result: Json) => (result.content as Json[])[0]?.text;

describe.each([
  ['a legacy server', ['legacy']],
  ['a modern server', ['modern']],
  ['a server of both eras', ['modern', 'legacy']],
] as [string, UpstreamEra[]][])('A client with a session and %s, by two processes', (_, eras) => {
  let upstream: TestUpstream;
  let client: LegacyClient;
  let nameOf: (tool: string) => string;

  beforeAll(async () => {
    upstream = await start({ eras: new Set(eras) });
    ({ client, nameOf } = await connected(upstream, { elicitation: {} }));
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])('begin with %s', async (revision) => {
    const other = new LegacyClient(client.urls, client.token);
    other.revision = revision;
    const { protocolVersion, capabilities, serverInfo, instructions } = await other.begin();
    expect(protocolVersion).toBe(revision === '2024-10-07' ? '2025-11-25' : revision);
    expect(capabilities).toMatchObject({ tools: { listChanged: true }, logging: {} });
    expect(serverInfo).toMatchObject({ version: expect.any(String) as string });
    expect(instructions).toContain('Be kind.');
  });

  it.each([
    ['tools/list', 'tools', 6],
    ['prompts/list', 'prompts', 1],
    ['resources/list', 'resources', 1],
    ['resources/templates/list', 'resourceTemplates', 1],
  ])('list: %s', async (method, field, count) => {
    const result = await client.result(method);
    expect(Object.keys(result)).toEqual([field]);
    expect(result[field]).toHaveLength(count);
  });

  it('call tools, get prompts, read resources, complete, ping and set a level', async () => {
    for (let n = 0; n < 4; n++)
      expect(textOf(await client.result('tools/call', { name: nameOf('echo'), arguments: { n } }))).toBe(
        JSON.stringify({ n }),
      );
    const [prompt] = await client.all('prompts/list', 'prompts');
    expect(await client.result('prompts/get', { name: prompt?.name, arguments: { name: 'Ada' } })).toMatchObject({
      messages: [{ role: 'user' }],
    });
    const read = await client.result('resources/read', { uri: 'memo://one' });
    expect(Object.keys(read)).toEqual(['contents']);
    const ref = { type: 'ref/prompt', name: prompt?.name };
    expect(await client.result('completion/complete', { ref, argument: { name: 'name', value: 'a' } })).toMatchObject({
      completion: { total: 2 },
    });
    expect(await client.result('ping')).toEqual({});
    expect(await client.result('logging/setLevel', { level: 'info' })).toEqual({});
    expect(await client.error('resources/read', { uri: 'nowhere' })).toMatchObject({
      code: eras.includes('legacy') ? -32_002 : -32_602,
    });
    expect(await client.error('tools/burn')).toMatchObject({ status: 200, code: -32_601 });
  });

  it('have one session with the server, whatever process works', () => {
    // Sessions for lists and for listening come and go beside it, and declare nothing, or forms by their name. A modern server
    // is asked for one, and refuses.
    const isOwn = ({ params }: ReceivedMessage) => JSON.stringify(params.capabilities) === '{"elicitation":{}}';
    const own = upstream.of('initialize').filter(isOwn);
    const begun = eras.includes('legacy') ? own.length : upstream.sessions.size;
    expect(begun).toBe(eras.includes('legacy') ? 1 : 0);
  });

  it('pass progress as it comes', async () => {
    const response = await client.send('tools/call', {
      name: nameOf('progress'),
      arguments: { waits: true },
      _meta: { progressToken: 7 },
    });
    const stream = new MessageStream(response);
    expect(await stream.nextOf('notifications/progress')).toMatchObject({ params: { progressToken: 7, progress: 1 } });
    upstream.calls.release();
    expect(await stream.nextOf('notifications/progress')).toMatchObject({ params: { progress: 2 } });
    expect(await stream.next()).toHaveProperty('result');
  });

  it('cancel by a notification to another process', async () => {
    const cancelled = upstream.cancelled.length;
    const begun = upstream.calls.begun.length;
    const call = client.send('tools/call', { name: nameOf('slow'), arguments: {} }, { id: 'slow-1' });
    await eventually(
      () => upstream.calls.begun.length,
      (count) => count > begun,
      5_000,
    );
    expect(await client.notify('notifications/cancelled', { requestId: 'slow-1' })).toBe(202);
    await eventually(
      () => upstream.cancelled.length,
      (count) => count > cancelled,
      1_000,
    );
    const stream = new MessageStream(await call);
    expect(await stream.next()).toBeUndefined();
    expect(await client.notify('notifications/cancelled', { requestId: 'unknown' })).toBe(202);
  });

  it('ask and answer: the answer finds its server from another process', async () => {
    const stream = new MessageStream(await client.send('tools/call', { name: nameOf('elicit'), arguments: {} }));
    const asked = await stream.nextOf('elicitation/create');
    expect(asked).toMatchObject({ params: { message: 'What is your name?' } });
    expect(await client.answer(asked.id, { action: 'accept', content: { name: 'Ada' } })).toBe(202);
    const { result } = (await stream.next()) as { result: Json };
    expect(textOf(result)).toContain('"content":{"name":"Ada"}');
    // Once more, too late.
    expect(await client.answer(asked.id, { action: 'decline' })).toBe(202);
  });
});

describe('A question to a client with a session', () => {
  it.each([['legacy'], ['modern']] as [UpstreamEra][])('is answered by nobody else: %s server', async (era) => {
    const upstream = await start({ eras: new Set([era]) });
    const { client, endpoint, nameOf } = await connected(upstream, { elicitation: {} });
    const thief = await (
      await stage.person(unique('eve'))
    ).legacy(await ada.endpoint([upstream.url], {}, { visibility: 'PUBLIC' }));
    const stream = new MessageStream(await client.send('tools/call', { name: nameOf('elicit'), arguments: {} }));
    const { id } = await stream.nextOf('elicitation/create');
    expect(await thief.answer(id, { action: 'accept', content: { name: 'Eve' } })).toBe(202);
    const second = await ada.legacy(endpoint);
    expect(await second.answer(id, { action: 'accept', content: { name: 'Ada' } })).toBe(202);
    expect(textOf(((await stream.next()) as { result: Json }).result)).toContain('Ada');
  });

  it('is not left behind in the database', async () => {
    const left = () => stage.test.dataSource.query<object[]>(`SELECT key FROM client_answers`);
    await eventually(left, ({ length }) => length === 0, 2_000);
  });

  it('is not asked if the client cannot answer', async () => {
    const { client, nameOf } = await connected(await start({ eras: new Set(['legacy']) }));
    expect(textOf(await client.result('tools/call', { name: nameOf('elicit'), arguments: {} }))).toBe('nobody to ask');
  });

  it('is not asked if it has declared no such capability, whatever it says that it was asked', async () => {
    const upstream = await start({ eras: new Set(['modern']) });
    const { client, nameOf } = await connected(upstream, { sampling: {} });
    const forged = { inputResponses: { name: { action: 'accept', content: {} } }, requestState: 'state-1' };
    for (const more of [{}, forged]) {
      const { before, answer } = await client.request('tools/call', { name: nameOf('elicit'), arguments: {}, ...more });
      expect([before, answer]).toMatchObject([
        [],
        { result: { isError: true, _meta: { 'com.toolyard/error': { code: 'upstream_error' } } } },
      ]);
    }
    const received = upstream.of('tools/call').map(({ params }) => Object.keys(params).sort());
    expect(received).toEqual(Array.from({ length: 2 }, () => ['_meta', 'arguments', 'name']));
  });
});

describe('Sessions with servers', () => {
  it('are not shared between principals', async () => {
    const upstream = await start({ eras: new Set(['legacy']) });
    const endpoint = await ada.endpoint([upstream.url], {}, { visibility: 'PUBLIC' });
    const eve = await stage.person(unique('eve'));
    const [first, second] = [await ada.legacy(endpoint), await eve.legacy(endpoint)];
    const [tool] = (await first.all('tools/list', 'tools'))
      .map(({ name }) => String(name))
      .filter((name) => name.endsWith('echo'));
    const sessionOf = async (client: LegacyClient) => {
      await client.result('tools/call', { name: tool });
      return upstream.of('tools/call').at(-1)?.headers['mcp-session-id'];
    };
    const [one, other] = [await sessionOf(first), await sessionOf(second)];
    expect(one).not.toBe(other);
    expect([await sessionOf(first), await sessionOf(second)]).toEqual([one, other]);
  });

  it('begin again once, when the server has forgotten them', async () => {
    const upstream = await start({ eras: new Set(['legacy']) });
    const { client, nameOf } = await connected(upstream);
    const call = () => client.result('tools/call', { name: nameOf('echo'), arguments: {} });
    // Workers have sessions of their own, for lists and to listen, and begin those again whenever they like.
    const sessions = () => new Set(upstream.of('tools/call').map(({ headers }) => headers['mcp-session-id']));
    await call();
    expect(sessions().size).toBe(1);
    upstream.forgetSessions();
    expect(textOf(await call())).toBe('{}');
    expect(textOf(await call())).toBe('{}');
    expect(sessions().size).toBe(2);
  });
});

describe('A completion of a server that speaks 2024-11-05 only, which has no capability for it', () => {
  const answers = async (fault: TestUpstream['fault'] = () => false) => {
    const server = await start({ eras: new Set(['legacy']) });
    Object.assign(server, { revisions: ['2024-11-05'], capabilities: { tools: {}, prompts: {} }, fault });
    const { client, endpoint } = await connected(server);
    const [prompt] = await client.all('prompts/list', 'prompts');
    const ref = { type: 'ref/prompt', name: prompt?.name };
    const params = { ref, argument: { name: 'name', value: 'a' } };
    const both = [client, await ada.modern(endpoint)];
    return Promise.all(both.map((one) => one.result('completion/complete', params)));
  };

  it('is what the server answers', async () => {
    for (const result of await answers()) expect(result).toMatchObject({ completion: { values: ['ada', 'bob'] } });
  });

  it('is empty where the server does not know the method', async () => {
    const fault: TestUpstream['fault'] = ({ received: { id, method }, response }) => {
      if (method !== 'completion/complete') return false;
      const error = { code: -32_601, message: 'Method not found' };
      response.writeHead(200, { 'content-type': 'application/json' });
      return Boolean(response.end(JSON.stringify({ jsonrpc: '2.0', id, error })));
    };
    for (const result of await answers(fault)) expect(result).toMatchObject({ completion: { values: [], total: 0 } });
  });
});
