import { UpstreamLimits } from '../../src/gateway/upstreams/upstream-limits';
import { eventually } from '../support/eventually';
import { createBundle, unique } from '../support/factories';
import { statementsOf } from '../support/statements';
import { createStage, type Person, type Stage } from './support/endpoint-stage';
import { type Json, TestUpstream, toolOf, type UpstreamEra } from './support/test-upstream';

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];

beforeAll(async () => {
  // Without a worker: lists are read only when they are asked for.
  stage = await createStage(1, { env: { RUN: 'api' } });
  ada = await stage.person(unique('ada'));
});

afterAll(async () => {
  await stage.close();
  for (const upstream of started) await upstream.close();
});

async function start({ tools, eras }: { tools?: Json[]; eras?: UpstreamEra[] } = {}): Promise<TestUpstream> {
  const upstream = await TestUpstream.start(eras ? { eras: new Set(eras) } : {});
  if (tools) upstream.tools = tools;
  started.push(upstream);
  return upstream;
}

const compile = async (bundleId: string) =>
  (await ada.api.post(`/v1/bundles/${bundleId}/compile`, undefined, 200)).body;
const refresh = async (bundleId: string) =>
  (await ada.api.post(`/v1/bundles/${bundleId}/endpoint/refresh`, undefined, 200)).body;
const status = async (bundleId: string) => (await ada.api.get(`/v1/bundles/${bundleId}/endpoint/status`)).body;
const PACKAGE: Json = {
  packages: [{ registryType: 'npm', identifier: 'x', version: '1.0.0', transport: { type: 'stdio' } }],
};

describe('The report of an endpoint', () => {
  it('has what clients would get and what is wrong, before anyone can connect', async () => {
    const [modern, legacy] = [
      await start({ eras: ['modern'], tools: [toolOf('search'), toolOf('über')] }),
      await start({ eras: ['legacy'], tools: [toolOf('search'), { name: 'no schema' }] }),
    ];
    const endpoint = await ada.endpoint([modern.url], { is_enabled: false });
    const legacyId = await endpoint.add(await stage.listing(legacy.url));
    const packageId = await endpoint.add(await stage.listing('', { server: PACKAGE }));
    const secret = {
      type: 'streamable-http',
      url: modern.url,
      headers: [{ name: 'X-Key', isSecret: true, isRequired: true }],
    };
    const secretId = await endpoint.add(await stage.listing('', { server: { remotes: [secret] } }));
    const report = await compile(endpoint.bundleId);
    expect(report).toMatchObject({
      bundle_id: endpoint.bundleId,
      is_enabled: false,
      naming: 'PREFIX',
      name_budget: 48,
    });
    expect(report.entries.map((entry) => [entry.state, entry.tool_count, entry.resource_count])).toEqual([
      ['READY', 2, 1],
      ['READY', 1, 0],
      ['OUT_OF_REACH', 0, 0],
      ['OUT_OF_REACH', 0, 0],
    ]);
    const [first, second] = report.entries;
    expect(first).toMatchObject({ modern_revision: '2026-07-28', reason: null, paused_for: 0 });
    expect(second).toMatchObject({ entry_id: legacyId, legacy_revision: '2025-11-25', modern_revision: '' });
    expect(report.tools.map(({ name, upstream_name }) => [name.split('__')[0], upstream_name])).toEqual([
      // By the name that clients see, `_ber_…`.
      [first?.alias, 'über'],
      [first?.alias, 'search'],
      [second?.alias, 'search'],
    ]);
    for (const { name } of report.tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,48}$/);
    expect(report.tools_bytes).toBeGreaterThan(100);
    expect(report.tools_tokens).toBe(Math.ceil(report.tools_bytes / 4));
    const problems = report.problems.map(({ code, entry_id }) => [code, entry_id]);
    expect(problems).toEqual(
      expect.arrayContaining([
        ['left_out', legacyId],
        ['legacy_only', legacyId],
        ['no_remote', packageId],
        ['missing_values', secretId],
      ]),
    );
    expect(report.problem_count).toBe(report.problems.length);
  });

  it('names both entries of a clash, and offers both tools by their longer names', async () => {
    const [a, b] = [await start({ tools: [toolOf('same'), toolOf('a')] }), await start({ tools: [toolOf('same')] })];
    const endpoint = await ada.endpoint([a.url, b.url], { naming: 'PLAIN' });
    const report = await compile(endpoint.bundleId);
    expect(report.tools.map(({ name }) => name)).toEqual([
      'a',
      expect.stringMatching(/^[a-z0-9-]{1,16}__same$/),
      expect.stringMatching(/^[a-z0-9-]{1,16}__same$/),
    ]);
    const [first, second] = report.entries.map(({ entry_id }) => entry_id);
    const clash = report.problems.find(({ code, subject }) => code === 'name_clash' && subject === 'same');
    expect(clash).toMatchObject({ entry_id: second, other_entry_id: first });
  });

  it('changes nothing of the bundle, assigns no alias and emits nothing', async () => {
    const endpoint = await ada.endpoint([(await start()).url], { is_enabled: false });
    const statements = await statementsOf(stage.test, () => compile(endpoint.bundleId));
    const written = statements.filter(({ sql }) =>
      /\b(?:INSERT INTO|UPDATE|DELETE FROM) (?:bundle|endpoint_aliases|events)/.test(sql),
    );
    expect(written.map(({ sql }) => sql.trim().slice(0, 80))).toEqual([]);
    const aliases = await stage.test.dataSource.query<object[]>(`SELECT FROM endpoint_aliases WHERE bundle_id = $1`, [
      endpoint.bundleId,
    ]);
    expect(aliases).toHaveLength(0);
  });

  it('has the alias by which the tools are named later', async () => {
    const endpoint = await ada.endpoint([(await start()).url]);
    const [before] = (await compile(endpoint.bundleId)).entries;
    const [tool] = await (await ada.modern(endpoint)).all('tools/list', 'tools');
    expect(String(tool?.name).split('__')[0]).toBe(before?.alias);
    expect((await status(endpoint.bundleId)).entries[0]?.alias).toBe(before?.alias);
  });

  it('is about the listings that its reader may see', async () => {
    const [bob, upstream] = [await stage.person(unique('bob')), await start()];
    const hidden = await stage.listing(upstream.url, { visibility: 'PRIVATE', ownerId: await idOf(bob) });
    const { id } = await createBundle(bob.api, { visibility: 'PRIVATE' });
    await bob.api.raw('post', `/v1/bundles/${id}/entries`).send({ listing_id: hidden });
    await stage.test.dataSource.query(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [
      id,
      await idOf(ada),
    ]);
    const report = await compile(id);
    expect(report.entries).toMatchObject([{ state: 'UNAVAILABLE', key: null, listing_name: null, tool_count: 0 }]);
    expect(JSON.stringify(report)).not.toContain(upstream.url);
    expect(report.tools).toEqual([]);
  });
});

describe('The status of an endpoint', () => {
  it('asks no server', async () => {
    const upstream = await start();
    const { bundleId } = await ada.endpoint([upstream.url]);
    expect((await status(bundleId)).entries).toMatchObject([{ state: 'WAITING', listed_at: null }]);
    expect(upstream.received).toEqual([]);
  });

  it('says why a server gave no lists, and keeps those of the time before', async () => {
    const upstream = await start();
    const { bundleId } = await ada.endpoint([upstream.url]);
    const [ready] = (await refresh(bundleId)).entries;
    expect(ready).toMatchObject({ state: 'READY', reason: null, tool_count: 6 });
    upstream.fault = ({ response }) => {
      response.writeHead(500).end();
      return true;
    };
    await longAgo(bundleId);
    const [failing] = (await refresh(bundleId)).entries;
    expect(failing).toMatchObject({ state: 'FAILING', tool_count: 6 });
    expect(failing?.reason).toMatch(/500/);
    upstream.fault = () => false;
    const [again] = (await refresh(bundleId)).entries;
    expect(again).toMatchObject({ state: 'READY' });
  });
});

describe('The report of an endpoint with a server', () => {
  const problemsOf = async (bundleId: string) =>
    (await compile(bundleId)).problems.map(({ code, detail }) => [code, detail] as const);

  it('that repeats a cursor says that its list is cut', async () => {
    const upstream = await start({ eras: ['legacy'] });
    upstream.fault = (exchange) => {
      if (exchange.received.method !== 'tools/list') return false;
      upstream.send(exchange, { tools: upstream.tools, nextCursor: 'again' });
      return true;
    };
    const { bundleId } = await ada.endpoint([upstream.url]);
    expect((await refresh(bundleId)).entries[0]).toMatchObject({ state: 'READY', tool_count: 6 });
    const cut = ['list_cut', expect.stringMatching('repeats a cursor')];
    expect(await problemsOf(bundleId)).toContainEqual(cut);
  });

  it('that offers nothing says so', async () => {
    const upstream = await start({ tools: [] });
    Object.assign(upstream, { prompts: [], resources: [], templates: [] });
    const { bundleId } = await ada.endpoint([upstream.url]);
    expect(await problemsOf(bundleId)).toEqual([['nothing_listed', expect.any(String)]]);
    expect((await status(bundleId)).entries[0]).toMatchObject({ state: 'READY' });
  });

  it('that lists nothing in one of its eras says so, and the server is used in the other', async () => {
    const upstream = await start();
    upstream.fault = (exchange) => {
      const { received, era } = exchange;
      if (era !== 'modern' || !received.method.endsWith('/list')) return false;
      upstream.send(exchange, { tools: [], prompts: [], resources: [], resourceTemplates: [], ttlMs: 1 });
      return true;
    };
    const endpoint = await ada.endpoint([upstream.url]);
    expect((await refresh(endpoint.bundleId)).entries[0]).toMatchObject({ state: 'READY', tool_count: 6 });
    const problems = await problemsOf(endpoint.bundleId);
    expect(problems).toEqual([['other_era_only', expect.stringMatching('2026-07-28')]]);
    const client = await ada.modern(endpoint);
    const tools = await client.all('tools/list', 'tools');
    const name = tools.map((tool) => String(tool.name)).find((tool) => tool.endsWith('__echo'));
    await client.result('tools/call', { name, arguments: {} });
    expect(upstream.of('tools/call').map(({ headers }) => headers['mcp-protocol-version'])).toEqual(['2025-11-25']);
    // It has learnt to list there, too.
    upstream.fault = () => false;
    await longAgo(endpoint.bundleId);
    await refresh(endpoint.bundleId);
    expect(await problemsOf(endpoint.bundleId)).toEqual([]);
    await client.result('tools/call', { name, arguments: {} });
    expect(upstream.of('tools/call').at(-1)?.headers['mcp-protocol-version']).toBe('2026-07-28');
  });

  it('that lists nothing in the legacy era says so, too, as soon as a client of that has come', async () => {
    const upstream = await start();
    upstream.fault = (exchange) => {
      const { received, era } = exchange;
      if (era !== 'legacy' || !received.method.endsWith('/list')) return false;
      upstream.send(exchange, { tools: [], prompts: [], resources: [], resourceTemplates: [] });
      return true;
    };
    const endpoint = await ada.endpoint([upstream.url]);
    const client = await ada.legacy(endpoint);
    const tools = await client.all('tools/list', 'tools');
    const name = tools.map((tool) => String(tool.name)).find((tool) => tool.endsWith('__echo'));
    await client.result('tools/call', { name, arguments: {} });
    await longAgo(endpoint.bundleId);
    await refresh(endpoint.bundleId);
    expect(await problemsOf(endpoint.bundleId)).toEqual([
      ['other_era_only', 'It lists nothing to clients of 2025-11-25, so it is used in 2026-07-28 only.'],
    ]);
    await client.result('tools/call', { name, arguments: {} });
    expect(upstream.of('tools/call').map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      '2025-11-25',
      '2026-07-28',
    ]);
    upstream.fault = () => false;
    await longAgo(endpoint.bundleId);
    await refresh(endpoint.bundleId);
    expect(await problemsOf(endpoint.bundleId)).toEqual([]);
  });
});

describe('A refresh', () => {
  it('asks again which eras a server speaks', async () => {
    const upstream = await start({ eras: ['legacy'] });
    const { bundleId } = await ada.endpoint([upstream.url]);
    const revisions = async () => {
      const [entry] = (await refresh(bundleId)).entries;
      return [entry?.modern_revision, entry?.legacy_revision];
    };
    expect(await revisions()).toEqual(['', '2025-11-25']);
    upstream.eras = new Set(['modern', 'legacy']);
    await longAgo(bundleId);
    expect(await revisions()).toEqual(['2026-07-28', '2025-11-25']);
  });

  it('forgets the sessions of all clients with the servers of the bundle', async () => {
    const upstream = await start({ eras: ['legacy'] });
    const [endpoint, other] = [await ada.endpoint([upstream.url]), await ada.endpoint([upstream.url])];
    const callBy = async (of: typeof endpoint) => {
      const client = await ada.legacy(of);
      const [tool] = await client.all('tools/list', 'tools');
      const call = () => client.result('tools/call', { name: tool?.name, arguments: {} });
      await call();
      return call;
    };
    const [call, callOther] = [await callBy(endpoint), await callBy(other)];
    const begun = upstream.sessions.size;
    expect(begun).toBe(2);
    // Also if its lists were read just now.
    await refresh(endpoint.bundleId);
    await eventually(
      () => upstream.ended.length,
      (count) => count > 0,
      3_000,
    );
    await call();
    await callOther();
    const sessions = new Set(upstream.of('tools/call').map(({ headers }) => headers['mcp-session-id']));
    expect(sessions.size).toBe(3);
  });

  it('answers within its time where a server takes longer, and goes on', async () => {
    const upstream = await start();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    upstream.fault = async ({ received }) => {
      if (received.method === 'prompts/list') await held;
      return false;
    };
    const limits = stage.test.app.get(UpstreamLimits);
    limits.pageMs = 60_000;
    try {
      const { bundleId } = await ada.endpoint([upstream.url]);
      expect((await refresh(bundleId)).entries).toMatchObject([{ state: 'WAITING' }]);
      goOn();
      await eventually(
        async () => (await status(bundleId)).entries[0]?.state,
        (state) => state === 'READY',
        5_000,
      );
    } finally {
      limits.pageMs = 10_000;
    }
  });

  it('reads the lists now, but not of a server that was just asked', async () => {
    const upstream = await start();
    const { bundleId } = await ada.endpoint([upstream.url]);
    await refresh(bundleId);
    upstream.tools = [toolOf('new')];
    const asked = upstream.received.length;
    expect((await refresh(bundleId)).entries[0]?.tool_count).toBe(6);
    expect(upstream.received.length).toBe(asked);
    await longAgo(bundleId);
    expect((await refresh(bundleId)).entries[0]?.tool_count).toBe(1);
    const tools = async () => (await compile(bundleId)).tools.map(({ upstream_name }) => upstream_name);
    await eventually(tools, ([name]) => name === 'new', 1_000);
  });
});

async function idOf(person: Person): Promise<string> {
  return (await person.api.get('/v1/users/me')).body.id;
}

/** Moves when the lists of the servers of a bundle were read, to ten seconds ago. */
async function longAgo(bundleId: string): Promise<void> {
  await stage.test.dataSource.query(
    `UPDATE upstreams SET listed_at = listed_at - interval '10 s' FROM bundle_entries, listing_versions
     WHERE bundle_entries.bundle_id = $1 AND listing_versions.listing_id = bundle_entries.listing_id
       AND upstreams.url = listing_versions.server -> 'remotes' -> 0 ->> 'url'`,
    [bundleId],
  );
}
