import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Import } from '../../src/catalog/import/import.service';
import { type CategoryMap, NO_MAP, readCategoryMap } from '../../src/catalog/import/category-map';
import type { ImportRun } from '../../src/catalog/import/import-run';
import { createTestApp, TestApp } from '../support/app';
import { holding, untilBlocked } from '../support/held-lock';
import { allPages } from '../support/pages';
import { describeRegistries } from '../support/registries';
import { statementsOf } from '../support/statements';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

interface Entry {
  server: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

const folder = mkdtempSync(join(tmpdir(), 'toolyard-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

let test: TestApp;

beforeEach(async () => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief' } });
});

afterEach(() => test.close());

const importer = () => test.app.get(Import);
const entry = (name: string, version: string, server: object = {}, official: object = {}): Entry => ({
  server: { name, description: 'A tool server.', version, ...server },
  _meta: {
    [OFFICIAL]: {
      status: 'active',
      publishedAt: '2025-10-09T17:05:17.793149Z',
      updatedAt: '2025-10-09T17:05:17Z',
      ...official,
    },
  },
});

async function load(entries: unknown[], map: CategoryMap = NO_MAP): Promise<ImportRun> {
  const path = join(folder, 'servers.json.gz');
  writeFileSync(path, gzipSync(JSON.stringify({ servers: entries })));
  return importer().run({ from: path, map });
}

const select = <T>(sql: string) => test.dataSource.query<T[]>(sql);
const listings = () =>
  select<{ name: string; status: string; version: string }>(
    `SELECT name, listings.status, version FROM listings JOIN listing_versions ON listing_id = listings.id AND is_latest ORDER BY name`,
  );
const quarantine = () =>
  select<{ name: string; version: string; reasons: { path: string }[] }>(
    `SELECT name, version, reasons FROM import_quarantine ORDER BY name, version`,
  );

/** The whole catalogue, without ids, which differ between two databases, and creation times. */
async function state(): Promise<unknown> {
  return {
    listings: await select(
      `SELECT name, slug, title, description, status, visibility, import_source, transports, registry_types, published_at,
              (SELECT slug FROM categories WHERE id = category_id) AS category FROM listings ORDER BY name`,
    ),
    versions: await select(
      `SELECT server_name, version, is_latest, status, audience, published_at, md5(server::text) FROM listing_versions
       ORDER BY server_name, version`,
    ),
    quarantine: await select(`SELECT name, version, digest, reasons FROM import_quarantine ORDER BY digest`),
    events: await select(`SELECT type, count(*)::int FROM events GROUP BY type ORDER BY type`),
  };
}

/** The physical places of the rows: a row that is written again gets another one. */
const places = () =>
  Promise.all(
    ['listings', 'listing_versions', 'categories', 'import_quarantine', 'import_sources', 'events'].map((table) =>
      select(`SELECT ctid::text, xmin::text FROM ${table} ORDER BY ctid`),
    ),
  );

describe('An import', () => {
  it('imports listings with all versions, shows the latest, and assigns the categories of a map', async () => {
    const map = readCategoryMap({ categories: [{ slug: 'maps', name: 'Maps' }], assignments: { 'io.a/map': 'maps' } });
    const run = await load(
      [
        entry('io.a/map', '1.0.0'),
        entry('io.a/map', '2.0.0', { title: 'Map two' }),
        entry('io.a/map', '1.5.0', {}, { status: 'deprecated', statusMessage: 'Use 2.' }),
        entry('io.b/other', '0.1.0', { repository: {}, $schema: '' }),
      ],
      map,
    );
    expect(run).toMatchObject({ status: 'finished', seen: 4, created: 4, quarantined: 0, mode: 'whole' });
    expect(await listings()).toEqual([
      { name: 'io.a/map', status: 'PUBLISHED', version: '2.0.0' },
      { name: 'io.b/other', status: 'PUBLISHED', version: '0.1.0' },
    ]);
    const reader = await test.as('reader');
    const mapListings = await reader.get('/v1/mcp/listings?category=maps');
    expect(mapListings.body).toMatchObject([{ name: 'io.a/map', title: 'Map two', org_id: null, owner_id: null }]);
    const all = await reader.get('/v1/mcp/listings?category=uncategorised');
    expect(all.body).toMatchObject([{ name: 'io.b/other', repository: null }]);
    const old = await test.anonymous.get('/v0.1/servers/io.a%2Fmap/versions/1.5.0');
    expect(old.body).toMatchObject({
      _meta: { [OFFICIAL]: { status: 'deprecated', statusMessage: 'Use 2.', publishedAt: '2025-10-09T17:05:17.794Z' } },
    });
  });

  it('quarantines invalid documents with the reasons, and continues', async () => {
    const run = await load([
      entry('io.a/good', '1.0.0'),
      entry('no slash', '1.0.0'),
      entry('io.a/long', '1.0.0', { description: 'x'.repeat(101) }),
      entry('io.a/range', '^1.0.0'),
      entry('io.a/nul', '1.0.0', { title: 'a\u0000b' }),
      entry('io.a/surrogate', '1.0.0', { title: '\ud800' }),
      entry('io.a/good', '1.0.0', { title: 'Twice' }),
      'no object',
      { server: null },
      null,
      entry('io.a/message', '1.0.0', {}, { statusMessage: 'a\u0000b' }),
      { server: { name: 'io.a/meta' }, _meta: { x: '\u0000' } },
    ]);
    expect(run).toMatchObject({ status: 'finished', seen: 12, created: 1, quarantined: 11 });
    expect(
      (await quarantine()).filter(({ name }) => name).map(({ name, reasons }) => [name, reasons[0]?.path]),
    ).toEqual([
      ['io.a/good', '/version'],
      ['io.a/long', '/description'],
      ['io.a/message', '/_meta/io.modelcontextprotocol.registry~1official/statusMessage'],
      ['io.a/meta', '/_meta/x'],
      ['io.a/nul', '/server/title'],
      ['io.a/range', '/version'],
      ['io.a/surrogate', '/server/title'],
      ['no slash', '/name'],
    ]);
  });

  it('reports how many errors there are beyond those it lists', async () => {
    const packages = Array.from({ length: 30 }, () => ({
      registryType: 1,
      identifier: 'x',
      transport: { type: 'stdio' },
    }));
    await load([entry('io.a/many', '1.0.0', { packages })]);
    const [kept] = await select<{ reasons: { message: string }[] }>(`SELECT reasons FROM import_quarantine`);
    expect(kept?.reasons).toHaveLength(21);
    expect(kept?.reasons.at(-1)?.message).toBe('has 10 more errors');
  });

  it('keeps a long status message whole, although the registry API shows only 500 characters', async () => {
    const statusMessage = `${'x'.repeat(498)}\u{1f600}\u{1f600}`;
    await load([
      entry('io.a/fits', '1.0.0', {}, { status: 'deprecated', statusMessage }),
      entry('io.a/long', '1.0.0', {}, { status: 'deprecated', statusMessage: `${statusMessage}!` }),
    ]);
    const shown = async (name: string) =>
      (await test.anonymous.get(`/v0.1/servers/${encodeURIComponent(name)}/versions/latest`)).body;
    expect((await shown('io.a/fits'))._meta?.[OFFICIAL]).toMatchObject({ statusMessage });
    expect((await shown('io.a/long'))._meta?.[OFFICIAL]).toMatchObject({
      statusMessage: `${'x'.repeat(498)}\u{1f600}…`,
    });
    const [{ id } = { id: '' }] = await select<{ id: string }>(`SELECT id FROM listings WHERE name = 'io.a/long'`);
    const versions = await (await test.as('reader')).get(`/v1/mcp/listings/${id}/versions`);
    expect(versions.body).toMatchObject([{ status_message: `${statusMessage}!` }]);
  });

  it('removes a version from quarantine once it is valid', async () => {
    const bad = entry('io.a/mended', '1.0.0', { description: '' });
    const worse = entry('io.a/mended', '1.0.0', { description: 5 });
    const other = entry('io.a/other', '1.0.0', { description: '' });
    const names = async () => (await quarantine()).map(({ name, reasons }) => [name, reasons[0]?.path]);
    await load([bad, other]);
    await load([worse]);
    expect(await names()).toEqual([
      ['io.a/mended', '/description'],
      ['io.a/other', '/description'],
    ]);
    expect(await load([entry('io.a/mended', '1.0.0')])).toMatchObject({ created: 1, quarantined: 0 });
    expect(await names()).toEqual([['io.a/other', '/description']]);
    // Its source sends another document, then the first one again.
    await load([entry('io.a/mended', '1.0.0', { title: 'Rewritten' })]);
    expect(await names()).toEqual([
      ['io.a/mended', '/version'],
      ['io.a/other', '/description'],
    ]);
    await load([entry('io.a/mended', '1.0.0')]);
    expect(await names()).toEqual([['io.a/other', '/description']]);
  });

  it('shows its quarantine to platform administrators page by page, each document once', async () => {
    const bad = ['a', 'b', 'c', 'd', 'e'].map((name) => entry(`io.bad/${name}`, '1.0.0', { description: '' }));
    await load(bad);
    const chief = await test.as('chief');
    const names = (await allPages(chief, '/v1/mcp/imports/quarantine?limit=2')).map(({ name }) => name);
    expect(names.sort()).toEqual(bad.map(({ server }) => server.name));
  });

  it('imports a duplicate once, and writes nothing again if two versions of it differ', async () => {
    const list = [
      entry('io.a/twice', '1.0.0'),
      entry('io.a/twice', '1.0.0'),
      entry('io.a/twice', '1.0.0', { title: 'Other' }),
      entry('io.a/bad', '1.0.0', { description: '' }),
      entry('io.a/bad', '1.0.0', { description: '' }),
    ];
    expect(await load(list)).toMatchObject({ seen: 5, created: 1, unchanged: 1, quarantined: 3 });
    const before = await places();
    expect(await load(list)).toMatchObject({ created: 0, unchanged: 2, quarantined: 3 });
    expect(await places()).toEqual(before);
  });

  it('continues if a listing of the same name is created at the same moment', async () => {
    const theirs = `INSERT INTO listings (id, name, slug, title, description, visibility, status, category_id)
      SELECT gen_random_uuid(), 'io.a/contested', 'contested', 'Theirs', 'Theirs.', 'PUBLIC', 'PUBLISHED', id
      FROM categories LIMIT 1`;
    await load([entry('io.a/first', '1.0.0')]);
    const run = await holding(test.dataSource, theirs, async (commit) => {
      let isOver = false;
      const loading = load([entry('io.a/contested', '1.0.0'), entry('io.a/free', '1.0.0')]).finally(
        () => (isOver = true),
      );
      await untilBlocked(test.dataSource, 1, () => isOver);
      await commit();
      return loading;
    });
    expect(run).toMatchObject({ status: 'finished', created: 1, quarantined: 1 });
    expect((await quarantine()).map(({ name, reasons }) => [name, reasons[0]?.path])).toEqual([
      ['io.a/contested', '/name'],
    ]);
    expect((await listings()).map(({ name }) => name)).toEqual(['io.a/first', 'io.a/free']);
  });

  it('creates the category for unassigned listings only when it is needed', async () => {
    const map = readCategoryMap({ categories: [{ slug: 'maps' }], assignments: { 'io.a/map': 'maps' } });
    const slugs = async () =>
      (await select<{ slug: string }>(`SELECT slug FROM categories ORDER BY slug`)).map(({ slug }) => slug);
    await load([entry('io.a/map', '1.0.0')], map);
    expect(await slugs()).toEqual(['maps']);
    await load([entry('io.a/unnamed', '1.0.0')], map);
    expect(await slugs()).toEqual(['maps', 'uncategorised']);
  });

  it('does not start with a map that names an unknown category', async () => {
    const map = readCategoryMap({ 'io.a/map': 'maps', 'io.a/other': 'other' });
    expect(await load([entry('io.a/map', '1.0.0')], map)).toMatchObject({
      status: 'failed',
      seen: 0,
      error: 'The category map assigns servers to categories that do not exist: "maps", "other".',
    });
    expect(await listings()).toEqual([]);
  });

  it('never changes listings of other owners, or an existing version', async () => {
    const chief = await test.as('chief');
    await chief.post('/v1/mcp/categories', { name: 'Mine' });
    const server = { name: 'io.a/mine', description: 'Mine.', version: '1.0.0' };
    const mine = await chief.post('/v1/mcp/listings', { server, category: 'mine', visibility: 'PUBLIC' });
    await chief.post(`/v1/mcp/listings/${mine.body.id}/publish`, undefined, 200);
    // A private listing or a draft does not reserve its name.
    await chief.post('/v1/mcp/listings', { server: { ...server, name: 'io.a/draft' }, category: 'mine' });
    const run = await load([
      entry('io.a/MINE', '2.0.0'),
      entry('io.a/mine', '2.0.0'),
      entry('io.a/draft', '1.0.0'),
      entry('io.a/fixed', '1.0.0'),
    ]);
    expect(run).toMatchObject({ created: 2, quarantined: 2 });
    const second = await load([entry('io.a/fixed', '1.0.0', { description: 'Rewritten.' })]);
    expect(second).toMatchObject({ created: 0, unchanged: 0, quarantined: 1 });
    expect((await quarantine()).map(({ name, reasons }) => [name, reasons[0]?.path])).toEqual([
      ['io.a/MINE', '/name'],
      ['io.a/fixed', '/version'],
      ['io.a/mine', '/name'],
    ]);
  });

  it('follows deletions and restorations at its source, but not for listings archived by a person', async () => {
    const gone = (status: string) => [
      entry('io.a/gone', '1.0.0', {}, { status }),
      entry('io.a/half', '1.0.0', {}, { status }),
      entry('io.a/half', '0.9.0'),
      entry('io.a/moderated', '1.0.0', {}, { status }),
    ];
    await load(gone('active'));
    const [moderated] = await select<{ id: string }>(`SELECT id FROM listings WHERE name = 'io.a/moderated'`);
    await (await test.as('chief')).post(`/v1/mcp/listings/${moderated?.id}/archive`, undefined, 200);
    expect(await load(gone('deleted'))).toMatchObject({ created: 0, updated: 3, unchanged: 1 });
    expect(await listings()).toEqual([
      { name: 'io.a/gone', status: 'ARCHIVED', version: '1.0.0' },
      { name: 'io.a/half', status: 'PUBLISHED', version: '0.9.0' },
      { name: 'io.a/moderated', status: 'ARCHIVED', version: '1.0.0' },
    ]);
    await test.anonymous.get('/v0.1/servers/io.a%2Fhalf/versions/1.0.0', 404);
    await load(gone('active'));
    expect(await listings()).toEqual([
      { name: 'io.a/gone', status: 'PUBLISHED', version: '1.0.0' },
      { name: 'io.a/half', status: 'PUBLISHED', version: '1.0.0' },
      { name: 'io.a/moderated', status: 'ARCHIVED', version: '1.0.0' },
    ]);
  });
});

describe('An interrupted import', () => {
  const many = (name: string) => Array.from({ length: 450 }, (_, n) => entry(`${name}/s${n}`, '1.0.0'));

  it('resumes with the same file only; the position in one file means nothing in another', async () => {
    const stop = new AbortController();
    const path = join(folder, 'first.json');
    writeFileSync(path, JSON.stringify(many('io.first')));
    await importer().run({ from: path, map: NO_MAP, signal: stop.signal, onProgress: () => stop.abort() });
    expect(await load(many('io.second'))).toMatchObject({ status: 'finished', created: 450 });
    expect(await importer().run({ from: path, map: NO_MAP })).toMatchObject({ status: 'finished', seen: 450 });
    expect(await listings()).toHaveLength(900);
  });

  it('takes as many statements for a page of 60 listings as for one of 2, whether they are new, changed or deleted', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `io.page/server-${index}`);
    // The category of what no map names is created with the first listing that needs it.
    await load([entry('io.page/first', '1.0.0')]);
    const states = [
      { version: '1.0.0', official: {} },
      { version: '2.0.0', official: {} },
      { version: '2.0.0', official: { status: 'deleted' } },
      { version: '1.0.0', official: { status: 'deleted' } },
      { version: '1.0.0', official: {} },
    ];
    for (const { version, official } of states) {
      const page = (some: string[]) => some.map((name) => entry(name, version, { title: version }, official));
      const forTwo = await statementsOf(test, () => load(page(names.slice(0, 2))));
      const forMany = await statementsOf(test, () => load(page(names.slice(2))));
      expect(forMany).toHaveLength(forTwo.length);
    }
    const events = await select<{ type: string; count: number }>(
      `SELECT type, count(*)::int FROM events WHERE type LIKE 'listing.%' GROUP BY type ORDER BY type`,
    );
    expect(events).toEqual([
      { type: 'listing.archived', count: 60 },
      { type: 'listing.published', count: 121 },
      { type: 'listing.updated', count: 240 },
    ]);
  });

  it('is marked as failed as soon as another import runs', async () => {
    const path = join(folder, 'cut.json');
    writeFileSync(path, JSON.stringify(many('io.cut')));
    const cut = await importer().run({ from: path, map: NO_MAP, signal: AbortSignal.abort() });
    expect(cut).toMatchObject({ status: 'running', seen: 0 });
    await load([entry('io.a/other', '1.0.0')]);
    const runs = (await (await test.as('chief')).get('/v1/mcp/imports')).body;
    expect(runs).toMatchObject([
      { status: 'finished', error: null },
      { id: cut.id, status: 'failed', error: 'It was cut short.' },
    ]);
  });
});

describeRegistries('The complete import', (file) => {
  const map = () => readCategoryMap(JSON.parse(readFileSync(file.map, 'utf8')));

  it('imports all but the rejected documents, which are quarantined; a second run writes no row', async () => {
    const run = await importer().run({ from: file.path, map: map() });
    expect(run).toMatchObject({ status: 'finished', seen: file.versions });
    expect(run.created + run.quarantined).toBe(file.versions);
    expect(run.quarantined).toBe(file.refused);
    const [kept] = await select<{ count: number }>(
      `SELECT count(*)::int AS count FROM import_quarantine WHERE reasons <> '[]'`,
    );
    expect(kept?.count).toBe(run.quarantined);
    const [stored] = await select<{ count: number }>(`SELECT count(*)::int AS count FROM listing_versions`);
    expect(stored?.count).toBe(run.created);

    const before = await places();
    const again = await importer().run({ from: file.path, map: map() });
    expect(again).toMatchObject({
      status: 'finished',
      created: 0,
      updated: 0,
      unchanged: run.created,
      quarantined: run.quarantined,
    });
    expect(await places()).toEqual(before);
  });

  it('ends in the same state when it is killed halfway and run again', async () => {
    await importer().run({ from: file.path, map: map() });
    const expected = await state();
    const other = await createTestApp({ env: { RUN: 'api' } });
    const stop = new AbortController();
    let pages = 0;
    const cut = await other.app.get(Import).run({
      from: file.path,
      map: map(),
      signal: stop.signal,
      onProgress: () => ++pages === 5 && stop.abort(),
    });
    expect(cut).toMatchObject({ status: 'running', next_cursor: '1000' });
    const rest = await other.app.get(Import).run({ from: file.path, map: map() });
    expect(rest).toMatchObject({ id: cut.id, status: 'finished', seen: file.versions });
    const first = test;
    test = other;
    expect(await state()).toEqual(expected);
    await first.close();
  });
});
