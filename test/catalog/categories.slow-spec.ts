import { CategoryCounts } from '../../src/catalog/categories/category-counts.service';
import type { Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createListing, unique } from '../support/factories';
import { statementsOf } from '../support/statements';

const HOUR_MS = 3_600_000;
const PATH = '/v1/mcp/categories';

let database: TestDatabase;
const apps: TestApp[] = [];

/** In the past, so that no token has expired; each replica has its own, as in production. */
const newClock = () => new FakeClock(new Date('2020-06-01T00:00:00.000Z'));

/** A process on the shared database. Without `worker` it does not refresh counts on its own. */
async function startReplica(clock = newClock(), run = 'api'): Promise<TestApp & { api: Api; clock: FakeClock }> {
  const app = await createTestApp({ database, clock, env: { RUN: run } });
  apps.push(app);
  return { ...app, clock, api: await app.as('reader') };
}

const query = (sql: string, parameters: unknown[] = []) => database.dataSource.query<object[]>(sql, parameters);
const list = async (api: Api) => (await api.get(PATH)).body;
const slugs = async (api: Api) => (await list(api)).map(({ slug }) => slug);
const counts = async (api: Api) =>
  Object.fromEntries((await list(api)).map(({ slug, mcp_count }) => [slug, mcp_count]));

async function insert(slug: string, displayOrder: number): Promise<void> {
  await query(
    `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ($1, $2, 'Of a test.', 'box', $3)`,
    [slug.toUpperCase(), slug, displayOrder],
  );
}

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  await database.drop();
});

describe('The list of categories', () => {
  it('is in display order, then by id, with exactly the six fields', async () => {
    const { api } = await startReplica();
    expect(await list(api)).toEqual([]);
    for (const [slug, order] of [
      ['last', 30],
      ['tie-first', 20],
      ['first', -1],
      ['tie-second', 20],
    ] as const) {
      await insert(slug, order);
    }
    await eventually(
      () => slugs(api),
      (seen) => seen.length === 4,
      1_000,
    );
    const categories = await list(api);
    expect(categories.map(({ slug }) => slug)).toEqual(['first', 'tie-first', 'tie-second', 'last']);
    const { id } = categories[0] ?? {};
    expect(Number.isInteger(id)).toBe(true);
    expect(categories[0]).toEqual({
      id,
      name: 'FIRST',
      slug: 'first',
      description: 'Of a test.',
      icon: 'box',
      mcp_count: 0,
    });
    for (const category of categories) {
      expect(Object.keys(category)).toEqual(['id', 'name', 'slug', 'description', 'icon', 'mcp_count']);
    }
  });

  it('is the same for everyone with a token', async () => {
    await insert('one', 1);
    const { as, anonymous, api } = await startReplica();
    expect((await (await as('somebody-else')).get(PATH)).text).toBe((await api.get(PATH)).text);
    await anonymous.get(PATH, 401);
  });

  it('has a strong ETag that changes with its content, and answers 304 to a matching If-None-Match', async () => {
    await insert('one', 1);
    const { api } = await startReplica();
    const etag = String((await api.get(PATH)).headers.etag);
    expect(etag).toMatch(/^"[^"]+"$/);
    const unchanged = await api.get(PATH, 304, { 'If-None-Match': etag });
    expect([unchanged.text, unchanged.headers.etag]).toEqual(['', etag]);
    await query(`UPDATE categories SET name = 'Renamed'`);
    const ask = () => api.call('get', PATH, undefined, undefined, { 'If-None-Match': etag });
    const changed = await eventually(ask, ({ status }) => status === 200, 1_000);
    expect(changed.headers.etag).not.toBe(etag);
    expect(changed.body).toMatchObject([{ name: 'Renamed' }]);
    // A request at the same moment would have got the same.
    await query(`UPDATE categories SET name = 'ONE'`);
    await eventually(ask, ({ status }) => status === 304, 1_000);
  });

  it('is served from memory, without any statement per request', async () => {
    await insert('one', 1);
    const replica = await startReplica();
    await list(replica.api);
    const statements = await statementsOf(replica, () =>
      Promise.all(Array.from({ length: 100 }, () => replica.api.get(PATH))),
    );
    expect(statements).toEqual([]);
  });

  it('is read once after a change, however many requests arrive at that moment', async () => {
    const replica = await startReplica();
    await list(replica.api);
    const statements = await statementsOf(replica, async () => {
      await insert('one', 1);
      await eventually(
        () => Promise.all(Array.from({ length: 20 }, () => slugs(replica.api))),
        (answers) => answers.every((answer) => answer.length === 1),
        1_000,
      );
    });
    expect(statements).toHaveLength(1);
  });
});

describe('A change of a category', () => {
  it('shows on every replica within a second', async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    await insert('a', 1);
    await insert('b', 2);
    const shows = (expected: string[]) =>
      Promise.all(
        [one, other].map(({ api }) =>
          eventually(
            () => slugs(api),
            (seen) => seen.join() === expected.join(),
            1_000,
          ),
        ),
      );
    await shows(['a', 'b']);
    await query(`UPDATE categories SET slug = 'renamed' WHERE slug = 'a'`);
    await shows(['renamed', 'b']);
    await query(`UPDATE categories SET display_order = 3 WHERE slug = 'renamed'`);
    await shows(['b', 'renamed']);
    await insert('c', 0);
    await shows(['c', 'b', 'renamed']);
    await query(`DELETE FROM categories WHERE slug = 'b'`);
    await shows(['c', 'renamed']);
  });

  it('shows all at once on commit, and not before', async () => {
    const { api } = await startReplica();
    await insert('a', 1);
    await eventually(
      () => slugs(api),
      (seen) => seen.join() === 'a',
      1_000,
    );
    await database.dataSource.transaction(async (manager) => {
      await manager.query(`UPDATE categories SET slug = 'b'`);
      expect(await slugs(api)).toEqual(['a']);
      await manager.query(`UPDATE categories SET slug = 'c'`);
      expect(await slugs(api)).toEqual(['a']);
    });
    await eventually(
      () => slugs(api),
      (seen) => seen.join() === 'c',
      1_000,
    );
  });
});

describe('The listing counts of categories', () => {
  it('are refreshed at once by a start on an empty cache, but not by the next start', async () => {
    await createListing(database.dataSource, { category: 'databases' });
    const first = await startReplica(newClock(), 'api,worker');
    expect(await counts(first.api)).toEqual({ databases: 1 });
    await createListing(database.dataSource, { category: 'databases' });
    const second = await startReplica(newClock(), 'api,worker');
    expect(await counts(second.api)).toEqual({ databases: 1 });
  });

  it('are not refreshed by a process that runs no worker', async () => {
    await createListing(database.dataSource, { category: 'databases' });
    const { api } = await startReplica(newClock(), 'api');
    expect(await counts(api)).toEqual({ databases: 0 });
  });

  it('include only listings that are published and public', async () => {
    for (const status of ['DRAFT', 'PUBLISHED', 'ARCHIVED']) {
      for (const visibility of ['PUBLIC', 'PRIVATE']) {
        await createListing(database.dataSource, { category: 'databases', status, visibility });
      }
    }
    await insert('nothing', 9);
    const { api } = await startReplica(newClock(), 'worker,api');
    expect(await counts(api)).toEqual({ databases: 1, nothing: 0 });
  });

  it('are refreshed after exactly 8 hours, downwards as well as upwards', async () => {
    const listing = await createListing(database.dataSource, { category: 'databases' });
    await createListing(database.dataSource, { category: 'search' });
    const { app, api, clock } = await startReplica();
    const refresh = () => app.get(CategoryCounts).refreshIfDue();
    expect(await refresh()).toBe(true);
    expect(await refresh()).toBe(false);
    await query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [listing]);
    await createListing(database.dataSource, { category: 'search' });
    await createListing(database.dataSource, { category: 'new' });
    clock.advance(8 * HOUR_MS - 1);
    expect(await refresh()).toBe(false);
    await eventually(
      () => counts(api),
      ({ new: added }) => added === 0,
      1_000,
    );
    expect(await counts(api)).toEqual({ databases: 1, search: 1, new: 0 });
    clock.advance(1);
    expect(await refresh()).toBe(true);
    await eventually(
      () => counts(api),
      ({ databases }) => databases === 0,
      1_000,
    );
    expect(await counts(api)).toEqual({ databases: 0, search: 2, new: 1 });
  });

  it('are refreshed by exactly one of two replicas, in every one of 20 rounds', async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    await createListing(database.dataSource, { category: 'databases' });
    for (let round = 0; round < 20; round++) {
      for (const { clock } of [one, other]) clock.advance(8 * HOUR_MS);
      const refreshed = await Promise.all(
        [one, other, one, other].map(({ app }) => app.get(CategoryCounts).refreshIfDue()),
      );
      expect(refreshed.filter(Boolean)).toHaveLength(1);
    }
    await eventually(
      () => counts(other.api),
      ({ databases }) => databases === 1,
      1_000,
    );
  });

  it('are never refreshed by a request, however old', async () => {
    const { app, api, clock } = await startReplica();
    await createListing(database.dataSource, { category: 'databases' });
    await app.get(CategoryCounts).refreshIfDue();
    await eventually(
      () => counts(api),
      ({ databases }) => databases === 1,
      1_000,
    );
    const refreshedAt = () => query(`SELECT refreshed_at FROM category_count_refresh`);
    const before = await refreshedAt();
    await createListing(database.dataSource, { category: 'databases' });
    clock.advance(1_000 * HOUR_MS);
    // The answer is read again, with the old count.
    await query(`UPDATE categories SET name = $1`, [unique('Renamed')]);
    await eventually(
      () => list(api),
      ([category]) => category?.name.startsWith('Renamed') ?? false,
      1_000,
    );
    expect(await counts(api)).toEqual({ databases: 1 });
    expect(await refreshedAt()).toEqual(before);
  });

  it('stay unchanged and due if the refresh fails halfway', async () => {
    await createListing(database.dataSource, { category: 'databases' });
    await query(`ALTER TABLE category_counts ADD CONSTRAINT none CHECK (mcp_count = 0)`);
    const { app, api } = await startReplica();
    await expect(app.get(CategoryCounts).refreshIfDue()).rejects.toThrow(/none/);
    expect(await counts(api)).toEqual({ databases: 0 });
    await query(`ALTER TABLE category_counts DROP CONSTRAINT none`);
    expect(await app.get(CategoryCounts).refreshIfDue()).toBe(true);
  });
});
