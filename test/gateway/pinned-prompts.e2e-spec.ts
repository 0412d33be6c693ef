import { unique } from '../support/factories';
import { relist } from './support/bundle-tools';
import { createStage, type Person, type Stage } from './support/endpoint-stage';
import { TestUpstream, toolOf } from './support/test-upstream';

const ERROR = 'com.toolyard/error';
let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.person(unique('ada'));
});

afterAll(async () => {
  await stage.close();
  for (const upstream of started) await upstream.close();
});

/** A bundle whose entry is pinned to what its server lists now. */
async function pinned(settings: object = {}) {
  const upstream = await TestUpstream.start();
  started.push(upstream);
  const endpoint = await ada.endpoint([upstream.url], { ...settings });
  const client = await ada.modern(endpoint);
  await client.all('tools/list', 'tools');
  const entries = `/v1/bundles/${endpoint.bundleId}/entries` as const;
  const [entry] = (await ada.api.get(entries)).body;
  await ada.api.patch(`${entries}/${entry?.id ?? ''}`, { pinning: 'APPROVE' });
  return { upstream, endpoint, client };
}

describe('Prompts and templates that an editor has to approve', () => {
  it('stay as they were approved, are not asked for, and others are hidden', async () => {
    const { upstream, endpoint, client } = await pinned();
    upstream.prompts = [
      { name: 'greet', description: 'Obey.', arguments: [{ name: 'name' }] },
      { name: 'fresh', description: 'New.' },
    ];
    upstream.templates = [
      { uriTemplate: 'memo://{name}', name: 'Any', description: 'Obey.' },
      { uriTemplate: 'x://{y}', name: 'X' },
    ];
    upstream.resources = [...upstream.resources, { uri: 'memo://two', name: 'Two' }];
    await relist(stage, upstream);
    const legacy = await ada.legacy(endpoint);
    for (const one of [client, legacy]) {
      const [prompt, ...others] = await one.all('prompts/list', 'prompts');
      expect([prompt?.description, prompt?.arguments, others]).toEqual([
        undefined,
        [{ name: 'name', required: true }],
        [],
      ]);
      const error = await one.error('prompts/get', { name: prompt?.name, arguments: { name: 'Ada' } });
      expect([error.code, (error.data as Record<string, object>)[ERROR]]).toEqual([
        -32_603,
        { code: 'definition_changed', entry: expect.any(String) as string, retryable: false },
      ]);
      const ref = { type: 'ref/prompt', name: prompt?.name };
      const completion = await one.error('completion/complete', { ref, argument: { name: 'name', value: 'a' } });
      expect(completion.code).toBe(-32_603);
      expect(await one.all('resources/templates/list', 'resourceTemplates')).toEqual([
        { uriTemplate: 'memo://{name}', name: 'Any' },
      ]);
      // Content is not pinned.
      expect(await one.all('resources/list', 'resources')).toHaveLength(2);
    }
    expect(upstream.of('prompts/get')).toEqual([]);
    expect(upstream.of('completion/complete')).toEqual([]);
    const path = `/v1/bundles/${endpoint.bundleId}/tools` as const;
    const waiting = [
      ...(await ada.api.get(`${path}?state=CHANGED`)).body,
      ...(await ada.api.get(`${path}?state=NEW`)).body,
    ];
    expect(waiting.map(({ kind, upstream_name }) => [kind, upstream_name])).toEqual([
      ['prompt', 'greet'],
      ['template', 'memo://{name}'],
      ['prompt', 'fresh'],
      ['template', 'x://{y}'],
    ]);
    const tools = waiting.map(({ id, digest }) => ({ id, digest }));
    expect((await ada.api.post(`${path}/approve`, { tools }, 200)).body.approved_count).toBe(4);
    expect(await client.all('prompts/list', 'prompts')).toHaveLength(2);
    expect(await client.all('resources/templates/list', 'resourceTemplates')).toHaveLength(2);
  });

  it('of an entry whose server was never asked are all hidden at first', async () => {
    const upstream = await TestUpstream.start();
    started.push(upstream);
    upstream.tools = [toolOf('echo')];
    const endpoint = await ada.endpoint([]);
    await endpoint.add(await stage.listing(upstream.url), { pinning: 'APPROVE' });
    const client = await ada.modern(endpoint);
    expect(await client.all('tools/list', 'tools')).toEqual([]);
    const path = `/v1/bundles/${endpoint.bundleId}/tools` as const;
    const tools = (await ada.api.get(`${path}?state=NEW`)).body.map(({ id, digest }) => ({ id, digest }));
    await ada.api.post(`${path}/approve`, { tools }, 200);
    expect(await client.all('tools/list', 'tools')).toHaveLength(1);
  });

  it('are the same with the names of the servers, where another name may clash', async () => {
    const { upstream, endpoint, client } = await pinned({ naming: 'PLAIN' });
    const path = `/v1/bundles/${endpoint.bundleId}/tools` as const;
    const echo = (await ada.api.get(`${path}?search=echo`)).body[0];
    await ada.api.patch(`${path}/${echo?.id}`, { name: 'fresh' });
    upstream.tools = [...upstream.tools, toolOf('fresh')];
    await relist(stage, upstream);
    const fresh = (await ada.api.get(`${path}?search=fresh&state=NEW`)).body[0];
    await ada.api.post(`${path}/${fresh?.id}/approve`, { digest: fresh?.digest ?? '' }, 200);
    const names = (await client.all('tools/list', 'tools')).map(({ name }) => String(name));
    expect(names.filter((name) => /fresh|echo/.test(name)).map((name) => name.replace(/^.*__/, '~'))).toEqual([
      '~echo',
      '~fresh',
    ]);
    const { problems } = (await ada.api.post(`/v1/bundles/${endpoint.bundleId}/compile`, undefined, 200)).body;
    expect(problems.map(({ code }) => code)).toContain('name_clash');
  });
});
