import { NO_CHANGES } from '../../src/bundles/entries/entry-changes';
import { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { nextPage } from '../support/pages';
import { Statement, statementsOf } from '../support/statements';

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const TABLES = /^(bundles|bundle_\w+|memberships)$/;
/** The blocks of 8 KiB that a page may read: some index entries for each of its 101 rows, not the table. */
const MAX_BLOCKS = 6_000;

/**
 * The plans that PostgreSQL chooses for the very statements that the application sends, over 100,000 bundles: 20,000 of
 * one organisation, 30,000 of 199 others, 50,000 personal ones, 5,000 of them one person's; half of them are public.
 */
describe('The query plans of bundle lists', () => {
  let test: TestApp;
  let cast: Cast;
  let bundleId: string;
  let listingId: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    cast = await createCast(test);
    bundleId = (await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' })).id;
    const query = (sql: string, parameters: unknown[] = []) => test.dataSource.query<object[]>(sql, parameters);
    const [owner, member] = [await idOf(cast.owner), await idOf(cast.member)];
    const insert = `
      INSERT INTO bundles (id, name, slug, visibility, org_id, owner_id)
      SELECT uuid_v7(), n, gen_random_uuid(), (CASE WHEN n % 2 = 0 THEN 'PUBLIC' ELSE 'PRIVATE' END)::visibility`;
    await query(`INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), n, n FROM generate_series(1, 199) AS n`);
    await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 20000)`);
    await query(`${insert}, $1, $2 FROM generate_series(1, 20000) AS n`, [cast.orgId, owner]);
    await query(
      `${insert}, orgs.id, $1 FROM (SELECT id FROM organisations WHERE id <> $2) AS orgs, generate_series(1, 150) AS n`,
      [owner, cast.orgId],
    );
    await query(
      `${insert}, NULL, users.id FROM generate_series(1, 3) AS n, (SELECT id FROM users LIMIT 15000) AS users`,
    );
    await query(`${insert}, NULL, $1 FROM generate_series(1, 5000) AS n`, [member]);
    await query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role)
       SELECT id, $1, 'MEMBER', 'MEMBER' FROM organisations WHERE id <> $2 LIMIT 9`,
      [member, cast.orgId],
    );
    await query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role)
       SELECT orgs.id, users.id, 'MEMBER', 'MEMBER'
       FROM (SELECT id FROM organisations) AS orgs, (SELECT id FROM users ORDER BY id DESC LIMIT 100) AS users
       ON CONFLICT DO NOTHING`,
    );
    await query(
      `INSERT INTO bundle_editors (bundle_id, user_id)
       SELECT bundles.id, users.id
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM bundles LIMIT 50000) AS bundles
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) AS users ON users.n = bundles.n % 19000`,
    );
    const some = `SELECT id FROM bundles ORDER BY md5(id::text)`;
    // One may be the member's already, since ids are created afresh each time.
    await query(
      `INSERT INTO bundle_editors (bundle_id, user_id) SELECT id, $1 FROM (${some} LIMIT 1000) AS picked
       ON CONFLICT DO NOTHING`,
      [member],
    );
    await query(
      `INSERT INTO bundle_follows (bundle_id, user_id) SELECT id, $1 FROM (${some} LIMIT 5000) AS picked
       ON CONFLICT DO NOTHING`,
      [member],
    );
    await query(
      `INSERT INTO bundle_follows (bundle_id, user_id, created_at) SELECT $1, id, now() - random() * interval '1 year' FROM users ON CONFLICT DO NOTHING`,
      [bundleId],
    );
    await query(
      `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes)
       SELECT $1, n, '[]', 0, 'CREATED', $2 FROM generate_series(2, 5000) AS n`,
      [bundleId, NO_CHANGES],
    );
    await query(`UPDATE bundles SET version = 5000 WHERE id = $1`, [bundleId]);
    await query(
      `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes)
       SELECT id, 1, '[]', 0, 'CREATED', '{}' FROM bundles ON CONFLICT DO NOTHING`,
    );
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_name, key, position)
       SELECT uuid_v7(), bundles.id, 'gone', n, n
       FROM (SELECT id FROM bundles ORDER BY id LIMIT 1000) AS bundles, generate_series(0, 199) AS n`,
    );
    listingId = await createListing(test.dataSource);
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position)
       SELECT uuid_v7(), id, $1, 'popular', 'popular', 200 FROM bundles ORDER BY md5(id::text) LIMIT 50000`,
      [listingId],
    );
    await query(
      `INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest, created_by)
       SELECT uuid_v7(), id, 'CI', 'tyb_', sha256(id::text::bytea), owner_id FROM bundles LIMIT 50000`,
    );
    await query(
      `INSERT INTO bundle_deployments (id, bundle_id, name, environment, status, bundle_version)
       SELECT uuid_v7(), id, 'D', 'test', 'RUNNING', 1 FROM bundles LIMIT 50000`,
    );
    await query('VACUUM ANALYZE');
  });

  afterAll(() => test.close());

  async function expectFast(statement: Statement | undefined, most = MAX_BLOCKS): Promise<void> {
    const [row] = await test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement?.sql}`,
      statement?.parameters,
    );
    const [top] = row?.['QUERY PLAN'] ?? [];
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    const whole = top
      ? nodes(top.Plan).filter((plan) => plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0)
      : [];
    expect(whole.flatMap((plan) => plan['Relation Name'] ?? []).filter((name) => TABLES.test(name))).toEqual([]);
    expect((top?.Plan['Shared Hit Blocks'] ?? NaN) + (top?.Plan['Shared Read Blocks'] ?? NaN)).toBeLessThan(most);
  }

  /** The last statement of a page is the one that reads its rows. */
  async function expectFastPages(api: Api, path: string, most?: number): Promise<void> {
    let next: string | undefined = path;
    for (let page = 0; page < 4 && next !== undefined; page++) {
      let link: string | undefined;
      const statements = await statementsOf(test, async () => (link = nextPage(await api.get(next as string))));
      await expectFast(statements.at(-1), most);
      next = link;
    }
  }

  it.each(['', '&scope=mine', '&scope=organisations', '&scope=followed', '&scope=public'])(
    'read only indexes, and about a page of rows (%s)',
    async (scope) => {
      for (const api of [cast.member, cast.admin, cast.outsider]) {
        await api.get('/v1/users/me');
        await expectFastPages(api, `/v1/bundles?limit=100${scope}`);
      }
    },
  );

  it.each(['', '&scope=organisations', '&scope=public'])(
    'read only indexes within one organisation too (%s)',
    async (scope) => {
      await cast.member.get('/v1/users/me');
      await expectFastPages(cast.member, `/v1/bundles?limit=100&org_id=${cast.orgId}${scope}`);
    },
  );

  it.each(['mine', 'followed'])('read only the user’s own bundles within one organisation (%s)', async (scope) => {
    // Some blocks for each of the 5,000 that they follow, and the 6,000 that they own or edit.
    await cast.member.get('/v1/users/me');
    await expectFastPages(cast.member, `/v1/bundles?limit=100&org_id=${cast.orgId}&scope=${scope}`, 25_000);
  });

  it.each(['followers', 'versions', 'deployments', 'access-tokens', 'editors', 'entries'])(
    'read about a page of an index for the %s of a bundle',
    async (part) => {
      await cast.owner.get('/v1/users/me');
      await expectFastPages(cast.owner, `/v1/bundles/${bundleId}/${part}?limit=100`);
    },
  );

  it('read about a page of an index for the bundles of a listing, and no more for where it is allowed', async () => {
    for (const api of [cast.member, cast.outsider]) {
      await api.get('/v1/users/me');
      await expectFastPages(api, `/v1/mcp/listings/${listingId}/bundles?limit=100`);
      await expectFastPages(api, `/v1/mcp/listings/${listingId}/allowances`);
    }
  });

  it('find and open the bundle of a token with a few index blocks', async () => {
    const created = await cast.owner.post(`/v1/bundles/${bundleId}/access-tokens`, { name: 'CI' });
    const { token } = created.body;
    const get = () => test.anonymous.get(`/v1/bundles/${bundleId}`, 200, { Authorization: `Bearer ${token}` });
    await get();
    const statements = await statementsOf(test, get);
    expect(statements).toHaveLength(2);
    for (const statement of statements) await expectFast(statement);
  });
});
