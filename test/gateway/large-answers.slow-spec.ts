import { AnswerBudget } from '../../src/gateway/upstreams/answer-budget';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import type { LegacyClient, ModernClient } from './support/mcp-client';
import { EVENTS, type Exchange, JSON_TYPE, TestUpstream, type UpstreamEra } from './support/test-upstream';

/** In the text of an answer, in place of the id of its request. */
const ID = '"$id"';
const MANY = `[${'{},'.repeat(2_999_999)}{}]`;

describe('Answers of servers', () => {
  let stage: Stage;
  let ada: Person;
  let upstream: TestUpstream;
  let endpoint: Endpoint;
  let modern: ModernClient;
  let legacy: LegacyClient;
  let name: string;
  /** What the server answers to each call, and how. */
  let answer: { text: string; type: 'json' | 'events' };

  beforeAll(async () => {
    stage = await createStage(1, { env: { RUN: 'api,worker' } });
    ada = await stage.person(unique('ada'));
    upstream = await TestUpstream.start({ eras: new Set(['modern', 'legacy']) });
    upstream.fault = ({ received, response }: Exchange) => {
      if (received.method !== 'tools/call') return false;
      const body = Buffer.from(answer.text.replace(ID, JSON.stringify(received.id)));
      if (answer.type === 'json') response.writeHead(200, { ...JSON_TYPE, 'content-length': body.length }).end(body);
      else response.writeHead(200, EVENTS).end(Buffer.concat([Buffer.from('data: '), body, Buffer.from('\n\n')]));
      return true;
    };
    endpoint = await ada.endpoint([upstream.url]);
    modern = await ada.modern(endpoint);
    legacy = await ada.legacy(endpoint);
    const tools = await modern.all('tools/list', 'tools');
    name = tools.map((tool) => String(tool.name)).find((each) => each.endsWith('echo')) ?? '';
  });

  afterAll(async () => {
    await stage.close();
    await upstream.close();
  });

  const resultOf = (members: string) => `{"jsonrpc":"2.0","id":${ID},"result":{"resultType":"complete",${members}}}`;

  it.each(['json', 'events'] as const)(
    'of 9 MB with 3,000,000 objects pass, and nobody waits for them: %s',
    async (type) => {
      answer = { text: resultOf(`"content":[],"structuredContent":{"all":${MANY}}`), type };
      for (const client of [modern, legacy]) {
        const response = await client.send('tools/call', { name });
        const text = await response.text();
        expect([response.status, text.includes(`"structuredContent":{"all":${MANY}}`)]).toEqual([200, true]);
      }
      expect(stage.test.app.get(AnswerBudget).bytes).toBeLessThanOrEqual(2 * MANY.length);
    },
  );

  it('of that size, 20 at once, leave room for others, and are forgotten', async () => {
    answer = { text: resultOf(`"content":[],"structuredContent":{"all":${MANY}}`), type: 'json' };
    const calls = Array.from({ length: 20 }, async () => {
      const response = await modern.send('tools/call', { name });
      return {
        status: response.status,
        retry: response.headers.get('retry-after'),
        size: (await response.text()).length,
      };
    });
    let health = 0;
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const response = await fetch(`${stage.test.url}/healthz`);
        await response.arrayBuffer();
        if (response.ok) health++;
      }
    })();
    const answers = await Promise.all(calls);
    isOver = true;
    await asking;
    expect(health).toBeGreaterThan(5);
    for (const { status, retry, size } of answers)
      if (status === 200) expect(size).toBeGreaterThan(9_000_000);
      else expect([status, retry]).toEqual([503, '5']);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await eventually(
      () => stage.test.app.get(AnswerBudget).bytes,
      (bytes) => bytes === 0,
      10_000,
    );
  });

  it('that say more than can be read where it has to be read are errors', async () => {
    answer = { text: resultOf(`"content":[],"_meta":{"progressToken":[${'{},'.repeat(100_000)}{}]}`), type: 'json' };
    for (const client of [modern, legacy])
      expect(await client.result('tools/call', { name })).toMatchObject({
        isError: true,
        _meta: { 'com.toolyard/error': { code: 'too_large' } },
      });
  });

  it('of more than a MiB pass in one event', async () => {
    const text = 'ä'.repeat(2_000_000);
    answer = { text: resultOf(`"content":[{"type":"text","text":"${text}"}]`), type: 'events' };
    for (const client of [modern, legacy])
      expect(await client.result('tools/call', { name })).toMatchObject({ content: [{ type: 'text', text }] });
  });

  it.each(['json', 'events'] as const)('keep their numbers and their words: %s', async (type) => {
    const members =
      '"content": [{"type":"text","text":"\\u00e9","_meta":{"n":1.0}}], "structuredContent":{"id":725653563933458432,"f":1.0, "e":1E5}, "x":10000000000000000001,"_meta":{"com.example/n":1.50}';
    answer = { text: resultOf(members).replaceAll(', ', type === 'json' ? ',\n  ' : ', '), type };
    for (const client of [modern, legacy]) {
      const text = await (await client.send('tools/call', { name })).text();
      for (const part of [
        '[{"type":"text","text":"\\u00e9","_meta":{"n":1.0}}]',
        '"id":725653563933458432,"f":1.0,',
        '"e":1E5',
        '"x":10000000000000000001',
        '"com.example/n":1.50',
      ])
        expect(text).toContain(part);
    }
  });

  it('are those of their callers, although their memory is used again and clients go away in between', async () => {
    const server = await TestUpstream.start({ eras: new Set(['modern']) });
    server.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      const [letter = '', size, type] = (received.params.arguments as { text: string }).text.split(' ');
      const members = `"content":[{"type":"text","text":"${letter.repeat(Number(size))}"}]`;
      const text = resultOf(members).replace(ID, JSON.stringify(received.id));
      if (type === 'json') response.writeHead(200, JSON_TYPE).end(text);
      else response.writeHead(200, EVENTS).end(`data: ${text}\n\n`);
      return true;
    };
    const wrong: string[] = [];
    let whole = 0;
    const call = async (client: ModernClient, tool: string, letter: string, size: number, leaves: boolean) => {
      const leave = new AbortController();
      const type = size === 3e6 ? 'events' : 'json';
      const params = { name: tool, arguments: { text: `${letter} ${size} ${type}` } };
      const response = await client.send('tools/call', params, { signal: leave.signal });
      let text = '';
      try {
        for await (const piece of response.body ?? []) {
          text += Buffer.from(piece).toString('latin1');
          if (leaves && text.length > size / 2) leave.abort();
        }
      } catch (error) {
        if (!leave.signal.aborted) throw error;
      }
      const [, got = ''] = /"text":"([a-z]*)/.exec(text) ?? [];
      if (got !== letter.repeat(got.length)) wrong.push(`${letter} ${size}: another's`);
      if (!leaves && got.length !== size) wrong.push(`${letter} ${size}: ${got.length} ${text.slice(0, 200)}`);
      if (got.length === size) whole++;
    };
    const people = ['abc', 'def', 'ghi'].map(async (letters) => {
      const person = await stage.person(unique('reader'));
      const client = await person.modern(await person.endpoint([server.url]));
      const tools = await client.all('tools/list', 'tools');
      const tool = tools.map((each) => String(each.name)).find((each) => each.endsWith('echo')) ?? '';
      const one = async (letter: string, n: number) => {
        for (const size of [9e6, 3e5, 3e6, 9e6, 3e6]) await call(client, tool, letter, size, n === 2 && size > 1e6);
      };
      await Promise.all([...letters].map(one));
    });
    await Promise.all(people);
    expect(wrong).toEqual([]);
    expect(whole).toBeGreaterThanOrEqual(3 * 2 * 5);
    await server.close();
  });

  it('keep the numbers of errors', async () => {
    answer = {
      text: `{"jsonrpc":"2.0","id":${ID},"error":{"code":-32000,"message":"no","data":{"id":725653563933458432}}}`,
      type: 'json',
    };
    for (const client of [modern, legacy])
      expect(await (await client.send('tools/call', { name })).text()).toContain('"data":{"id":725653563933458432}');
  });

  it.each<[string, UpstreamEra[]]>([
    ['modern', ['modern']],
    ['legacy', ['legacy']],
  ])('and arguments and definitions of a %s server keep their numbers and their words', async (_, eras) => {
    const schema =
      '{"type":"object","properties":{"id":{"type":"integer","maximum":9007199254740993,"default":725653563933458432,"title":"\\u00e9"},"f":{"default":1.0},"place":{}},"required":["id","place"]}';
    const listed = `{"name":"big", "title":"x","execution":{},"inputSchema": ${schema},"annotations":{"n":1.50},"_meta":{"com.example/x":1.0}}`;
    const server = await TestUpstream.start({ eras: new Set(eras) });
    server.fault = ({ received, response }) => {
      if (received.method !== 'tools/list') return false;
      const result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[\n${listed}]}`;
      response
        .writeHead(200, JSON_TYPE)
        .end(`{"jsonrpc":"2.0","id":${JSON.stringify(received.id)},"result":${result}}`);
      return true;
    };
    const bundle = await ada.endpoint([server.url], { naming: 'PREFIX' });
    const client = await ada.modern(bundle);
    const text = await (await client.send('tools/list')).text();
    expect(text).toContain(`"inputSchema":${schema},"annotations":{"n":1.50},"_meta":{"com.example/x":1.0}}]`);
    const [tool] = await client.all('tools/list', 'tools');
    const called = String(tool?.name);
    const given = '{"id":725653563933458432,"f":1.0,"t":"\\u00e9","deep":[{"n": 1E400}]}';
    const old = await ada.legacy(bundle);
    for (const each of [client, old]) {
      server.received.length = 0;
      await sendText(each, called, given);
      expect(server.received.at(-1)?.text).toContain(`"arguments":${given}`);
    }
    const tools = `/v1/bundles/${bundle.bundleId}/tools` as const;
    const big = (await ada.api.get(tools)).body.find(({ upstream_name }) => upstream_name === 'big');
    await ada.api.patch(`${tools}/${big?.id ?? ''}`, { fixed_arguments: { place: 'here' } });
    await sendText(client, called, given);
    expect(server.received.at(-1)?.text).toContain(
      '"id":725653563933458432,"f":1.0,"t":"\\u00e9","deep":[{"n": 1E400}],"place":"here"}',
    );
    expect(await (await client.send('tools/list')).text()).toContain(
      '{"id":{"type":"integer","maximum":9007199254740993,"default":725653563933458432,"title":"\\u00e9"},"f":{"default":1.0}},"required":["id"]}',
    );
    expect(await (await sendText(client, called, '{"\\u0070lace":1}')).text()).toContain('cannot be given');
    await server.close();
  });
});

/** Calls a tool with arguments as they are. */
async function sendText(client: ModernClient | LegacyClient, name: string, given: string): Promise<Response> {
  const { fetch: own } = globalThis;
  // The client writes numbers as ECMAScript does.
  globalThis.fetch = (url, init) => own(url, { ...init, body: (init?.body as string).replace('"$given"', given) });
  try {
    return await client.send('tools/call', { name, arguments: '$given' });
  } finally {
    globalThis.fetch = own;
  }
}
