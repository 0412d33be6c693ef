import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NO_MAP } from '../../src/catalog/import/category-map';
import { ImportScheduler } from '../../src/catalog/import/import.scheduler';
import { Import } from '../../src/catalog/import/import.service';
import type { ImportRun } from '../../src/catalog/import/import-run';
import { DnsResolver } from '../../src/outbound/dns-resolver';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const OPEN = { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let address: string;
let answer: Answer;
let asked: URL[];
let test: TestApp;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', address));
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await test.close();
});

const start = async (env: Record<string, string> = OPEN, dns?: DnsResolver) => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief', ...env }, dns });
};
const load = (options: { from?: string; incremental?: boolean; signal?: AbortSignal } = {}): Promise<ImportRun> =>
  test.app.get(Import).run({ from: address, map: NO_MAP, ...options });
const entry = (name: string, status = 'active', updatedAt = '2026-03-01T12:00:00.000Z') => ({
  server: { name, description: 'A tool server.', version: '1.0.0' },
  _meta: { [OFFICIAL]: { status, publishedAt: '2026-01-01T00:00:00Z', updatedAt } },
});
const send = (response: ServerResponse, body: unknown) => {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
};
/** Two pages of one server each, then `more` for requests for changes. */
const twoPages =
  (changes: unknown[] = []): Answer =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '', address);
    if (searchParams.has('updated_since')) return send(response, { servers: changes, metadata: { count: 0 } });
    if (searchParams.get('cursor') === 'a+b&c')
      return send(response, { servers: [entry('io.a/second')], metadata: { nextCursor: '' } });
    send(response, { servers: [entry('io.a/first')], metadata: { nextCursor: 'a+b&c' } });
  };
const published = async () =>
  (
    await test.dataSource.query<{ name: string }[]>(
      `SELECT name FROM listings WHERE status = 'PUBLISHED' ORDER BY name`,
    )
  ).map(({ name }) => name);

describe('An import from a registry', () => {
  it('follows the cursors, then only recent changes with an overlap, including deletions', async () => {
    await start();
    answer = twoPages([entry('io.a/first', 'deleted', '2026-03-02T00:00:00Z'), entry('io.a/third')]);
    expect(await load()).toMatchObject({ status: 'finished', mode: 'whole', seen: 2, created: 2 });
    expect(await published()).toEqual(['io.a/first', 'io.a/second']);

    const run = await load({ from: `${address}/v0.1/`, incremental: true });
    expect(run).toMatchObject({ status: 'finished', mode: 'incremental', created: 1, updated: 1, quarantined: 0 });
    expect(asked.map(({ pathname }) => pathname)).toEqual(Array(3).fill('/v0.1/servers'));
    // The source may stamp a change before it becomes visible.
    expect(asked[2]?.searchParams.get('updated_since')).toBe('2026-03-01T11:50:00.000Z');
    expect(await published()).toEqual(['io.a/second', 'io.a/third']);
  });

  it('resumes where the source failed, and restarts from the beginning if it rejected the cursor', async () => {
    await start();
    const whole = twoPages();
    const failing =
      (status: number): Answer =>
      (request, response) =>
        request.url?.includes('cursor') ? response.writeHead(status).end('No.') : whole(request, response);
    answer = failing(500);
    const failed = await load();
    expect(failed).toMatchObject({ status: 'failed', seen: 1, error: `${address} answered 500.` });
    answer = failing(410);
    expect(await load()).toMatchObject({ id: failed.id, status: 'failed', next_cursor: null });
    answer = whole;
    expect(await load()).toMatchObject({ status: 'finished', seen: 2, created: 1, unchanged: 1 });
    expect(asked.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([
      null,
      'a+b&c',
      'a+b&c',
      null,
      'a+b&c',
    ]);
  });

  it.each<[string, Answer, string]>([
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: '/other' }).end(),
      'redirects are not followed',
    ],
    ['HTML instead of JSON', (_, response) => response.end('<html>'), 'not JSON'],
    [
      'an object instead of a list',
      (_, response) => response.end('{"servers": {}}'),
      'did not return a list of servers',
    ],
    ['null', (_, response) => response.end('null'), 'did not return a list of servers'],
    [
      'a compressed body',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"servers": []}')),
      'encoding gzip',
    ],
    ['more than 32 MiB', (_, response) => response.end(Buffer.alloc(33 * 1_024 * 1_024, ' ')), 'exceeds 32 MiB'],
    [
      'half an answer',
      (_, response) => response.writeHead(200, { 'content-length': '9' }).write('{'),
      'cannot be read',
    ],
    [
      'endless pages',
      (_, response) => send(response, { servers: [], metadata: { nextCursor: 'again' } }),
      'does not end',
    ],
  ])('reports the error of a source that answers with %s', async (_, respond, message) => {
    await start();
    answer = (request, response) => {
      respond(request, response);
      if (message === 'cannot be read') setImmediate(() => response.destroy());
    };
    const run = await load();
    expect([run.status, run.error]).toEqual(['failed', expect.stringContaining(message)]);
    expect(asked.filter(({ pathname }) => pathname !== '/v0.1/servers')).toEqual([]);
  });

  it('connects only where webhooks may, whatever a name resolves to', async () => {
    answer = twoPages();
    class Names extends DnsResolver {
      override lookup(): Promise<string[]> {
        return Promise.resolve(['127.0.0.1', '10.0.0.1']);
      }
    }
    const { port } = server.address() as AddressInfo;
    await start({ WEBHOOKS_ALLOW_HTTP: 'true' }, new Names());
    for (const from of [address, `http://registry.example.com:${port}`, `http://localhost:${port}`]) {
      expect(await load({ from })).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('not public') as string,
      });
    }
    await test.close();
    await start({}, new Names());
    await expect(load()).rejects.toThrow('http is allowed only with WEBHOOKS_ALLOW_HTTP=true');
    expect(asked).toEqual([]);
  });

  it('ends at once when aborted, even while its source is silent', async () => {
    await start();
    const stop = new AbortController();
    answer = () => stop.abort();
    expect(await load({ signal: stop.signal })).toMatchObject({ status: 'running', error: null });
  });

  it('excludes other imports of its source, but not of other sources', async () => {
    await start();
    const waiting: (() => void)[] = [];
    const whole = twoPages();
    answer = (request, response) => void waiting.push(() => whole(request, response));
    const first = load();
    await eventually(
      () => Promise.resolve(waiting.length),
      (count) => count === 1,
      10_000,
    );
    await expect(load({ from: `${address}/v0.1` })).rejects.toThrow(/Another import of this source .* is running/);
    const folder = mkdtempSync(join(tmpdir(), 'toolyard-import-'));
    writeFileSync(join(folder, 'servers.json'), JSON.stringify([entry('io.b/file')]));
    expect(await load({ from: join(folder, 'servers.json') })).toMatchObject({ status: 'finished' });
    rmSync(folder, { recursive: true });
    answer = whole;
    waiting.forEach((go) => go());
    expect(await first).toMatchObject({ status: 'finished', seen: 2 });
    expect(await load()).toMatchObject({ status: 'finished', unchanged: 2 });
  });
});

describe('A scheduled import', () => {
  const tick = () => test.app.get(ImportScheduler).tick();
  const runs = async () => (await (await test.as('chief')).get('/v1/mcp/imports')).body;
  const minutesToNext = async () => {
    const [row] = await test.dataSource.query<{ minutes: number }[]>(
      `SELECT round(extract(epoch FROM next_run_at - now()) / 60)::int AS minutes FROM import_sources`,
    );
    return row?.minutes;
  };
  const due = () => test.dataSource.query(`UPDATE import_sources SET next_run_at = now() - interval '1 minute'`);

  it('reports a failing source in the log and in the list of imports, and retries after 5 minutes', async () => {
    await start({ ...OPEN, RUN: 'api,worker', IMPORT_FROM: address, LOG_LEVEL: 'info' });
    answer = (_, response) => response.writeHead(503).end();
    await tick();
    expect(await runs()).toMatchObject([{ source: address, status: 'failed', error: `${address} answered 503.` }]);
    expect(test.log.filter((line) => line.includes(`${address} answered 503.`))).toHaveLength(1);
    expect(await minutesToNext()).toBe(5);
    await tick();
    expect(asked).toHaveLength(1);

    answer = twoPages();
    await due();
    await tick();
    expect((await runs())[0]).toMatchObject({ status: 'finished', created: 2 });
    expect(await minutesToNext()).toBe(60);
  });

  it('reports an invalid category map in the log and in the list of imports', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolyard-import-'));
    const path = join(folder, 'map.json');
    writeFileSync(path, '{"categories": 5}');
    await start({ ...OPEN, RUN: 'api,worker', IMPORT_FROM: address, IMPORT_CATEGORY_MAP: path });
    answer = twoPages();
    await tick();
    const reason = 'IMPORT_CATEGORY_MAP cannot be used: "categories" of a category map must be a list.';
    expect(await runs()).toMatchObject([{ status: 'failed', error: reason }]);
    expect(test.log.some((line) => line.includes('IMPORT_CATEGORY_MAP cannot be used'))).toBe(true);
    expect([await minutesToNext(), asked.length]).toEqual([5, 0]);
    rmSync(folder, { recursive: true });
  });

  it('leaves the remaining work to another process when its own ends', async () => {
    await start({ ...OPEN, RUN: 'api,worker', IMPORT_FROM: address });
    const scheduler = test.app.get(ImportScheduler);
    answer = () => void scheduler.onApplicationShutdown();
    await tick();
    expect(await runs()).toMatchObject([{ status: 'running' }]);
    expect(await minutesToNext()).toBe(0);
  });
});
