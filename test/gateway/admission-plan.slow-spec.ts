import { DataSource } from 'typeorm';
import { Admissions, type AdmissionQuery } from '../../src/gateway/edge/admission';
import { createBundle, createCast, idOf } from '../support/factories';
import { type Statement, statementsOf } from '../support/statements';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

interface Cost {
  /** Tables that are read from beginning to end. */
  whole: string[];
  /** How many parts of the plan look for credentials. */
  looked: number;
  blocks: number;
}

interface Explained {
  'QUERY PLAN': { Plan: Plan }[];
}

/** A parameter of the statement as EXECUTE takes it. */
function literal(value: unknown): string {
  const text = (item: unknown) =>
    Buffer.isBuffer(item) ? `"\\\\x${item.toString('hex')}"` : typeof item === 'string' ? item : 'NULL';
  if (Array.isArray(value)) return `'{${value.map(text).join(',')}}'`;
  return `'${(value as Date).toISOString()}'`;
}

const TABLES = /^(bundles|bundle_\w+|memberships|users|listings|listing_versions|credentials)$/;
/** Of 20 entries, each with its listing and its version. */
const MAX_BLOCKS = 400;
/** And with its credential, which may be in three places. */
const MAX_BLOCKS_WITH_CREDENTIALS = 800;

/**
 * The plan of the statement that every request to an endpoint costs: over 50,000 bundles, each with an endpoint, two
 * entries, a token and a deployment, 20,000 accounts and 20,000 listings with two versions each.
 */
describe('The plan of the admission to an endpoint', () => {
  let stage: Stage;
  let ada: Person;
  let endpoint: Endpoint;
  let asks: AdmissionQuery[];

  beforeAll(async () => {
    stage = await createStage(1, { env: { RUN: 'api' } });
    const { test } = stage;
    const query = <T extends object>(sql: string, values: unknown[] = []) => test.dataSource.query<T[]>(sql, values);
    ada = await stage.person();
    const cast = await createCast(test);
    endpoint = await ada.endpoint([]);
    const userId = await idOf(ada.api);
    const listing = await stage.listing('https://example.com/mcp');
    await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 20000)`);
    await query(`INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), n, n FROM generate_series(1, 200) AS n`);
    await query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role)
       SELECT orgs.id, users.id, 'MEMBER', 'MEMBER'
       FROM (SELECT id FROM organisations) AS orgs, (SELECT id FROM users ORDER BY id DESC LIMIT 200) AS users
       ON CONFLICT DO NOTHING`,
    );
    await query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, org_id)
       SELECT uuid_v7(), 'com.example/' || n, n, n, '', category_id, 'PUBLISHED', 'PRIVATE', $2
       FROM listings, generate_series(1, 20000) AS n WHERE listings.id = $1`,
      [listing, cast.orgId],
    );
    await query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest)
       SELECT id, v, json_build_object('name', name, 'description', '', 'version', v), v = '2.0.0'
       FROM listings CROSS JOIN unnest(ARRAY['0.1.0', '2.0.0']) AS v WHERE slug ~ '^[0-9]+$'`,
    );
    await query(
      `INSERT INTO bundles (id, name, slug, visibility, owner_id)
       SELECT uuid_v7(), n, gen_random_uuid(), 'PRIVATE', users.id
       FROM generate_series(1, 5) AS n, (SELECT id FROM users LIMIT 10000) AS users`,
    );
    await query(
      `INSERT INTO bundle_endpoints (bundle_id, is_enabled) SELECT id, true FROM bundles ON CONFLICT DO NOTHING`,
    );
    await query(
      `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes)
       SELECT id, 1, '[]', 0, 'CREATED', '{}' FROM bundles ON CONFLICT DO NOTHING`,
    );
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position)
       SELECT uuid_v7(), bundles.id, listings.id, listings.name, listings.slug, listings.n
       FROM bundles, (SELECT id, name, slug, row_number() OVER () AS n FROM listings LIMIT 2) AS listings`,
    );
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position)
       SELECT uuid_v7(), $1, id, name, slug, 100 + row_number() OVER () FROM (SELECT * FROM listings OFFSET 100 LIMIT 18) AS others`,
      [endpoint.bundleId],
    );
    await query(
      `INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest, created_by)
       SELECT uuid_v7(), id, 'CI', 'tyb_', sha256(id::text::bytea), owner_id FROM bundles WHERE owner_id IS NOT NULL`,
    );
    await query(
      `INSERT INTO bundle_policies (bundle_id, place, effect, subject_kind, tools)
       SELECT id, place, 'ALLOW', 'everyone', '*' FROM bundles, generate_series(0, 2) AS place`,
    );
    const { id: otherId } = await createBundle(ada.api);
    await query(
      `INSERT INTO bundle_deployments (id, bundle_id, name, environment, status, bundle_version, kind)
       SELECT uuid_v7(), id, 'D', 'test', 'RUNNING', 1, 'ENDPOINT' FROM bundles WHERE id <> $1`,
      [otherId],
    );
    await query(
      `INSERT INTO credentials (id, kind, owner, bundle_id, entry_id, origin)
       SELECT uuid_v7(), 'SECRETS', 'BUNDLE', bundle_id, id, 'https://example.com' FROM bundle_entries WHERE bundle_id <> $1`,
      [endpoint.bundleId],
    );
    await query(
      `INSERT INTO credentials (id, kind, owner, person_id, bundle_id, entry_id, origin)
       SELECT uuid_v7(), 'SECRETS', 'PERSON', people.id, entries.bundle_id, entries.id, 'https://example.com'
       FROM (SELECT id FROM users LIMIT 5000) AS people, bundle_entries AS entries WHERE entries.bundle_id = $1`,
      [endpoint.bundleId],
    );
    await query('VACUUM ANALYZE');
    const [deployment] = await query<{ id: string }>(`SELECT id FROM bundle_deployments WHERE bundle_id = $1`, [
      endpoint.bundleId,
    ]);
    const person = {
      kind: 'person',
      caller: { userId, email: null, name: null, isPlatformAdmin: false },
      expiresAt: Infinity,
    } as const;
    const path = { path: endpoint.path, kind: 'bundle', id: endpoint.bundleId } as const;
    const deployed = `/mcp/deployments/${deployment?.id}`;
    asks = [
      { path, credential: person },
      { path, credential: { kind: 'token', token: await endpoint.bundleToken() } },
      { path: { path: deployed, kind: 'deployment', id: deployment?.id ?? '' }, credential: person },
    ];
  });

  afterAll(() => stage.close());

  /** By the plan for these values. */
  async function costOf(statement: Statement | undefined): Promise<Cost> {
    const rows = await stage.test.dataSource.query<Explained[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement?.sql}`,
      statement?.parameters,
    );
    return costIn(rows);
  }

  /** By the plan for all values, which PostgreSQL may keep for a prepared statement. */
  async function costForAll({ sql, parameters }: Statement): Promise<Cost> {
    const runner = stage.test.app.get(DataSource).createQueryRunner();
    try {
      await runner.query(`SET plan_cache_mode = force_generic_plan`);
      await runner.query(
        `PREPARE admit (uuid[], uuid[], uuid[], bytea[], timestamptz, bytea[], bytea[], uuid[]) AS ${sql}`,
      );
      const execute = `EXECUTE admit (${parameters.map(literal).join(', ')})`;
      return costIn((await runner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`)) as Explained[]);
    } finally {
      await runner.query(`DEALLOCATE admit`);
      await runner.query(`RESET plan_cache_mode`);
      await runner.release();
    }
  }

  function costIn([row]: Explained[]): Cost {
    const top = row?.['QUERY PLAN'][0]?.Plan;
    if (!top) throw new Error('EXPLAIN gives a plan.');
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    const scans = nodes(top).filter((plan) => plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0);
    const whole = scans.flatMap((plan) => plan['Relation Name'] ?? []).filter((name) => TABLES.test(name));
    const looked = nodes(top).filter((plan) => plan['Relation Name'] === 'credentials' && plan['Actual Loops'] > 0);
    return { whole, looked: looked.length, blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'] };
  }

  it('reads some index entries for each entry of the bundle, and no table as a whole', async () => {
    const admissions = stage.test.app.get(Admissions);
    for (const ask of asks) {
      const statements = await statementsOf(stage.test, () => admissions.admit(ask));
      const admit = statements.find(({ sql }) => sql.includes('bundle_endpoints'));
      if (!admit) throw new Error('Nobody is admitted without a statement.');
      for (const { whole, looked, blocks } of [await costOf(admit), await costForAll(admit)]) {
        expect(whole).toEqual([]);
        // No entry uses any.
        expect(looked).toBe(0);
        expect(blocks).toBeLessThan(MAX_BLOCKS);
      }
    }
  });

  it('reads some more for each entry that uses a credential, among 100,000 of them', async () => {
    const { dataSource } = stage.test;
    const setMode = `UPDATE bundle_entries SET credential_mode = $2 WHERE bundle_id = $1`;
    await dataSource.query(setMode, [endpoint.bundleId, 'PERSONAL_OR_SHARED']);
    try {
      const admissions = stage.test.app.get(Admissions);
      for (const ask of asks.slice(0, 2)) {
        const statements = await statementsOf(stage.test, () => admissions.admit(ask));
        const admit = statements.find(({ sql }) => sql.includes('bundle_endpoints'));
        if (!admit) throw new Error('Nobody is admitted without a statement.');
        for (const { whole, looked, blocks } of [await costOf(admit), await costForAll(admit)]) {
          expect(whole).toEqual([]);
          expect(looked).toBeGreaterThan(0);
          expect(blocks).toBeLessThan(MAX_BLOCKS_WITH_CREDENTIALS);
        }
      }
    } finally {
      await dataSource.query(setMode, [endpoint.bundleId, 'NONE']);
    }
  });

  it('costs as much for each of a thousand open streams', async () => {
    const admissions = stage.test.app.get(Admissions);
    const rows = await stage.test.dataSource.query<{ id: string; owner_id: string }[]>(
      `SELECT id, owner_id FROM bundles WHERE owner_id IS NOT NULL ORDER BY id DESC LIMIT 1000`,
    );
    const streams = rows.map(({ id, owner_id: userId }): AdmissionQuery => {
      const caller = { userId, email: null, name: null, isPlatformAdmin: false };
      return {
        path: { path: `/mcp/bundles/${id}`, kind: 'bundle', id },
        credential: { kind: 'person', caller, expiresAt: Infinity },
      };
    });
    const [admit, ...others] = await statementsOf(stage.test, () => admissions.again(streams));
    expect(others).toEqual([]);
    if (!admit) throw new Error('Nobody is admitted without a statement.');
    for (const { blocks } of [await costOf(admit), await costForAll(admit)])
      expect(blocks).toBeLessThan(MAX_BLOCKS * 200);
  });
});
