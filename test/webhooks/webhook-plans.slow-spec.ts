import { DataSource } from 'typeorm';
import { Claims } from '../../src/webhooks/engine/claims';
import { FanOut } from '../../src/webhooks/engine/fan-out';
import { Results } from '../../src/webhooks/engine/results';
import { Slots } from '../../src/webhooks/sending/slots';
import { createTestApp, type TestApp } from '../support/app';
import { createBundle, createEndpoint, unique } from '../support/factories';

/** If it were left the choice, PostgreSQL would plan the first five executions, and any that look cheaper with their values. */
const OFTEN = 8;

/** Any value of a type. */
const VALUES: Record<string, string> = {
  uuid: `'019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10'`,
  'uuid[]': `'{019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10}'`,
  'text[]': `'{bundle.created}'`,
  'timestamp with time zone': `'2026-11-25T12:00:00Z'`,
  'timestamp with time zone[]': `'{2026-11-25T12:00:00Z}'`,
  'boolean[]': `'{true}'`,
  'double precision[]': `'{1}'`,
  boolean: 'true',
  integer: '10',
  bigint: '10',
  jsonb: `'[]'`,
};

/** Tables that have a row or less for each endpoint, and none for each event. */
const FEW = new Set(['webhook_lanes', 'webhook_former_secrets']);

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** @returns the tables that a plan reads whole, in the order of an index or not; one that stops early does not count */
function readsWhole(node: PlanNode | undefined, isCut = false): string[] {
  if (!node) return [];
  const table = node['Relation Name'];
  const isWhole = table !== undefined && /^(Seq|Index|Index Only) Scan$/.test(node['Node Type']) && !node['Index Cond'];
  const cutsBelow = node['Node Type'] === 'Limit' || (isCut && node['Node Type'] === 'LockRows');
  return [
    ...(isWhole && !isCut ? [table] : []),
    ...(node.Plans ?? []).flatMap((below) => readsWhole(below, cutsBelow)),
  ];
}

/** With one connection, so that all statements are prepared on it. Nothing of the engine runs unless it is called here. */
describe('The named statements of the delivery engine', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', DATABASE_POOL_SIZE: '1' } });
  });

  afterAll(() => test.close());

  it('are planned once, while nothing is queued yet, for a queue of any length', async () => {
    const owner = await test.as(unique('owner'));
    await createEndpoint(owner, { event_types: ['bundle.created'] });
    await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = true`);
    // The planner's statistics say that the tables are empty, or nearly so.
    await test.dataSource.query('ANALYZE');
    const [fanOut, claims, results] = [test.app.get(FanOut), test.app.get(Claims), test.app.get(Results)];
    for (let n = 0; n < OFTEN; n++) {
      await createBundle(owner);
      while (await fanOut.step());
      const { id, deliveries } = await claims.take(new Slots(64));
      expect(deliveries).toHaveLength(1);
      await results.record(
        deliveries.map((delivery) => ({
          ...{ endpoint_id: delivery.endpoint_id, delivery_id: delivery.delivery_id, claim_id: id },
          ...{ number: delivery.attempt, event_type: delivery.type, target_url: delivery.target_url },
          ...{ encrypted_query: null, generation: delivery.generation, started_at: new Date().toISOString() },
          ...{
            duration_ms: 5,
            response_status: 500,
            response_body: '',
            error: 'http_status',
            error_message: 'It said 500.',
          },
          next_at: null,
        })),
      );
      await test.dataSource.query(`UPDATE webhook_lanes SET failing_since = NULL`);
    }

    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      const kept = (await runner.query(
        `SELECT name, parameter_types::text[] AS types FROM pg_prepared_statements
         WHERE name LIKE 'webhook_%' AND generic_plans > 0 AND custom_plans = 0 AND name <> 'webhook_plan_by_index'
         ORDER BY name`,
      )) as { name: string; types: string[] }[];
      expect(kept.map(({ name }) => name)).toEqual([
        'webhook_claim',
        'webhook_judge_lanes',
        'webhook_lock_due',
        'webhook_lock_events',
        'webhook_lock_lanes',
        'webhook_lock_listening_lanes',
        'webhook_make_deliveries',
        'webhook_move_lanes',
        'webhook_move_tenants',
        'webhook_read_lanes',
        'webhook_read_listening_lanes',
        'webhook_record',
        'webhook_wake_lanes',
      ]);
      // Shows the plan that is kept, and not one for these values.
      await runner.query(`SET plan_cache_mode = force_generic_plan`);
      for (const { name, types } of kept) {
        const values = types.map((type) => VALUES[type] ?? 'NULL');
        const [row] = (await runner.query(`EXPLAIN (FORMAT JSON) EXECUTE ${name} (${values.join(', ')})`)) as {
          'QUERY PLAN': object[];
        }[];
        const whole = readsWhole((row?.['QUERY PLAN'] as { Plan: PlanNode }[])[0]?.Plan);
        expect([name, whole.filter((table) => !FEW.has(table))]).toEqual([name, []]);
      }
    } finally {
      await runner.query(`RESET plan_cache_mode`);
      await runner.release();
    }
  });
});
