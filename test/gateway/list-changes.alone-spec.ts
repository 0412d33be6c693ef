import { crowding, eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { newsOf, relist } from './support/bundle-tools';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { LegacyClient, MessageStream, ModernClient } from './support/mcp-client';
import { TestUpstream, toolOf } from './support/test-upstream';

/** After a change was answered, or an upstream has announced one. */
const WITHIN_MS = 1_000;
const NEW = toolOf('echo', { description: 'Says what it hears, twice.' });

let stage: Stage;
let ada: Person;
let upstream: TestUpstream;
let endpoint: Endpoint;
let entryId: string;
const streams: MessageStream[] = [];

beforeAll(async () => {
  stage = await createStage(2, { env: { RUN: 'api,worker' } });
  ada = await stage.person(unique('ada'));
});

afterAll(() => stage.close());

beforeEach(async () => {
  upstream = await TestUpstream.start();
  endpoint = await ada.endpoint([upstream.url]);
  const [entry] = (await ada.api.get(`/v1/bundles/${endpoint.bundleId}/entries`)).body;
  entryId = entry?.id ?? '';
  const token = await ada.tokenFor(endpoint.path);
  for (const url of stage.urlsOf(endpoint.path)) {
    const modern = new ModernClient([url], token);
    await modern.all('tools/list', 'tools');
    const stream = new MessageStream(
      await modern.send('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    await stream.nextOf('notifications/subscriptions/acknowledged');
    const legacy = new LegacyClient([url], token);
    await legacy.begin();
    streams.push(stream, new MessageStream(await legacy.open()));
  }
});

afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
  await upstream.close();
});

const patch = (fields: { is_enabled: boolean } | { pinning: 'APPROVE' }) =>
  ada.api.patch(`/v1/bundles/${endpoint.bundleId}/entries/${entryId}`, fields);

/** How long it took until the client of each stream was told; milliseconds. */
async function told(change: () => Promise<unknown> | void): Promise<number[]> {
  await change();
  const began = performance.now();
  return Promise.all(
    streams.map(async (stream) => {
      await stream.nextOf('notifications/tools/list_changed');
      return performance.now() - began;
    }),
  );
}

describe('Clients of both eras at two processes are told of other lists within a second', () => {
  it('of an entry that an editor has changed', async () => {
    for (const ms of await told(() => patch({ is_enabled: false }))) expect(ms).toBeLessThan(WITHIN_MS * crowding());
  });

  it('of what their server has announced', async () => {
    await eventually(
      () => upstream.listening.size + [...upstream.sessions.values()].filter(({ stream }) => stream).length,
      (count) => count > 0,
      15_000,
    );
    upstream.tools = [toolOf('new')];
    for (const ms of await told(() => upstream.announce('tools'))) expect(ms).toBeLessThan(WITHIN_MS * crowding());
  });

  it('of a changed tool that an editor has approved, which can be called at once', async () => {
    await patch({ pinning: 'APPROVE' });
    upstream.tools = [NEW];
    await relist(stage, upstream);
    await eventually(
      () => newsOf(stage, endpoint),
      (news) => news.includes('changed echo'),
      2_000,
    );
    const path = `/v1/bundles/${endpoint.bundleId}/tools` as const;
    const tool = (await ada.api.get(path)).body.find(({ upstream_name }) => upstream_name === 'echo');
    if (!tool) throw new Error('There is no echo.');
    const times = await told(() => ada.api.post(`${path}/${tool.id}/approve`, { digest: tool.digest }, 200));
    for (const ms of times) expect(ms).toBeLessThan(WITHIN_MS * crowding());
    const client = await ada.modern(endpoint);
    for (let n = 0; n < 2; n++) {
      const [listed] = await client.all('tools/list', 'tools');
      expect(listed?.description).toBe(NEW.description);
      const result = await client.result('tools/call', { name: listed?.name, arguments: { text: 'hello' } });
      expect(result.isError).not.toBe(true);
    }
  });
});
