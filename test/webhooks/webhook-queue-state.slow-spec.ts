import { QUEUE_STATE } from '../../src/webhooks/engine/queue-state.sql';
import { createTestApp, TestApp } from '../support/app';

const EVENTS = 1_000_000;
const ENDPOINTS = 2_000;
/**
 * Of 8 kB: one for each of the 10,000 rows that are counted, where VACUUM could not mark them as visible to all, and some for
 * each of 800 lanes. The queue has a million rows, and more than 20,000 blocks with its indexes.
 */
const MAX_BLOCKS = 16_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('What a scrape reads of the queue', () => {
  let test: TestApp;
  const query = <T extends object>(sql: string, parameters: unknown[] = []) =>
    test.dataSource.query<T[]>(sql, parameters);

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, ${ENDPOINTS / 4})`);
    await query(
      `INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret)
       SELECT uuid_v7(), users.id, 'https://hooks.example.com', '{bundle.created}', ''
       FROM users CROSS JOIN generate_series(1, 4)`,
    );
    // Without indexes and triggers that would only make it slower.
    await query(
      `WITH endpoint AS (SELECT array_agg(id) AS ids FROM webhook_endpoints)
       INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
       SELECT uuid_v7(), ids[1 + n % ${ENDPOINTS}], uuid_v7(), 1, now() - n % 600 * interval '1 second'
       FROM endpoint CROSS JOIN generate_series(1, ${EVENTS}) AS n`,
    );
    await query(
      `INSERT INTO webhook_new_events (event_id, tenant_id, noticed_at)
       SELECT uuid_v7(), users.id, now() FROM users CROSS JOIN generate_series(1, ${EVENTS / (ENDPOINTS / 4)})`,
    );
    await query(`UPDATE webhook_lanes SET is_proven = true, wake_at = now() - interval '1 second'`);
    await query('VACUUM ANALYZE webhook_queue, webhook_new_events, webhook_lanes, webhook_tenants');
  }, 300_000);

  afterAll(() => test.close());

  it(`is bounded, with ${EVENTS} events and as many deliveries waiting`, async () => {
    const explained = async () => {
      const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${QUEUE_STATE.sql.replaceAll('$1', 'now()')}`,
      );
      if (!row) throw new Error('EXPLAIN returned no row.');
      return row['QUERY PLAN'][0];
    };
    await explained();
    const { Plan: plan, 'Execution Time': ms } = await explained();
    const nodes = nodesOf(plan);
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
    console.info(`${ms} ms, ${plan['Shared Hit Blocks'] + plan['Shared Read Blocks']} blocks`);
    // Only under the limit of what is counted, so it ends after that many rows.
    expect(whole.filter((name) => name !== 'webhook_new_events')).toEqual([]);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MAX_BLOCKS);
  });

  it('says what the bounds mean: as many or more', async () => {
    const [state] = await query<{ events: number; due: number }>(QUEUE_STATE.sql, [new Date()]);
    expect(state).toMatchObject({ events: 10_000, due: 10_000 });
  });
});
