import { newId } from '../../../src/database/id';
import { attachDay, CallDay, createDay } from '../../../src/gateway/calls/call-partitions.sql';
import { CALL_FILTERS, type CallFilter } from '../../../src/gateway/calls/call-list.sql';
import { createTestApp, type TestApp } from '../../support/app';
import { createBundle, createCast } from '../../support/factories';
import type { Api } from '../../support/api';
import { type Statement, statementsOf } from '../../support/statements';

const DAY_MS = 24 * 3_600_000;
/** Of which one request looks at a third. */
const DAYS = 90;
const ROWS = 1_000_000;
/** Of the bundle whose calls are read. */
const OWN_ROWS = 400_000;
/** Four descents in each of the days, and the rows of the page. */
const MAX_BLOCKS = 700;
/** By several filters, of which each alone has many rows: those of the rarest are looked at. */
const MAX_BLOCKS_OF_SEVERAL = 25_000;

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** The plans of lists and statistics over a million calls in 90 days, of which 400,000 are of one bundle. */
describe('The plans of the record of calls', () => {
  let test: TestApp;
  let api: Api;
  let bundleId: string;
  const id = () => newId();
  const entries = Array.from({ length: 5 }, id);
  const people = Array.from({ length: 50 }, id);

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    const cast = await createCast(test);
    api = cast.owner;
    bundleId = (await createBundle(cast.owner)).id;
    const now = Date.now();
    for (let ago = 0; ago < DAYS; ago++) {
      const day = CallDay.of(new Date(now - ago * DAY_MS));
      await test.dataSource.query(createDay(day));
      await test.dataSource.query(attachDay(day));
    }
    const others = Array.from({ length: 20 }, id);
    for (let from = 0; from < ROWS; from += 100_000)
      await test.dataSource.query(
        `INSERT INTO endpoint_calls (bundle_id, id, bundle_version, entry_id, method, name, exposed_name,
           definition_digest, principal_type, principal_id, client_name, client_version, era, outcome, error_code,
           duration_us, upstream_us, bytes_in, bytes_out, request_id, trace_id)
         SELECT CASE WHEN n < $1 THEN $2::uuid ELSE ($3::uuid[])[1 + n % 20] END,
                (lpad(to_hex(($4::bigint - (random() * $5::bigint)::bigint)), 12, '0') || '7' || substr(md5(n::text), 1, 3)
                  || '8' || substr(md5(n::text), 4, 15))::uuid,
                3, entry, 'tools/call', 'search_records_' || tool, 'alias-' || n % 5 || '__search_records_' || tool,
                sha256(tool::text::bytea), 'person', ($6::uuid[])[1 + floor(random() * 50)::int], 'claude-code',
                '2.1.240', 'modern', outcome, CASE WHEN outcome = 'TIMEOUT' THEN 'upstream_timeout' END,
                (random() * 1000000)::int, (random() * 900000)::int, 1200, 4000, gen_random_uuid()::text, gen_random_uuid()
         FROM generate_series($7::int, $8::int) AS n
         CROSS JOIN LATERAL (SELECT ($9::uuid[])[1 + n % 5] AS entry, floor(random() * 20)::int AS tool, CASE
           WHEN random() < 0.96 THEN 'OK' WHEN random() < 0.9 THEN 'TOOL_ERROR' ELSE 'TIMEOUT' END AS outcome
           WHERE n IS NOT NULL) AS made`,
        [OWN_ROWS, bundleId, others, now, (DAYS - 2) * DAY_MS, people, from, from + 99_999, entries],
      );
    await test.dataSource.query('VACUUM ANALYZE endpoint_calls');
  });

  afterAll(() => test.close());

  const VALUES: Record<CallFilter, string> = {
    entry_id: `entry_id=${entries[1]}`,
    exposed_name: 'tool=alias-1__search_records_7',
    principal_id: `principal_id=${people[3]}`,
    outcome: 'outcome=TIMEOUT',
  };

  async function statementOf(path: string): Promise<Statement> {
    const statements = await statementsOf(test, () => api.call('get', path, 200));
    const found = statements.filter(({ sql }) => sql.includes('endpoint_calls'));
    expect(found).toHaveLength(1);
    return found[0] as Statement;
  }

  async function costOf({ sql, parameters }: Statement): Promise<{ blocks: number; whole: string[]; ms: number }> {
    const [row] = await test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      parameters,
    );
    const explained = row?.['QUERY PLAN'][0];
    if (!explained) throw new Error('EXPLAIN gives a plan.');
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    const scans = nodes(explained.Plan).filter((plan) => plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0);
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = explained.Plan;
    // The default partition is empty here.
    const whole = scans.flatMap((plan) => plan['Relation Name'] ?? []).filter((name) => !name.endsWith('_default'));
    // Days outside of the time are not even opened.
    const relations = nodes(explained.Plan).flatMap((plan) => plan['Relation Name'] ?? []);
    const days = relations.filter((name) => name.startsWith('endpoint_calls'));
    expect(new Set(days).size).toBeLessThanOrEqual(36);
    return { blocks: hit + read, whole, ms: explained['Execution Time'] };
  }

  const combinations = Array.from({ length: 2 ** CALL_FILTERS.length }, (_, bits) =>
    CALL_FILTERS.filter((_filter, index) => bits & (1 << index)),
  );

  it.each(combinations.map((filters) => [filters.join(' and ') || 'nothing', filters] as const))(
    'of a list by %s looks at no day as a whole',
    async (_name, filters) => {
      const query = ['limit=100', ...filters.map((filter) => VALUES[filter])].join('&');
      for (const time of ['', `&from=${new Date(Date.now() - 5 * DAY_MS).toISOString()}`]) {
        const { blocks, whole } = await costOf(await statementOf(`/v1/bundles/${bundleId}/calls?${query}${time}`));
        expect(whole).toEqual([]);
        expect(blocks).toBeLessThan(filters.length > 1 ? MAX_BLOCKS_OF_SEVERAL : MAX_BLOCKS);
      }
    },
  );

  it.each(['tool', 'entry', 'principal', 'outcome'])(
    'of statistics by %s reads the calls of that time once',
    async (by) => {
      const from = new Date(Date.now() - 29 * DAY_MS).toISOString();
      const { ms } = await costOf(await statementOf(`/v1/bundles/${bundleId}/calls/statistics?by=${by}&from=${from}`));
      // Of 130,000 calls; a request may take 60 s for it.
      expect(ms).toBeLessThan(20_000);
    },
  );

  it('of a row takes less than what docs/operating/database-and-secrets.md says', async () => {
    const [{ bytes } = { bytes: Infinity }] = await test.dataSource.query<{ bytes: number }[]>(
      `SELECT sum(pg_total_relation_size(inhrelid))::float8 / ${ROWS} AS bytes FROM pg_inherits
       WHERE inhparent = 'endpoint_calls'::regclass`,
    );
    expect(bytes).toBeGreaterThan(200);
    expect(bytes).toBeLessThan(900);
  });
});
