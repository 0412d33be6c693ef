import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from '../../src/config/parse-url';
import { CategoryCounts } from '../../src/catalog/categories/category-counts.service';
import { SampleCatalogue } from '../../src/catalog/sample/sample-catalogue';
import { SERVER_SCHEMA, serverFaults } from '../../src/catalog/listings/server-schema';
import sample from '../../src/catalog/sample/sample-catalogue.json';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { allPages } from '../support/pages';
import { describeWithData, sharedData } from '../support/registries';

/** The official JSON Schema of server.json, outside the repository. */
const SCHEMA = 'server.schema-2025-12-11.json';

const formats = { uri: (text: string) => parseUrl(text) !== undefined };

describe('The sample catalogue', () => {
  let database: TestDatabase;
  let first: TestApp;
  let second: TestApp;

  beforeEach(async () => {
    database = await createDatabase();
    const clock = new FakeClock(new Date('2020-06-01T00:00:00.000Z'));
    first = await createTestApp({ database, clock });
    second = await createTestApp({ database, clock });
  });

  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
    await database.drop();
  });

  const load = (replica: TestApp) => replica.app.get(SampleCatalogue).loadIfEmpty();
  async function stored(): Promise<object | undefined> {
    const [row] = await database.dataSource.query<object[]>(`
      SELECT (SELECT count(*)::int FROM categories) AS categories, (SELECT count(*)::int FROM listings) AS listings,
             (SELECT count(*)::int FROM listing_versions WHERE is_latest) AS versions,
             (SELECT count(*)::int FROM events WHERE type = 'listing.published') AS events`);
    return row;
  }
  const { length: categories } = sample.categories;
  const { length: listings } = sample.listings;
  const everything = { categories, listings, versions: listings, events: listings };
  const nothing = { categories: 0, listings: 0, versions: 0, events: 0 };

  it('is loaded completely into an empty database, and not again later', async () => {
    expect(await stored()).toEqual(nothing);
    await load(first);
    expect(await stored()).toEqual(everything);
    await database.dataSource.query(`UPDATE categories SET name = 'Renamed'`);
    await database.dataSource.query(`DELETE FROM listings WHERE name = $1`, [sample.listings[0]?.server.name]);
    const before = await stored();
    await load(first);
    await load(second);
    expect(await stored()).toEqual(before);
  });

  it('is loaded once when several processes load it at the same moment', async () => {
    await Promise.all([first, second, first, second].map(load));
    expect(await stored()).toEqual(everything);
  });

  it('is not loaded if a category exists already', async () => {
    await database.dataSource.query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('Ours', 'ours', '', 'box', 1)`,
    );
    await load(first);
    expect(await stored()).toEqual({ ...nothing, categories: 1 });
  });

  it('is not loaded at all if any part of it fails', async () => {
    const last = String(sample.listings.at(-1)?.server.name).replaceAll("'", "''");
    await database.dataSource.query(`ALTER TABLE listings ADD CONSTRAINT refused CHECK (name <> '${last}')`);
    await expect(load(first)).rejects.toThrow(/refused/);
    expect(await stored()).toEqual(nothing);
  });

  it('appears in the list of listings and in the counts', async () => {
    await load(first);
    const api = await first.as('reader');
    const shown = await allPages(api, '/v1/mcp/listings?limit=100');
    expect(shown.map(({ name }) => name).sort()).toEqual(sample.listings.map(({ server }) => server.name).sort());

    await database.dataSource.query(`UPDATE category_count_refresh SET refreshed_at = NULL`);
    expect(await first.app.get(CategoryCounts).refreshIfDue()).toBe(true);
    const list = async () => (await api.get('/v1/mcp/categories')).body;
    const counted = await eventually(list, (seen) => seen.some(({ mcp_count }) => mcp_count > 0), 1_000);
    const order = [...sample.categories].sort((a, b) => a.display_order - b.display_order);
    expect(counted.map(({ slug }) => slug)).toEqual(order.map(({ slug }) => slug));
    for (const { slug, mcp_count } of counted) {
      const expected = sample.listings.filter(({ category }) => category === slug).length;
      expect([slug, mcp_count]).toEqual([slug, expected]);
      expect(mcp_count).toBeGreaterThan(0);
    }
  });

  it('serves each document as it is in the file', async () => {
    await load(first);
    const api = await first.as('reader');
    const shown = await allPages(api, '/v1/mcp/listings?limit=100');
    for (const { id, name } of shown) {
      const { server } = (await api.get(`/v1/mcp/listings/${id}`)).body;
      expect(server).toEqual(sample.listings.find((listing) => listing.server.name === name)?.server);
    }
  });

  it('contains only publishable documents with unique names', () => {
    expect(new Set(sample.listings.map(({ server }) => server.name)).size).toBe(listings);
    expect(new Set(sample.categories.map(({ slug }) => slug)).size).toBe(categories);
    const rules = new Ajv2020({ strict: false, allErrors: true, formats });
    const isPublishable = rules.compile({ ...SERVER_SCHEMA });
    for (const { server } of sample.listings) {
      isPublishable(server);
      expect([server.name, isPublishable.errors, serverFaults({ ...server })]).toEqual([server.name, null, []]);
    }
  });
});

describeWithData(SCHEMA)(`The official schema (../shared/data/${SCHEMA})`, () => {
  it('accepts every document of the sample catalogue', () => {
    const ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats,
    });
    const validate = ajv.compile(JSON.parse(readFileSync(sharedData(SCHEMA), 'utf8')) as object);
    for (const { server } of sample.listings) {
      validate(server);
      expect([server.name, validate.errors]).toEqual([server.name, null]);
    }
  });
});
