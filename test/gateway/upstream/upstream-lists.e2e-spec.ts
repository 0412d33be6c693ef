import { FOR_NONE } from '../../../src/gateway/upstreams/upstream-listing';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { type Json, TestUpstream, toolOf, type UpstreamEra } from '../support/test-upstream';
import { heardByAll } from '../support/heard';
import { createStack, known, type UpstreamStack } from '../support/upstream-stack';

const signal = new AbortController().signal;

describe('The lists of upstreams', () => {
  let database: TestDatabase;
  let stack: UpstreamStack;
  let upstream: TestUpstream;

  beforeAll(async () => {
    database = await createDatabase();
    stack = await createStack(database);
  });

  afterAll(async () => {
    await stack.close();
    await database.drop();
  });

  beforeEach(async () => {
    upstream = await TestUpstream.start();
    stack.changes.length = 0;
  });

  afterEach(() => upstream.close());

  const refreshed = async (of = stack) => {
    const { id } = await known(of, upstream);
    await of.upstreams.refresh([id], signal);
    await heardByAll(database.dataSource, [of.upstreams]);
    return known(of, upstream);
  };
  const names = async (id: string) =>
    (await stack.upstreams.definitions(new Map([[id, FOR_NONE]]))).map(({ kind, name }) => `${kind} ${name}`);
  const sql = <Row>(text: string, values: unknown[] = []) => database.dataSource.query<Row[]>(text, values);

  describe('Upstreams', () => {
    it('are found by address and headers, and are the same for everyone', async () => {
      const other = { url: upstream.url, headers: { 'X-Tenant': 'one' } };
      const same = { url: upstream.url.replace('/mcp', '/./mcp'), headers: { 'x-tenant': 'one' } };
      const [first, second, third, fourth] = await stack.upstreams.ensure([
        { url: upstream.url, headers: {} },
        other,
        same,
        other,
      ]);
      expect(second?.id).not.toBe(first?.id);
      expect([third?.id, fourth?.id]).toEqual([second?.id, second?.id]);
      expect(first).toMatchObject({
        url: upstream.url,
        headers: {},
        modern: null,
        legacy: null,
        listedAt: null,
        leftOut: [],
      });
      expect(second).toMatchObject({ headers: { 'x-tenant': 'one' } });
    });

    it('are created once, however many ask for them at the same time', async () => {
      const wanted = Array.from({ length: 5 }, (_, n) => ({ url: `${upstream.url}/${n}`, headers: {} }));
      const all = await Promise.all(Array.from({ length: 8 }, () => stack.upstreams.ensure(wanted)));
      const ids = all.map((states) => states.map((state) => state?.id).join());
      expect(new Set(ids).size).toBe(1);
      expect(all[0]).toHaveLength(5);
    });

    it('are noted as used at most once a minute, and come into use again', async () => {
      const { id } = await known(stack, upstream);
      await sql(`UPDATE upstreams SET used_at = now() - interval '2 days', due_at = 'infinity' WHERE id = $1`, [id]);
      stack.upstreams.noteUse([id]);
      stack.upstreams.noteUse([id]);
      const row = async () =>
        (
          await sql<{ used: boolean; due: boolean }>(
            `SELECT used_at > now() - interval '1 minute' AS used, due_at <= now() AS due FROM upstreams WHERE id = $1`,
            [id],
          )
        )[0];
      await eventually(row, (found) => found?.used === true, 3_000);
      expect(await row()).toEqual({ used: true, due: true });
    });
  });

  it.each<[UpstreamEra[], string, string | null, string | null]>([
    [['modern'], 'server/discover', '2026-07-28', null],
    [['legacy'], 'initialize', '', '2025-11-25'],
    [['modern', 'legacy'], 'server/discover', '2026-07-28', null],
  ])('are read from an upstream that speaks %j', async (eras, first, modern, legacy) => {
    upstream.eras = new Set(eras);
    upstream.pageSize = 4;
    const state = await refreshed();
    expect(state).toMatchObject({ modern, legacy, listError: null, leftOut: [], instructions: 'Be kind.' });
    expect(state).toMatchObject({
      serverInfo: { name: 'test', version: '1.0.0' },
      capabilities: { tools: { listChanged: true } },
    });
    expect(state.ttlMs).toBe(modern ? 300_000 : null);
    expect(Date.now() - (state.listedAt?.getTime() ?? 0)).toBeLessThan(60_000);
    const tools = ['echo', 'progress', 'slow', 'elicit', 'log', 'fail'].map((name) => `tool ${name}`);
    expect(await names(state.id)).toEqual(['prompt greet', 'resource memo://one', 'template memo://{name}', ...tools]);
    expect(upstream.of(first)).toHaveLength(1);
    expect(stack.changes).toEqual([state.id]);
    // A session for the lists alone, ended afterwards.
    await eventually(
      () => upstream.sessions.size,
      (size) => size === 0,
      1_000,
    );
    expect(upstream.ended).toHaveLength(modern ? 0 : 1);
  });

  it('are stored byte for byte, and are not written again if they are the same', async () => {
    const odd = toolOf('odd', {
      title: 'NUL \0 and half \ud800',
      z: 1,
      a: [1.5, null],
      inputSchema: { type: 'object', b: {}, a: {} },
    });
    upstream.tools = [odd];
    const { id } = await refreshed();
    const [stored] = (await stack.upstreams.definitions(new Map([[id, FOR_NONE]]))).filter(
      ({ kind }) => kind === 'tool',
    );
    expect(stored?.body).toBe(JSON.stringify(odd));
    expect(stored).toMatchObject({ upstreamId: id, name: 'odd' });
    const versions = () =>
      sql(`SELECT xmin::text, name FROM upstream_definitions WHERE upstream_id = $1 ORDER BY kind, name`, [id]);
    const before = await versions();
    stack.changes.length = 0;
    await refreshed();
    expect(await versions()).toEqual(before);
    expect(stack.changes).toEqual([]);
  });

  it('change when the upstream’s change, and remember what was there before', async () => {
    const { id } = await refreshed();
    stack.changes.length = 0;
    upstream.tools = [toolOf('new'), toolOf('echo', { description: 'Other.' })];
    upstream.prompts = [];
    await refreshed();
    expect(await names(id)).toEqual(['resource memo://one', 'template memo://{name}', 'tool new', 'tool echo']);
    expect(stack.changes).toEqual([id]);
    const [counts] = await sql(
      `SELECT count(*) FILTER (WHERE is_listed)::int AS listed, count(*) FILTER (WHERE NOT is_listed)::int AS gone
       FROM upstream_definitions WHERE upstream_id = $1`,
      [id],
    );
    expect(counts).toEqual({ listed: 4, gone: 7 });
    upstream.tools = [toolOf('echo')];
    await refreshed();
    expect((await names(id)).filter((name) => name.startsWith('tool'))).toEqual(['tool echo']);
  });

  it('change where only the icons of a tool do, which its digest does not cover', async () => {
    upstream.tools = [toolOf('echo')];
    const { id } = await refreshed();
    const [before] = (await stack.upstreams.definitions(new Map([[id, FOR_NONE]]))).filter(
      ({ kind }) => kind === 'tool',
    );
    upstream.tools = [toolOf('echo', { icons: [{ src: 'https://example.com/icon.png' }] })];
    await refreshed();
    const [after] = (await stack.upstreams.definitions(new Map([[id, FOR_NONE]]))).filter(
      ({ kind }) => kind === 'tool',
    );
    expect(after?.digest).toEqual(before?.digest);
    expect(after?.body).toContain('icons');
  });

  it('go with the capability', async () => {
    const { id } = await refreshed();
    upstream.capabilities = { tools: {} };
    await refreshed();
    expect((await names(id)).every((name) => name.startsWith('tool'))).toBe(true);
  });

  it('stay as they were while the upstream is down, with the reason; and come back', async () => {
    const { id } = await refreshed();
    const before = await names(id);
    stack.changes.length = 0;
    upstream.fault = ({ response }) => Boolean(response.writeHead(500).end());
    expect(await refreshed()).toMatchObject({ listError: 'It answered with status 500.', instructions: 'Be kind.' });
    expect(await names(id)).toEqual(before);
    expect(stack.changes).toEqual([id]);
    upstream.fault = () => false;
    expect(await refreshed()).toMatchObject({ listError: null });
    expect(stack.changes).toEqual([id, id]);
  });

  it('stay as they were where one of them fails', async () => {
    const { id } = await refreshed();
    upstream.tools = [toolOf('new')];
    upstream.fault = ({ received, response }) =>
      received.method === 'prompts/list' && Boolean(response.writeHead(500).end());
    expect(await refreshed()).toMatchObject({ listError: 'It answered prompts/list with status 500.' });
    expect((await names(id)).slice(0, 1)).toEqual(['prompt greet']);
    expect((await names(id)).slice(-1)).toEqual(['tool new']);
  });

  it.each<[string, TestUpstream['fault']]>([
    ['breaks off', ({ response }) => Boolean(response.destroy())],
    ['does not answer in time', () => true],
  ])('are read where one of them %s, and the server is not down', async (_, broken) => {
    const { id } = await refreshed();
    upstream.resources = [{ uri: 'memo://two', name: 'Two' }];
    upstream.fault = (exchange) => exchange.received.method === 'prompts/list' && broken(exchange);
    stack.limits.pageMs = 300;
    const isDown = async () =>
      (
        await sql<{ is_down: boolean }>(`SELECT down_since IS NOT NULL AS is_down FROM upstreams WHERE id = $1`, [id])
      )[0]?.is_down;
    try {
      expect((await refreshed()).listError).not.toBeNull();
      expect((await names(id)).slice(0, 3)).toEqual(['prompt greet', 'resource memo://two', 'template memo://{name}']);
      expect(await isDown()).toBe(false);
      upstream.fault = (exchange) => exchange.received.method.endsWith('/list') && broken(exchange);
      expect((await refreshed()).listError).not.toBeNull();
      expect(await isDown()).toBe(true);
    } finally {
      stack.limits.pageMs = 10_000;
    }
  });

  it('leave out what cannot be offered, and say why', async () => {
    upstream.tools = [toolOf('echo'), { name: 'no schema' }, toolOf('x'.repeat(1_025))];
    expect((await refreshed()).leftOut).toEqual([
      { name: 'no schema', reason: 'It has no "inputSchema".' },
      { reason: 'Its name has more than 1024 bytes.' },
    ]);
    upstream.tools = Array.from({ length: 150 }, (_, n) => ({ name: `t${n}` }));
    const { leftOut } = await refreshed();
    expect(leftOut).toHaveLength(101);
    expect(leftOut[100]).toEqual({ reason: 'So are 50 more.' });
  });

  const toolsOf = async (id: string) => (await names(id)).filter((name) => name.startsWith('tool '));

  it('are cut where they are too long', async () => {
    upstream.tools = Array.from({ length: 2_001 }, (_, n) => toolOf(`t${n}`));
    const { id, listError, leftOut } = await refreshed();
    expect(listError).toBeNull();
    expect(leftOut[0]).toMatchObject({ code: 'list_cut', kind: 'tool' });
    expect(await toolsOf(id)).toHaveLength(2_000);
  });

  describe('of which the third page fails', () => {
    beforeEach(() => {
      upstream.pageSize = 2;
      upstream.fault = (exchange) => {
        const { method, params } = exchange.received;
        if (method !== 'tools/list' || params.cursor !== '4') return false;
        upstream.sendError(exchange, -32_603, 'Internal error');
        return true;
      };
    });

    it('have what was read, and say that they are cut', async () => {
      const { id, listError, leftOut } = await refreshed();
      expect(listError).toBeNull();
      expect(leftOut).toMatchObject([{ code: 'list_cut', reason: expect.stringMatching('Page 3') as string }]);
      expect(await names(id)).toHaveLength(4 + 3);
      // The next time as well, with what has changed.
      upstream.tools[0] = toolOf('other');
      expect((await refreshed()).leftOut).toMatchObject([{ code: 'list_cut' }]);
      expect((await toolsOf(id))[0]).toBe('tool other');
    });

    it('are those of the time before where that was all of them', async () => {
      const { fault } = upstream;
      upstream.fault = () => false;
      await refreshed();
      upstream.fault = fault;
      const { id, listError, leftOut } = await refreshed();
      expect([listError, leftOut]).toEqual([expect.stringMatching('-32603'), []]);
      expect(await toolsOf(id)).toHaveLength(6);
    });
  });

  it('are read by one process, and another that wants them waits for it', async () => {
    const other = await createStack(database);
    const { id } = await known(stack, upstream);
    let goOn = () => {};
    upstream.fault = async ({ received }) => {
      if (received.method === 'tools/list') await new Promise<void>((resolve) => (goOn = resolve));
      return false;
    };
    const first = stack.upstreams.refresh([id], signal);
    await eventually(
      () => upstream.of('tools/list').length,
      (count) => count === 1,
      3_000,
    );
    const second = other.upstreams.refresh([id], signal).then(() => names(id));
    const { wakes } = other.upstreams as unknown as { wakes: ReadonlySet<unknown> };
    await eventually(
      () => wakes.size,
      (waiting) => waiting === 1,
      3_000,
    );
    goOn();
    expect(await second).toHaveLength(9);
    await first;
    expect(upstream.of('tools/list')).toHaveLength(1);
    await other.close();
  });

  it('are not waited for longer than the one who asks wants', async () => {
    const { id } = await known(stack, upstream);
    upstream.fault = ({ received }) => received.method === 'tools/list';
    await expect(stack.upstreams.refresh([id], AbortSignal.timeout(50))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(stack.upstreams.refresh([id], AbortSignal.timeout(50))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('end after the time for one page, and for all together', async () => {
    stack.limits.pageMs = 1_000;
    try {
      upstream.fault = ({ received }) => received.method === 'tools/list';
      expect((await refreshed()).listError).toBe('It did not answer within 1 s.');
      upstream.fault = async ({ received }) => {
        if (received.method === 'tools/list') await new Promise((resolve) => setTimeout(resolve, 200));
        return false;
      };
      upstream.pageSize = 1;
      stack.limits.refreshMs = 700;
      const { listError, leftOut } = await refreshed();
      // What was read by then counts.
      expect(listError).toBe('Its lists could not be read in time.');
      expect(leftOut).toMatchObject([{ code: 'list_cut' }]);
    } finally {
      Object.assign(stack.limits, { pageMs: 10_000, refreshMs: 60_000 });
    }
  });

  it('are those of the modern era where the legacy one does not answer in time', async () => {
    const { id } = await known(stack, upstream);
    await sql(`UPDATE upstreams SET legacy = '2025-11-25', legacy_at = now() WHERE id = $1`, [id]);
    upstream.fault = ({ received }) => received.method === 'initialize';
    stack.limits.refreshMs = 700;
    try {
      expect((await refreshed()).listError).toBeNull();
      expect(await names(id)).toHaveLength(9);
      expect(upstream.of('initialize')).toHaveLength(1);
    } finally {
      stack.limits.refreshMs = 60_000;
    }
  });

  it.each<[string, Json, string]>([
    ['values that JSON of PostgreSQL cannot have', { tools: {}, experimental: { 'a\0': 'b\0\ud800' } }, 'a\ufffd'],
    ['nothing', {}, ''],
  ])('are read from an upstream that declares %s', async (_, capabilities, expected) => {
    upstream.capabilities = capabilities;
    const state = await refreshed();
    expect(state.listError).toBeNull();
    expect(JSON.stringify(state.capabilities)).toContain(expected);
    expect(await names(state.id)).toHaveLength(6);
  });
});
