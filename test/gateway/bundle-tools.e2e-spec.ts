import { createCast, idOf as idOfAccount, unique } from '../support/factories';
import type { Query } from '../support/typed-paths';
import { relist } from './support/bundle-tools';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import type { ModernClient } from './support/mcp-client';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

const READS = toolOf('echo', {
  description: 'Says what it hears.',
  annotations: { readOnlyHint: true, title: 'Echo' },
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      place: { type: 'string', enum: ['here', 'there'] },
      count: { type: 'integer' },
    },
    required: ['text', 'place'],
    additionalProperties: false,
  },
});

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];

beforeAll(async () => {
  stage = await createStage(2);
  ada = await stage.person(unique('ada'));
});

afterAll(async () => {
  await stage.close();
  for (const upstream of started) await upstream.close();
});

async function start(tools: Json[] = [READS, toolOf('log')]): Promise<TestUpstream> {
  const upstream = await TestUpstream.start();
  started.push(upstream);
  upstream.tools = tools;
  return upstream;
}

/** A bundle, a client of its endpoint, and its entries. */
async function served(...upstreams: TestUpstream[]) {
  const endpoint = await ada.endpoint(upstreams.map(({ url }) => url));
  const client = await ada.modern(endpoint);
  await client.all('tools/list', 'tools');
  const entries = (await ada.api.get(`/v1/bundles/${endpoint.bundleId}/entries`)).body;
  return { endpoint, client, entries };
}

const pathOf = ({ bundleId }: Endpoint) => `/v1/bundles/${bundleId}/tools` as const;
const all = async ({ bundleId }: Endpoint, query: Query = '') =>
  (await ada.api.get(`/v1/bundles/${bundleId}/tools${query}`)).body;
const idOf = async (endpoint: Endpoint, name: string) =>
  (await all(endpoint)).find(({ upstream_name }) => upstream_name === name)?.id ?? '';
const change = async (endpoint: Endpoint, name: string, body: Json) =>
  (await ada.api.patch(`${pathOf(endpoint)}/${await idOf(endpoint, name)}`, body)).body;
const refuse = async (endpoint: Endpoint, name: string, body: Json, status: 409 | 422) =>
  (await ada.api.call('patch', `${pathOf(endpoint)}/${await idOf(endpoint, name)}`, status, body))
    .body as unknown as Json;
/** Of both processes. */
async function tools(client: ModernClient): Promise<Json[]> {
  const [one, other] = [await client.all('tools/list', 'tools'), await client.all('tools/list', 'tools')];
  expect(other).toEqual(one);
  return one;
}

describe('The tools of a bundle', () => {
  it('say what their servers say of them, in lists the beginning of it', async () => {
    const description = 'Forecasts. '.repeat(200);
    const upstream = await start([
      toolOf('long', { title: 'Long', description, annotations: { readOnlyHint: true, title: 'x' } }),
      { ...toolOf('bare'), description: 7 },
    ]);
    const { endpoint } = await served(upstream);
    const said = (await all(endpoint)).map((tool) => [
      tool.upstream_name,
      tool.upstream_title,
      tool.upstream_description,
    ]);
    expect(said).toContainEqual(['long', 'Long', description.slice(0, 1_000)]);
    const hints = (await all(endpoint)).map((tool) => [tool.upstream_name, tool.upstream_annotations]);
    expect(hints).toContainEqual(['long', { readOnlyHint: true }]);
    upstream.tools = [toolOf('bare')];
    await relist(stage, upstream);
    expect((await all(endpoint)).map((tool) => [tool.state, tool.upstream_description])).toContainEqual(['GONE', null]);
  });

  it('are listed with their states, filtered and in pages', async () => {
    const upstream = await start([READS, toolOf('log'), toolOf('zwrite', { description: 'a\u202eb' })]);
    const other = await start([toolOf('search_all'), toolOf('log', { description: 'Better than zwrite_x.' })]);
    other.tools[0] = toolOf('search_all', { description: 'Call other_log first.' });
    const { endpoint, entries } = await served(upstream, other);
    const [first, second] = [entries[0]?.id ?? '', entries[1]?.id ?? ''];
    const listed = (await all(endpoint, '?kind=tool')).map(({ entry_id, upstream_name, state }) => [
      entry_id,
      upstream_name,
      state,
    ]);
    expect(listed).toEqual([
      [first, 'echo', 'LISTED'],
      [first, 'log', 'LISTED'],
      [first, 'zwrite', 'LISTED'],
      [second, 'log', 'LISTED'],
      [second, 'search_all', 'LISTED'],
    ]);
    expect((await all(endpoint, '?search=ECH')).map(({ upstream_name }) => upstream_name)).toEqual(['echo']);
    expect((await all(endpoint, `?entry_id=${second}&kind=prompt`)).map(({ kind }) => kind)).toEqual(['prompt']);
    const odd = await all(endpoint, '?finding=invisible_characters');
    expect(odd.map(({ upstream_name, findings }) => [upstream_name, findings[0]?.code])).toEqual([
      ['zwrite', 'invisible_characters'],
    ]);
    const page = await ada.api.get(`${pathOf(endpoint)}?kind=tool&limit=2`);
    expect(page.body.map(({ upstream_name }) => upstream_name)).toEqual(['echo', 'log']);
    const link = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? '';
    const next = `?${new URL(link).searchParams.toString()}` as const;
    expect((await all(endpoint, next)).map(({ upstream_name }) => upstream_name)).toEqual(['zwrite', 'log']);
    upstream.tools = [READS];
    await relist(stage, upstream);
    expect((await all(endpoint, '?state=GONE')).map(({ upstream_name }) => upstream_name)).toEqual(['log', 'zwrite']);
  });

  it('are shown and called as overrides say, at once in every process', async () => {
    const upstream = await start();
    const { endpoint, client } = await served(upstream);
    const shown = await change(endpoint, 'echo', {
      name: 'say',
      title: 'Say it',
      description: 'Repeats.',
      annotations: { readOnlyHint: false, openWorldHint: true },
      fixed_arguments: { place: 'here' },
    });
    expect(shown).toMatchObject({ name: 'say', state: 'LISTED', shown: { name: 'say', title: 'Say it' } });
    const say = (await tools(client)).find(({ name }) => name === 'say');
    expect(say).toMatchObject({
      title: 'Say it',
      description: 'Repeats.',
      annotations: { readOnlyHint: false, openWorldHint: true, title: 'Say it' },
      inputSchema: { properties: { text: { type: 'string' }, count: { type: 'integer' } }, required: ['text'] },
    });
    expect(JSON.stringify(say)).not.toContain('place');
    upstream.received.length = 0;
    await client.result('tools/call', { name: 'say', arguments: { text: 'x' } });
    expect(upstream.of('tools/call')[0]?.params).toMatchObject({
      name: 'echo',
      arguments: { text: 'x', place: 'here' },
    });
    const given = await client.error('tools/call', { name: 'say', arguments: { text: 'x', place: 'there' } });
    expect([given.code, upstream.of('tools/call').length]).toEqual([-32_602, 1]);

    await change(endpoint, 'log', { is_enabled: false });
    expect((await tools(client)).map(({ name }) => name)).toEqual(['say']);
    // The overrides stay with the tool when its server changes it.
    upstream.tools = [{ ...READS, description: 'Otherwise.', inputSchema: { type: 'object' } }, toolOf('log')];
    await relist(stage, upstream);
    const { problems } = (await ada.api.post(`/v1/bundles/${endpoint.bundleId}/compile`, undefined, 200)).body;
    expect(problems.map(({ code, subject }) => [code, subject])).toContainEqual(['fixed_argument_gone', 'echo']);
    expect((await tools(client)).map(({ name, description }) => [name, description])).toEqual([['say', 'Repeats.']]);
    await change(endpoint, 'echo', {
      name: null,
      title: null,
      description: null,
      annotations: null,
      fixed_arguments: null,
    });
    expect((await tools(client))[0]).toMatchObject({ description: 'Otherwise.', annotations: { readOnlyHint: true } });
  });

  it('cannot be made less strict, misnamed, or given arguments that they do not take', async () => {
    const { endpoint } = await served(await start(), await start([toolOf('echo')]));
    const locOf = (body: Json) => (body.detail as { loc: string[] }[]).map(({ loc }) => loc.slice(1).join('.'));
    const faults = async (body: Json) => locOf(await refuse(endpoint, 'log', body, 422));
    expect(await faults({ annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true } })).toEqual([
      'annotations.readOnlyHint',
      'annotations.destructiveHint',
    ]);
    expect(await faults({ name: 'has space' })).toEqual(['name']);
    expect(await faults({ name: 'x'.repeat(49) })).toEqual(['name']);
    expect(await faults({ fixed_arguments: { unknown: 1 } })).toEqual(['fixed_arguments.unknown']);
    expect(await faults({ fixed_arguments: { text: 'x'.repeat(16_384) } })).toEqual(['fixed_arguments']);
    const echo = await refuse(endpoint, 'echo', { fixed_arguments: { text: 1, place: 'elsewhere', count: 1.5 } }, 422);
    expect(locOf(echo)).toEqual(['fixed_arguments.text', 'fixed_arguments.place', 'fixed_arguments.count']);
    const [own, other] = (await all(endpoint, '?search=echo')).map(({ name }) => name);
    const taken = await refuse(endpoint, 'log', { name: other ?? '' }, 409);
    expect([taken.code, taken.detail]).toEqual(['bundle_tool_conflict', expect.stringContaining('echo')]);
    await refuse(endpoint, 'log', { name: own ?? '' }, 409);
    const prefix = other?.split('__')[0] ?? '';
    await refuse(endpoint, 'log', { name: `${prefix}__later` }, 409);
  });

  it('come back with the version of the bundle that had them, and deployments keep theirs', async () => {
    const upstream = await start();
    const { endpoint, client, entries } = await served(upstream);
    const entry = entries[0]?.id ?? '';
    const bundle = `/v1/bundles/${endpoint.bundleId}` as const;
    await ada.api.patch(`${bundle}/entries/${entry}`, { pinning: 'APPROVE' });
    await change(endpoint, 'echo', { name: 'say', fixed_arguments: { place: 'here' } });
    const { version } = (await ada.api.get(bundle)).body;
    const deployment = await ada.api.post(`${bundle}/deployments`, {
      name: 'Desk',
      environment: 'test',
      kind: 'ENDPOINT',
      bundle_version: version,
    });
    await change(endpoint, 'echo', { name: 'tell', fixed_arguments: null });
    upstream.tools = [{ ...READS, description: 'Otherwise.' }, toolOf('log')];
    await relist(stage, upstream);
    const echo = (await all(endpoint, '?search=tell'))[0];
    await ada.api.post(`${pathOf(endpoint)}/${echo?.id}/approve`, { digest: echo?.digest ?? '' }, 200);
    expect((await tools(client)).map(({ name, description }) => [name, description])).toContainEqual([
      'tell',
      'Otherwise.',
    ]);

    const bound = await ada.modern({ path: `/mcp/deployments/${deployment.body.id}` });
    expect((await tools(bound)).map(({ name, description }) => [name, description])).toContainEqual([
      'say',
      'Says what it hears.',
    ]);
    const held = await bound.result('tools/call', { name: 'say', arguments: { text: 'x' } });
    expect(held.isError).toBe(true);

    const compared = (await ada.api.get(`${bundle}/versions/${version}/compare`)).body;
    expect(compared.tools).toMatchObject({
      tool_count: 1,
      tools: [
        {
          upstream_name: 'echo',
          before: { name: 'say', fixed_arguments: { place: 'here' } },
          after: { name: 'tell', fixed_arguments: null },
        },
      ],
    });
    await ada.api.post(`${bundle}/versions/${version}/restore`, undefined, 200);
    const restored = (await all(endpoint, '?search=say'))[0];
    expect(restored).toMatchObject({ state: 'CHANGED', fixed_arguments: { place: 'here' } });
    expect((await tools(client)).map(({ name, description }) => [name, description])).toContainEqual([
      'say',
      'Says what it hears.',
    ]);
    const same = (await ada.api.get(`${bundle}/versions/${version}/compare`)).body;
    expect([same.tools, same.reconfigured]).toEqual([null, []]);
  });

  it('of a new entry have the pinning that its listing suggests', async () => {
    const upstream = await start();
    const endpoint = await ada.endpoint([]);
    const pinnings: unknown[] = [];
    for (const visibility of ['PUBLIC', 'PRIVATE'] as const) {
      const listing = await stage.listing(upstream.url, { visibility, ownerId: await idOfAccount(ada.api) });
      await endpoint.add(listing);
    }
    for (const { pinning } of (await ada.api.get(`/v1/bundles/${endpoint.bundleId}/entries`)).body)
      pinnings.push(pinning);
    expect(pinnings).toEqual(['WARN', 'OFF']);
  });

  it('can be tried by the people of the bundle, under its rules', async () => {
    const upstream = await start();
    const { endpoint, entries } = await served(upstream);
    const path = pathOf(endpoint);
    const id = await idOf(endpoint, 'echo');
    const { result, error } = (
      await ada.api.post(`${path}/${id}/call`, { arguments: { text: 'hi', place: 'here' } }, 200)
    ).body;
    expect([result?.isError ?? false, error]).toEqual([false, null]);
    expect(upstream.of('tools/call')[0]?.params).toMatchObject({ name: 'echo', arguments: { text: 'hi' } });
    await ada.api.patch(`/v1/bundles/${endpoint.bundleId}/entries/${entries[0]?.id ?? ''}`, { pinning: 'APPROVE' });
    upstream.tools = [{ ...READS, description: 'Otherwise.' }];
    await relist(stage, upstream);
    const held = (await ada.api.post(`${path}/${id}/call`, { arguments: {} }, 200)).body;
    expect(held.result).toMatchObject({
      isError: true,
      _meta: { 'com.toolyard/error': { code: 'definition_changed' } },
    });
    await change(endpoint, 'echo', { is_enabled: false });
    const hidden = (await ada.api.post(`${path}/${id}/call`, {}, 200)).body;
    expect(hidden).toMatchObject({ result: null, error: { code: -32_602, message: 'Unknown tool' } });
    await endpoint.set({ is_enabled: false });
    expect((await ada.api.post(`${path}/${id}/call`, {}, 409)).body.code).toBe('bundle_tool_conflict');
  });

  it('say to members what is fixed only if they may change the bundle, and nothing to others', async () => {
    const { orgId, owner, member, outsider } = await createCast(stage.test);
    const upstream = await start();
    const { id } = (await owner.post('/v1/bundles', { name: 'Tools', org_id: orgId, visibility: 'PUBLIC' })).body;
    const path = `/v1/bundles/${id}` as const;
    await owner.post(`${path}/entries`, { listing_id: await stage.listing(upstream.url) });
    await owner.post(`${path}/compile`, undefined, 200);
    const echo = (await owner.get(`${path}/tools?search=echo`)).body[0];
    await owner.patch(`${path}/tools/${echo?.id}`, { fixed_arguments: { place: 'here' } });
    expect((await owner.get(`${path}/tools/${echo?.id}`)).body.fixed_arguments).toEqual({ place: 'here' });
    expect((await member.get(`${path}/tools/${echo?.id}`)).body.fixed_arguments).toBeNull();
    await outsider.get(`${path}/tools`, 403);
    expect(JSON.stringify((await member.get(`${path}/versions/2/compare`)).body.tools)).not.toContain('here');
    expect((await outsider.get(`${path}/versions/2/compare`)).body.tools).toBeNull();
    const [audited] = (await owner.get(`/v1/organisations/${orgId}/audit-log`)).body;
    expect(audited).toMatchObject({
      action: 'tool.changed',
      subject_type: 'bundle',
      subject_id: id,
      after: { fixed_arguments: ['place'] },
    });
  });
});
