import { escapeLiteral } from 'pg';
import {
  listStatement as listingsStatement,
  type ListingCriteria,
  type Position,
  type Spelling,
} from '../../src/catalog/listings/listing-search.sql';
import {
  listStatement,
  type RegistryFilter,
  type Statement,
  versionsStatement,
  versionStatement,
} from '../../src/catalog/registry/registry.sql';
import type { ListingSort } from '../../src/catalog/listings/listing-query';
import { GREATEST_ID, newId } from '../../src/database/id';
import { createDatabase, TestDatabase } from '../support/database';

/** Rows that one node of a plan reads in all its loops. */
interface Node {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

const LISTINGS = 20_000;

function rowsOf(node: Node): number {
  return Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(rowsOf),
  );
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The most rows that any node of the plan reads: of that for these values, and of that for any, once prepared. */
async function mostRowsIn(database: TestDatabase, { name, sql, values }: Statement): Promise<number> {
  const literals = values.map((value) => (typeof value === 'number' ? String(value) : escapeLiteral(textOf(value))));
  const execute = literals.length === 0 ? 'EXECUTE page' : `EXECUTE page (${literals.join(', ')})`;
  const runner = database.dataSource.createQueryRunner();
  const counts: number[] = [];
  try {
    await runner.query(`PREPARE page AS ${sql}`);
    for (const mode of name === undefined ? ['custom'] : ['custom', 'generic']) {
      await runner.query(`SET plan_cache_mode = force_${mode}_plan`);
      const [row] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`)) as {
        'QUERY PLAN': { Plan: Node }[];
      }[];
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      if (!plan) throw new Error('EXPLAIN gives a plan.');
      counts.push(rowsOf(plan));
    }
    await runner.query('DEALLOCATE page');
    await runner.query('RESET plan_cache_mode');
  } finally {
    await runner.release();
  }
  return Math.max(...counts);
}

describe('The query plan of a page among many servers', () => {
  let database: TestDatabase;
  const orgId = newId();

  beforeAll(async () => {
    database = await createDatabase();
    const query = (sql: string, values: unknown[] = []) => database.dataSource.query<object[]>(sql, values);
    await query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'O', 'o')`, [orgId]);
    await query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('C', 'c', '', 'box', 1)`,
    );
    await query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, org_id, published_at)
       SELECT gen_random_uuid(), 'com.n' || n || '/s', 's', 'Server ' || n, 'S.', 1, 'PUBLISHED',
              CASE WHEN n % 100 = 0 THEN 'PRIVATE' ELSE 'PUBLIC' END::visibility,
              CASE WHEN n % 100 = 0 THEN $1::uuid END, now() FROM generate_series(1, $2::int) AS n`,
      [orgId, LISTINGS],
    );
    await query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest)
       SELECT id, v || '.0.0', json_build_object('name', name), v = 3 FROM listings, generate_series(1, 3) AS v`,
    );
    await query(`UPDATE listings SET status = 'ARCHIVED' WHERE name LIKE 'com.n%7/s'`);
    await query(`VACUUM ANALYZE listings`);
    await query(`VACUUM ANALYZE listing_versions`);
  });

  afterAll(() => database.drop());

  const mostRows = (statement: Statement) => mostRowsIn(database, statement);
  const own = { orgId, includeDeleted: false };
  const everybodys = { orgId: null, includeDeleted: false };
  it.each<[string, RegistryFilter]>([
    ['everyone', everybodys],
    ['everyone, with deleted versions', { ...everybodys, includeDeleted: true }],
    ['everyone, with changes only', { ...everybodys, includeDeleted: true, updatedSince: new Date(0) }],
    ['the members of an organisation', own],
    ['the members of an organisation, with deleted versions', { ...own, includeDeleted: true }],
    ['the latest versions for the members of an organisation', { ...own, version: 'latest' }],
  ])('for %s reads no more than the page, at any depth', async (_, filter) => {
    for (const name of ['', 'com.n5000/s', 'com.n9/s']) {
      const after = filter.updatedSince ? null : ([name, '1.0.0', new Date(0).toISOString(), newId()] as const);
      expect(await mostRows(listStatement(filter, after && [...after], 101))).toBeLessThan(500);
    }
  });

  it('of changes for an organisation reads the page and its own listings', async () => {
    const filter = { ...own, includeDeleted: true, updatedSince: new Date(0) };
    expect(await mostRows(listStatement(filter, null, 101))).toBeLessThan(1_000);
  });

  it.each<[ListingCriteria['scope'], ListingSort, Position]>([
    ['public', 'newest', [0, 0, '', GREATEST_ID]],
    ['public', 'name', [0, 0, 'com.n5000/s', newId()]],
    ['public', 'rating', [0, 0, '', GREATEST_ID, 0, 0]],
    ['visible', 'newest', [0, 0, '', GREATEST_ID]],
  ])('of %s listings by %s reads no more than the page', async (scope, sort, position) => {
    for (const after of [null, position]) {
      expect(await mostRows(listingsStatement({ scope, userId: newId() }, sort, after, 31))).toBeLessThan(200);
    }
  });

  it.each<[string, Spelling]>([
    ['com.n777', 'same'],
    ['no such server', 'same'],
    ['no such server', 'similar'],
  ])('of a search for %j in the %s spelling reads what it may find', async (search, spelling) => {
    const statement = listingsStatement({ scope: 'public', userId: newId(), search }, 'relevance', null, 31, spelling);
    expect(statement.name).toBeDefined();
    expect(await mostRows(statement)).toBeLessThan(500);
  });

  it('of listings is prepared for what is asked for most', () => {
    const nameOf = (criteria: Partial<ListingCriteria>, take: number, sort: ListingSort = 'newest') =>
      listingsStatement({ scope: 'public', userId: newId(), ...criteria }, sort, null, take).name;
    expect([nameOf({}, 31), nameOf({ scope: 'visible' }, 21)]).toEqual(['listings public 31', 'listings visible 21']);
    const others = [
      nameOf({}, 30),
      nameOf({ category: 'c' }, 31),
      nameOf({ scope: 'mine' }, 31),
      nameOf({}, 31, 'name'),
    ];
    expect(others).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('of one server reads only its versions', async () => {
    for (const filter of [own, everybodys, { ...everybodys, includeDeleted: true }]) {
      expect(await mostRows(versionsStatement('com.n77/s', filter, null, 1_001))).toBeLessThan(10);
      for (const version of [null, '2.0.0']) {
        expect(await mostRows(versionStatement('com.n77/s', version, filter))).toBeLessThan(10);
      }
    }
  });
});

describe('The query plan of a search of the registry', () => {
  const NAMES = 10_000;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    await database.dataSource.query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('C', 'c', '', 'box', 1)`,
    );
  });

  afterAll(() => database.drop());

  it('for a rare text reads what is found, even if two of 100 names at regular intervals contain it', async () => {
    const isRare = (place: number) =>
      place > NAMES - 24 || [98, 99].some((part) => Math.abs(place - (part * NAMES) / 100) <= 1);
    const names = Array.from(
      { length: NAMES },
      (_, place) => `com.n${String(place).padStart(5, '0')}/${isRare(place) ? 'postgres' : 'other'}`,
    );
    await database.dataSource.query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, published_at)
       SELECT gen_random_uuid(), name, 's', 'S', 'S.', 1, 'PUBLISHED', 'PUBLIC', now() FROM unnest($1::text[]) AS name`,
      [names],
    );
    await database.dataSource.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest)
       SELECT id, '1.0.0', json_build_object('name', name), true FROM listings`,
    );
    await database.dataSource.query(`VACUUM ANALYZE listing_versions`);
    const search = listStatement({ orgId: null, includeDeleted: false, search: 'postgres' }, null, 31);
    expect(await mostRowsIn(database, search)).toBeLessThan(100);
  });
});
