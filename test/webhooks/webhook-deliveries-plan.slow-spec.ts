import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, idOf } from '../support/factories';
import { statementsOf } from '../support/statements';

interface Plan {
  'Index Name'?: string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Of 8 kB. The deliveries of an endpoint take more than 1,000 blocks, and more than 500 in each index. */
const MAX_BLOCKS = 450;

/** The first and the last endpoint in every index, where statistics of other endpoints mislead most. */
const LARGE = ['00000000-0000-7000-8000-000000000001', 'ffffffff-0000-7000-8000-000000000001'];

const QUERIES = [
  '',
  'from=2026-11-01T00:00:00.000Z',
  'to=2026-11-01T00:00:20.000Z',
  'status=SUCCEEDED',
  'status=FAILED',
  'status=PENDING',
  'event_type=bundle.deleted',
  'event_type=member.added',
  'response_class=5xx',
  'response_class=none&to=2026-11-01T00:00:20.000Z',
  'status=SUCCEEDED&response_class=2xx&event_type=bundle.created&to=2026-11-01T00:00:20.000Z',
  'status=FAILED&response_class=5xx&event_type=bundle.created',
];

/**
 * How much the list of deliveries reads for 31 rows or none, of endpoints with 50,000 deliveries of one kind and five
 * of another, with any statistics: they may be older than all of the rows.
 */
describe('The query plan of the list of webhook deliveries', () => {
  let test: TestApp;
  let cast: Cast;

  const query = <T extends object>(sql: string, parameters: unknown[] = []) =>
    test.dataSource.query<T[]>(sql, parameters);

  /** One per millisecond, from the first of November. */
  const insert = (endpointId: string, count: number, kind: string, first = 0) =>
    query(
      `INSERT INTO webhook_deliveries (endpoint_id, id, event_id, status, response_class, event_type)
       SELECT $1, made.id::uuid, uuid_v7(), ${kind} FROM (
         SELECT lpad(to_hex($3::bigint + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15) AS id
         FROM generate_series(1, $2::int) AS n) AS made`,
      [endpointId, count, Date.parse('2026-11-01T00:00:00.000Z') + first],
    );

  async function fill(): Promise<void> {
    for (const endpointId of LARGE) {
      await insert(endpointId, 50_000, `'SUCCEEDED', 2, 'bundle.created'`);
      await insert(endpointId, 5, `'FAILED', 5, 'bundle.deleted'`, 35_000);
    }
  }

  beforeAll(async () => {
    // Without a worker, which would remove deliveries without an endpoint.
    test = await createTestApp({ env: { RUN: 'api' } });
    cast = await createCast(test);
    await query(
      `INSERT INTO webhook_endpoints (id, org_id, owner_id, target_url, event_types, encrypted_secret)
       SELECT id, $1, $2, 'https://hooks.example.com', '{}', '' FROM unnest($3::uuid[]) AS id`,
      [cast.orgId, await idOf(cast.owner), LARGE],
    );
    await query(`ALTER TABLE webhook_deliveries SET (autovacuum_enabled = false)`);
    // As high a tree as with a million deliveries: higher than the primary key's, which then looks cheaper.
    await query(`ALTER INDEX webhook_deliveries_filter_idx SET (fillfactor = 10)`);
  });

  afterAll(() => test.close());

  const STATES: [string, () => Promise<void>][] = [
    ['no statistics', fill],
    [
      'statistics from before the last five deliveries',
      async () => {
        for (const endpointId of LARGE) await insert(endpointId, 50_000, `'SUCCEEDED', 2, 'bundle.created'`);
        await query(`ANALYZE webhook_deliveries`);
        for (const endpointId of LARGE) await insert(endpointId, 5, `'FAILED', 5, 'bundle.deleted'`, 35_000);
      },
    ],
    [
      'statistics that know only another endpoint',
      async () => {
        await insert('70000000-0000-7000-8000-000000000001', 50_000, `'SUCCEEDED', 2, 'bundle.created'`);
        await query(`ANALYZE webhook_deliveries`);
        await fill();
      },
    ],
    [
      'statistics from when every endpoint had one delivery',
      async () => {
        await query(
          `INSERT INTO webhook_deliveries (endpoint_id, id, event_id, status, response_class, event_type)
           SELECT uuid_v7(), uuid_v7(), uuid_v7(), 'SUCCEEDED', 2, 'bundle.created' FROM generate_series(1, 50000)`,
        );
        await query(`ANALYZE webhook_deliveries`);
        await fill();
      },
    ],
    [
      'current statistics',
      async () => {
        await fill();
        await query(`VACUUM ANALYZE webhook_deliveries`);
      },
    ],
  ];

  describe.each(STATES)('with %s', (_, prepare) => {
    beforeAll(async () => {
      await query(`TRUNCATE webhook_deliveries`);
      await prepare();
      await query(`REINDEX INDEX webhook_deliveries_filter_idx`);
    });

    it.each(QUERIES)('reads only a few rows for %j', async (filters) => {
      for (const endpointId of LARGE) {
        const statements = await statementsOf(test, () =>
          cast.owner.get(`/v1/webhooks/${endpointId}/deliveries?${filters}`),
        );
        const list = statements.find(({ sql }) => sql.includes('webhook_deliveries'));
        const [row] = await query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${list?.sql}`,
          list?.parameters,
        );
        const plan = row?.['QUERY PLAN'][0]?.Plan as Plan;
        const nodes = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
        const indexes = nodes(plan)
          .filter((node) => node['Relation Name'] === 'webhook_deliveries')
          .map((node) => node['Index Name']);
        expect(indexes.filter((index) => !/^webhook_deliveries_(pkey|filter_idx)$/.test(index ?? ''))).toEqual([]);
        expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MAX_BLOCKS);
      }
    });
  });
});
