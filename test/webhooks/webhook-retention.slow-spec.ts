import { Retention } from '../../src/webhooks/engine/retention';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createEndpoint } from '../support/factories';

const DAY_MS = 24 * 3_600_000;
const DAYS = 7;

describe('The retention of webhook events', () => {
  const clock = new FakeClock(new Date());
  let test: TestApp;
  let orgId: string;
  let endpointId: string;

  beforeAll(async () => {
    test = await createTestApp({ clock, env: { RUN: 'api', WEBHOOKS_RETENTION_DAYS: String(DAYS) } });
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: 'Keeping' })).body);
    endpointId = (await createEndpoint(owner, { org_id: orgId })).id;
  });

  afterAll(async () => {
    await test.dataSource.query(`TRUNCATE events`);
    await test.close();
  });

  beforeEach(() =>
    test.dataSource.query(
      `TRUNCATE events, webhook_new_events, webhook_deliveries, webhook_queue, webhook_attempts, webhook_hours`,
    ),
  );

  /** Events from that many days ago, each with a delivery and two attempts. */
  async function past(days: number, count: number, status = 'SUCCEEDED'): Promise<string[]> {
    const rows = await test.dataSource.query<{ id: string }[]>(
      `WITH event AS (
         INSERT INTO events (id, type, org_id, data, created_at)
         SELECT overlay(uuid_v7()::text PLACING
                  substring(lpad(to_hex(floor(extract(epoch FROM $1::timestamptz) * 1000)::bigint), 12, '0') FROM 1 FOR 8)
                    || '-' || substring(lpad(to_hex(floor(extract(epoch FROM $1::timestamptz) * 1000)::bigint), 12, '0') FROM 9)
                  FROM 1 FOR 13)::uuid, 'bundle.created', $2, '{}', $1
         FROM generate_series(1, $3::int) RETURNING id
       ),
       delivery AS (
         INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type, status, attempt_count)
         SELECT $4, uuid_v7(), id, 'bundle.created', $5, 2 FROM event RETURNING id, event_id
       ),
       attempts AS (
         INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
         SELECT id, number, $1, 1 FROM delivery CROSS JOIN generate_series(1, 2) AS number
       ),
       queued AS (
         INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
         SELECT id, $4, event_id, 1, $1 FROM delivery WHERE $5 = 'PENDING'
       )
       SELECT id FROM event`,
      [new Date(clock.now().getTime() - days * DAY_MS), orgId, count, endpointId, status],
    );
    await test.dataSource.query(`DELETE FROM webhook_new_events`);
    return rows.map(({ id }) => id);
  }

  async function left() {
    const [row] = await test.dataSource.query<object[]>(
      `SELECT (SELECT count(*)::int FROM events) AS events, (SELECT count(*)::int FROM webhook_deliveries) AS deliveries,
              (SELECT count(*)::int FROM webhook_attempts) AS attempts, (SELECT count(*)::int FROM webhook_hours) AS hours`,
    );
    return row;
  }

  const round = async () => {
    let steps = 1;
    while (await test.app.get(Retention).removeOld()) steps += 1;
    return steps;
  };

  it('removes old events with their deliveries and attempts, in batches, and nothing else', async () => {
    await past(DAYS + 0.01, 1_200);
    await past(400, 1);
    const young = await past(DAYS - 0.01, 300);
    for (const days of [DAYS + 1, DAYS - 1]) {
      await test.dataSource.query(`INSERT INTO webhook_hours VALUES ($1, $2, 1, 0, '{1}')`, [
        endpointId,
        new Date(clock.now().getTime() - days * DAY_MS),
      ]);
    }
    expect(await round()).toBe(3);
    expect(await left()).toEqual({ events: 300, deliveries: 300, attempts: 600, hours: 1 });
    const rows = await test.dataSource.query<{ id: string }[]>(`SELECT id FROM events`);
    expect(rows.map(({ id }) => id).sort()).toEqual(young.sort());
    expect(await round()).toBe(1);
  });

  it('keeps pending events, however old, without blocking the removal of later ones', async () => {
    await past(DAYS + 2, 700, 'PENDING');
    await past(DAYS + 1, 600, 'FAILED');
    expect(await round()).toBe(3);
    expect(await left()).toMatchObject({ events: 700, deliveries: 700, attempts: 1_400 });
    await test.dataSource.query(`UPDATE webhook_deliveries SET status = 'FAILED'`);
    await test.dataSource.query(`DELETE FROM webhook_queue`);
    await round();
    expect(await left()).toMatchObject({ events: 0, deliveries: 0, attempts: 0 });
  });

  it('keeps an event whose deliveries were not created yet', async () => {
    const [id] = await past(DAYS + 1, 1);
    await test.dataSource.query(`DELETE FROM webhook_deliveries`);
    await test.dataSource.query(`INSERT INTO webhook_new_events (event_id, tenant_id) VALUES ($1, uuid_v7())`, [id]);
    await round();
    expect(await left()).toMatchObject({ events: 1 });
  });

  it('removes events without subscribers too', async () => {
    await past(DAYS + 1, 10);
    await test.dataSource.query(`TRUNCATE webhook_deliveries, webhook_attempts`);
    await round();
    expect(await left()).toMatchObject({ events: 0 });
  });

  it('finds its rows by an index', async () => {
    await past(DAYS - 1, 5_000);
    await test.dataSource.query(`ANALYZE events, webhook_deliveries, webhook_attempts`);
    for (const [sql, index] of [
      [`SELECT id FROM events WHERE id < uuid_v7() ORDER BY id LIMIT 500`, 'events_pkey'],
      [
        `DELETE FROM webhook_deliveries WHERE event_id = ANY (ARRAY(SELECT id FROM events LIMIT 10)) AND status <> 'PENDING'`,
        'webhook_deliveries_event_key',
      ],
      [
        `DELETE FROM webhook_attempts WHERE delivery_id = ANY (ARRAY(SELECT id FROM webhook_deliveries LIMIT 10))`,
        'webhook_attempts_pkey',
      ],
    ]) {
      const plan = await test.dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`);
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(index);
    }
  });
});
