import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { NO_MAP } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { statementsOf } from '../support/statements';

/** How long other replicas may show what was before a change. */
const STALE_MS = 1_000;

let database: TestDatabase;
let dataDir: string;
/** Two replicas with memory, and one without, which says what is true. */
let replicas: [TestApp, TestApp];
let truth: TestApp;

beforeAll(async () => {
  database = await createDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'toolyard-registry-memory-'));
  const start = (env: Record<string, string> = {}) =>
    createTestApp({ database, dataDir, env: { RUN: 'api', PLATFORM_ADMINS: 'chief', ...env } });
  replicas = [await start(), await start()];
  truth = await start({ REGISTRY_CACHE_MIB: '0' });
  for (const slug of ['weather', 'search']) {
    await (await truth.as('chief')).post('/v1/mcp/categories', { name: slug, slug });
  }
});

afterAll(async () => {
  for (const app of [...replicas, truth]) await app.close();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

interface Answer {
  status: number;
  etag: string | undefined;
  text: string;
}

async function read({ url }: TestApp, path: string, etag?: string): Promise<Answer> {
  const headers = { 'Accept-Encoding': 'identity', ...(etag !== undefined && { 'If-None-Match': etag }) };
  const response = await fetch(url + path, { headers });
  return { status: response.status, etag: response.headers.get('etag') ?? undefined, text: await response.text() };
}

/** Every kind of answer that a listing is in. */
const pathsOf = (name: string) => [
  '/v0.1/servers?limit=100',
  '/v0.1/servers?limit=100&version=latest',
  '/v0.1/servers?limit=100&include_deleted=true',
  `/v0.1/servers?search=${encodeURIComponent(name)}`,
  '/v0.1/servers?updated_since=2020-01-01T00:00:00Z',
  `/v0.1/servers/${encodeURIComponent(name)}/versions`,
  `/v0.1/servers/${encodeURIComponent(name)}/versions/latest`,
  `/v0.1/servers/${encodeURIComponent(name)}/versions/1.0.0`,
  `/v0.1/servers/${encodeURIComponent(name)}/versions/latest?include_deleted=true`,
  '/v0.1/x/com.toolyard/categories',
  '/v0.1/x/com.toolyard/facets',
];

/** Reads everything, so that the replica keeps it. */
const readAll = (app: TestApp, paths: string[]) => Promise.all(paths.map((path) => read(app, path)));

/** The errors have an id of their own; everything else is equal. */
const contentOf = ({ status, text }: Answer) => (status === 200 ? text : status);

describe('The public registry from memory', () => {
  it('sends no statement for what it has answered before', async () => {
    const [one] = replicas;
    const name = await createListing(await one.as('writer'));
    const paths = pathsOf(name);
    await readAll(one, paths);
    const statements = await statementsOf(one, async () => {
      for (const path of paths) {
        const [plain, former] = [await read(one, path), await read(one, path.replace('/v0.1', '/v0'))];
        expect(plain.status).toBe(200);
        expect(former).toEqual(plain);
        expect(await read(one, path, plain.etag)).toEqual({ status: 304, etag: plain.etag, text: '' });
      }
    });
    expect(statements).toEqual([]);
  });

  it('has the headers of every other answer of the registry, and an id of its own', async () => {
    const [one] = replicas;
    // More than fits into a packet.
    for (let index = 0; index < 3; index++) await createListing(await one.as('writer'));
    const ids: (string | null)[] = [];
    for (let time = 0; time < 3; time++) {
      const { headers } = await fetch(`${one.url}/v0.1/servers`, { headers: { 'Accept-Encoding': 'br' } });
      ids.push(headers.get('x-request-id'));
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-encoding')).toBe('br');
      expect(headers.get('vary')).toBe('Accept-Encoding');
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('gives the pages of a crawl that follows the cursors, whatever is kept of them', async () => {
    const [one] = replicas;
    const writer = await one.as('writer');
    for (let index = 0; index < 5; index++) await createListing(writer);
    const crawl = async (app: TestApp) => {
      const pages: string[] = [];
      for (let path: string | undefined = '/v0.1/servers?limit=2'; path !== undefined;) {
        const { text } = await read(app, path);
        pages.push(text);
        const { nextCursor } = (JSON.parse(text) as { metadata: { nextCursor?: string } }).metadata;
        path = nextCursor && `/v0.1/servers?limit=2&cursor=${nextCursor}`;
      }
      return pages;
    };
    const expected = await crawl(truth);
    expect(expected.length).toBeGreaterThan(2);
    expect(await crawl(one)).toEqual(expected);
    expect(await crawl(one)).toEqual(expected);
  });
});

async function createListing(api: Api, name = `com.example/${unique('server')}`): Promise<string> {
  const server = { name, description: 'A tool server.', version: '1.0.0' };
  const { id } = (await api.post('/v1/mcp/listings', { category: 'weather', visibility: 'PUBLIC', server })).body;
  await api.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
  return name;
}

/** A change of one listing or of its category. Those that are not possible in its state change nothing. */
type Change = 'archive' | 'restore' | 'hide' | 'show' | 'version' | 'move' | 'rename category' | 'import';
const CHANGES: Change[] = ['archive', 'restore', 'hide', 'show', 'version', 'move', 'rename category', 'import'];

describe('A change', () => {
  it('is shown by its own replica with the next request and by another one within a second; 304 means unchanged', async () => {
    const step = fc.record({ change: fc.constantFrom(...CHANGES), by: fc.constantFrom(0, 1) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const name = await createListing(await replicas[0].as('writer'));
        const paths = pathsOf(name);
        let minor = 0;
        for (const { change, by } of steps) {
          const before = new Map<TestApp, Answer[]>();
          for (const app of replicas) before.set(app, await readAll(app, paths));
          await apply(change, replicas[by] ?? replicas[0], name, ++minor);
          const expected = await readAll(truth, paths);
          const writer = replicas[by] ?? replicas[0];
          // An import is not a request, so nobody waits for its answer.
          if (change !== 'import') await expectSame(writer, paths, expected);
          for (const app of replicas) {
            await eventually(
              async () => (await readAll(app, paths)).map(contentOf),
              (seen) => JSON.stringify(seen) === JSON.stringify(expected.map(contentOf)),
              STALE_MS,
            );
            await expectValidators(app, paths, before.get(app) ?? [], expected);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  async function expectSame(app: TestApp, paths: string[], expected: Answer[]): Promise<void> {
    expect((await readAll(app, paths)).map(contentOf)).toEqual(expected.map(contentOf));
  }

  /** The validator of an earlier answer gets 304 only if the content is unchanged. */
  async function expectValidators(
    app: TestApp,
    paths: string[],
    before: readonly Answer[],
    expected: readonly Answer[],
  ): Promise<void> {
    for (const [index, path] of paths.entries()) {
      const [old, now] = [before[index], expected[index]];
      if (!old || !now) throw new Error(`There is no answer of ${path}.`);
      const { status } = await read(app, path, old.etag);
      expect({ path, status }).toEqual({
        path,
        status: now.status === 200 && old.text === now.text ? 304 : now.status,
      });
    }
  }

  async function apply(change: Change, app: TestApp, name: string, minor: number): Promise<void> {
    const [writer, chief] = [await app.as('writer'), await app.as('chief')];
    const [row] = await database.dataSource.query<{ id: string; category: string; category_id: number }[]>(
      `SELECT listings.id, category_id, categories.slug AS category
       FROM listings JOIN categories ON categories.id = category_id WHERE listings.name = $1`,
      [name],
    );
    if (!row) throw new Error(`${name} does not exist.`);
    const { id, category, category_id } = row;
    const path = `/v1/mcp/listings/${id}`;
    switch (change) {
      case 'archive':
      case 'restore':
        // 409 in another state.
        await writer.call('post', `${path}/${change}`);
        return;
      case 'hide':
      case 'show':
        await writer.patch(path, { visibility: change === 'hide' ? 'PRIVATE' : 'PUBLIC' });
        return;
      case 'version':
        await writer.post(`${path}/versions`, {
          server: { name, description: `Version ${minor}.`, version: `1.${minor}.0`, _meta: { 'com.example/x': 1 } },
        });
        return;
      case 'move':
        await writer.patch(path, { category: category === 'weather' ? 'search' : 'weather' });
        return;
      case 'rename category':
        await chief.patch(`/v1/mcp/categories/${category_id}`, { name: unique('Category') });
        return;
      case 'import':
        await importPage(app, `com.example/${unique('imported')}`);
    }
  }

  async function importPage(app: TestApp, name: string): Promise<void> {
    const file = join(dataDir, 'servers.json');
    writeFileSync(
      file,
      JSON.stringify({ servers: [{ server: { name, description: 'Imported.', version: '1.0.0' }, _meta: {} }] }),
    );
    await app.app.get(Import).run({ from: file, map: NO_MAP });
  }
});
