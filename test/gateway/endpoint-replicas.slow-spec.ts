import { unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { type LegacyClient, MessageStream, type ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, type UpstreamEra } from './support/test-upstream';

const REQUESTS = 4_000;
const AT_ONCE = 12;

/** Three processes; every request of a client goes to the next one. */
let stage: Stage;
let upstreams: TestUpstream[];
let owner: Person;
let endpoint: Endpoint;

beforeAll(async () => {
  stage = await createStage(3, { env: { RUN: 'api,worker' } });
  const eras: UpstreamEra[][] = [['modern'], ['legacy'], ['modern', 'legacy']];
  upstreams = await Promise.all(eras.map((own) => TestUpstream.start({ eras: new Set(own) })));
  owner = await stage.person(unique('owner'));
  endpoint = await owner.endpoint(
    upstreams.map(({ url }) => url),
    {},
    { visibility: 'PUBLIC' },
  );
});

afterAll(async () => {
  await stage.close();
  for (const upstream of upstreams) await upstream.close();
});

type Client = ModernClient | LegacyClient;

/** What a person does, and what has to come back for it. */
function steps(client: Client, names: readonly string[], prompt: string, mark: string): (() => Promise<void>)[] {
  let count = 0;
  const name = (tool: string) => names.filter((each) => each.endsWith(`__${tool}`))[count % 3] ?? '';
  const textOf = (result: Json) => (result.content as Json[])[0]?.text;
  return [
    async () => {
      const args = { mark, n: ++count };
      expect(textOf(await client.result('tools/call', { name: name('echo'), arguments: args }))).toBe(
        JSON.stringify(args),
      );
    },
    async () => expect(await client.all('tools/list', 'tools')).toHaveLength(18),
    async () => expect(await client.result('resources/read', { uri: 'memo://one' })).toHaveProperty('contents'),
    async () =>
      expect(await client.result('prompts/get', { name: prompt, arguments: { name: mark } })).toMatchObject({
        messages: [{ content: { text: `Hello ${mark}` } }],
      }),
    async () =>
      expect(await client.error('tools/call', { name: `${mark}__none` })).toMatchObject({ message: 'Unknown tool' }),
  ];
}

describe('Three processes', () => {
  it(`answer ${REQUESTS} requests of clients of both eras, each by another one than before`, async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => stage.person(unique('someone'))));
    const clients: [string, Client][] = await Promise.all(
      people.map(async (person, index): Promise<[string, Client]> => [
        person.name,
        index % 2 === 0 ? await person.modern(endpoint) : await person.legacy(endpoint),
      ]),
    );
    const names = (await (clients[0]?.[1] as Client).all('tools/list', 'tools')).map(({ name }) => String(name));
    const [prompt] = (await (clients[0]?.[1] as Client).all('prompts/list', 'prompts')).map(({ name }) => String(name));
    const all = clients.map(([mark, client]) => steps(client, names, prompt ?? '', mark));
    const before = upstreams.reduce((sum, { calls }) => sum + calls.begun.length, 0);
    let sent = 0;
    const work = async () => {
      while (sent < REQUESTS) {
        const n = sent++;
        const own = all[n % all.length] ?? [];
        await own[Math.floor(n / all.length) % own.length]?.();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // No call was made twice.
    const calls = upstreams.reduce((sum, { calls: { begun } }) => sum + begun.length, 0) - before;
    expect(calls).toBe(REQUESTS / 5);
    // One session with each server for each person, in the era of their client where the server has it.
    const sessionsOf = (upstream: TestUpstream | undefined) =>
      new Set(upstream?.of('tools/call').map(({ headers }) => headers['mcp-session-id'])).size;
    expect([sessionsOf(upstreams[1]), sessionsOf(upstreams[2])]).toEqual([10, 6]);
  });

  it('carry the answers of people to the servers that asked, and never to others', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => stage.person(unique('asked'))));
    await Promise.all(
      people.map(async (person) => {
        const client = await person.legacy(endpoint, { elicitation: {} });
        const tools = (await client.all('tools/list', 'tools'))
          .map(({ name }) => String(name))
          .filter((name) => name.endsWith('elicit'));
        for (const name of [...tools, ...tools]) {
          const stream = new MessageStream(await client.send('tools/call', { name, arguments: {} }));
          const { id } = await stream.nextOf('elicitation/create');
          expect(await client.answer(id, { action: 'accept', content: { name: person.name } })).toBe(202);
          expect(JSON.stringify(await stream.next())).toContain(person.name);
        }
      }),
    );
  });
});
