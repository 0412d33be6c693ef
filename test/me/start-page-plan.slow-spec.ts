import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, createListing, idOf } from '../support/factories';
import { nextPage } from '../support/pages';
import { type Statement, statementsOf } from '../support/statements';

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Tables that are never read as a whole, however many rows one person has in them. */
const LARGE = /^(bundle_(entries|tools|versions|follows)|tool_approvals|credentials|server_requests|invitations)$/;

/**
 * The plans of what a start page asks, over 6,000 bundles with 60,000 entries and tools, 120,000 versions and 50,000 requests.
 * The person administers an organisation with 3,000 bundles, follows 1,000 of them, has 10,000 credentials, and nothing waits: so
 * nothing ends a search early.
 */
describe('The query plans of a start page', () => {
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    cast = await createCast(test);
    const query = (sql: string, parameters: unknown[] = []) => test.dataSource.query<object[]>(sql, parameters);
    const admin = await idOf(cast.admin);
    await createListing(test.dataSource);
    await query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, transports)
       SELECT uuid_v7(), 'io.github.plan/s' || n, 's' || n, 's', 's', (SELECT min(id) FROM categories), 'PUBLISHED', 'PUBLIC',
              '{streamable-http}'
       FROM generate_series(1, 2000) AS n`,
    );
    await query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest)
       SELECT id, '1.0.0', jsonb_build_object('name', name, 'description', 's', 'version', '1.0.0'), true
       FROM listings WHERE name LIKE 'io.github.plan/%'`,
    );
    await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 3000)`);
    await query(
      `INSERT INTO bundles (id, name, slug, org_id, owner_id)
       SELECT uuid_v7(), n, gen_random_uuid(), CASE WHEN n % 2 = 0 THEN $1::uuid END,
              (SELECT id FROM users ORDER BY id OFFSET 100 + n % 2000 LIMIT 1)
       FROM generate_series(1, 6000) AS n`,
      [cast.orgId],
    );
    await query(`INSERT INTO bundle_endpoints (bundle_id, is_enabled) SELECT id, true FROM bundles`);
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position, credential_mode, pinning)
       SELECT uuid_v7(), bundles.id, listing.id, listing.name, listing.name, listing.place - 1, 'PERSONAL', 'APPROVE'
       FROM bundles
       CROSS JOIN LATERAL (SELECT id, name, row_number() OVER (ORDER BY id) AS place FROM listings
                           WHERE name LIKE 'io.github.plan/%' LIMIT 10) AS listing`,
    );
    await query(
      `INSERT INTO bundle_tools (id, bundle_id, entry_id, kind, name, digest, is_listed)
       SELECT uuid_v7(), bundle_id, id, 'tool', 'read', sha256(id::text::bytea), true FROM bundle_entries`,
    );
    await query(
      `INSERT INTO tool_approvals (bundle_id, entry_id, kind, name, digest, from_version, approved_at)
       SELECT bundle_id, entry_id, kind, name, digest, 1, now() FROM bundle_tools`,
    );
    await query(
      `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes, created_at)
       SELECT bundles.id, n, '[]', 0, 'ENTRIES_CHANGED',
              '{"added": 0, "removed": 0, "moved": 0, "enabled": 0, "disabled": 0, "reconfigured": 0, "updated": 0}',
              now() - random() * interval '1 year'
       FROM bundles, generate_series(1, 20) AS n`,
    );
    await query(
      `INSERT INTO bundle_follows (bundle_id, user_id) SELECT id, $1 FROM bundles WHERE org_id = $2 LIMIT 1000`,
      [admin, cast.orgId],
    );
    await query(
      `INSERT INTO bundle_follows (bundle_id, user_id)
       SELECT bundle.id, users.id FROM (SELECT id FROM users ORDER BY id LIMIT 2000) AS users
       CROSS JOIN (SELECT id FROM bundles ORDER BY id LIMIT 10) AS bundle ON CONFLICT DO NOTHING`,
    );
    await query(
      `INSERT INTO credentials (id, kind, owner, person_id, bundle_id, entry_id, origin)
       SELECT uuid_v7(), 'SECRETS', 'PERSON', $1, bundle_id, bundle_entries.id, 'https://server.example'
       FROM bundle_entries JOIN bundle_follows USING (bundle_id) WHERE user_id = $1`,
      [admin],
    );
    await query(
      `INSERT INTO server_requests (id, org_id, name, subject_key, why, status, requested_by, created_at, decided_at)
       SELECT uuid_v7(), $1, n, n, '', CASE WHEN n > 49500 THEN 'OPEN' ELSE 'DECLINED' END, users.id, now(),
              CASE WHEN n <= 49500 THEN now() END
       FROM generate_series(1, 50000) AS n
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM users) AS users ON users.place = 1 + n % 2000`,
      [cast.orgId],
    );
    await query('VACUUM ANALYZE');
  }, 300_000);

  afterAll(() => test.close());

  /** @param mayReadWhole what the person has is so much of a table that reading all of it is best */
  async function blocksOf({ sql, parameters }: Statement, mayReadWhole = false): Promise<number> {
    const [row] = await test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      parameters,
    );
    const [top] = row?.['QUERY PLAN'] ?? [];
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    const plans = top ? nodes(top.Plan) : [];
    const whole = plans.filter(
      (plan) => plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0 && LARGE.test(plan['Relation Name'] ?? ''),
    );
    expect(mayReadWhole ? [] : whole.map((plan) => `${plan['Relation Name']} in ${sql}`)).toEqual([]);
    return plans.length === 0 ? 0 : (plans[0]?.['Shared Hit Blocks'] ?? 0) + (plans[0]?.['Shared Read Blocks'] ?? 0);
  }

  async function statementOf(work: () => Promise<unknown>, mark: string): Promise<Statement> {
    const found = (await statementsOf(test, work)).find(({ sql }) => sql.includes(mark));
    if (!found) throw new Error(`No statement with ${mark}.`);
    return found;
  }

  it('are by indexes for a page of the feed, the first and a later one', async () => {
    const path = '/v1/users/me/feed?limit=100' as const;
    const first = await cast.admin.get(path);
    expect(first.body).toHaveLength(100);
    expect(await blocksOf(await statementOf(() => cast.admin.get(path), 'AS feed'))).toBeLessThan(20_000);
    const next = nextPage(first) as typeof path;
    expect(await blocksOf(await statementOf(() => cast.admin.get(next), 'AS feed'))).toBeLessThan(20_000);
  });

  it('are by indexes for what waits', async () => {
    const work = () => cast.admin.get('/v1/users/me/waiting');
    expect((await work()).body).toMatchObject({
      accounts: { count: 0 },
      tools: { count: 0 },
      requests: { count: 100 },
    });
    for (const mark of ['bundle_endpoints', 'tool_approvals', 'server_requests', 'invitations'])
      expect(await blocksOf(await statementOf(work, mark), true)).toBeLessThan(100_000);
  });

  it.each(['', '&status=OPEN', '&mine=true', '&mine=true&status=OPEN'] as const)(
    'are by indexes for a page of the requests for servers: %s',
    async (filter) => {
      const work = () => cast.admin.get(`/v1/organisations/${cast.orgId}/server-requests?limit=100${filter}`);
      expect(await blocksOf(await statementOf(work, 'server_requests'))).toBeLessThan(3_000);
    },
  );
});
