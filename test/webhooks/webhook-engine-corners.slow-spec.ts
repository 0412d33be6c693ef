import { newId } from '../../src/database/id';
import { inTransaction } from '../../src/database/transaction';
import type { AttemptResult } from '../../src/webhooks/engine/attempt-result';
import { Claims, type ClaimedDelivery } from '../../src/webhooks/engine/claims';
import { DeliveryQueue } from '../../src/webhooks/queue/delivery-queue';
import { EndpointDisabling } from '../../src/webhooks/engine/endpoint-disabling';
import { FanOut } from '../../src/webhooks/engine/fan-out';
import { Results } from '../../src/webhooks/engine/results';
import { Slots } from '../../src/webhooks/sending/slots';
import { exampleOf } from '../support/deliveries';
import { createTestApp, TestApp } from '../support/app';
import { createEndpoint, idOf } from '../support/factories';
import { deliveriesOf, recordEvents } from '../support/sending';

/** Edge cases that a first reader of the engine asked about. Nothing runs unless it is called here. */
describe('The webhook engine', () => {
  let test: TestApp;
  let orgId: string;
  let id: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: 'Corner' })).body);
    ({ id } = await createEndpoint(owner, { org_id: orgId }));
  });

  afterEach(async () => {
    await test.dataSource.query(`TRUNCATE webhook_new_events, webhook_queue`);
    await test.dataSource.query(`DELETE FROM organisations`);
  });

  const query = <T extends object>(sql: string, parameters: unknown[] = []) =>
    test.dataSource.query<T[]>(sql, parameters);

  async function claimed(): Promise<{ claimId: string; delivery: ClaimedDelivery }> {
    const claim = await test.app.get(Claims).take(new Slots(64));
    const [delivery] = claim.deliveries;
    if (!delivery) throw new Error('Something is due.');
    return { claimId: claim.id, delivery };
  }

  /** One delivery that was just claimed. */
  async function underWay() {
    await recordEvents(test.dataSource, orgId);
    await test.app.get(FanOut).step();
    return claimed();
  }

  function result(
    { claimId, delivery }: Awaited<ReturnType<typeof claimed>>,
    fields: Partial<AttemptResult> = {},
  ): AttemptResult {
    return {
      endpoint_id: delivery.endpoint_id,
      delivery_id: delivery.delivery_id,
      claim_id: claimId,
      number: delivery.attempt,
      event_type: delivery.type,
      target_url: delivery.target_url,
      encrypted_query: delivery.encrypted_query?.toString('hex') ?? null,
      generation: delivery.generation,
      started_at: new Date().toISOString(),
      duration_ms: 1,
      response_status: 204,
      response_body: '',
      error: null,
      error_message: null,
      next_at: null,
      ...fields,
    };
  }

  const write = (one: AttemptResult) => test.app.get(Results).record([one]);
  const again = (deliveryId: string) =>
    inTransaction(test.dataSource, (manager) => test.app.get(DeliveryQueue).again(manager, id, [deliveryId]));
  const lapse = () =>
    query(
      `WITH queue AS (UPDATE webhook_queue SET due_at = now() - interval '1 second')
       UPDATE webhook_lanes SET wake_at = now() - interval '1 second'`,
    );

  it('creates deliveries in small batches and for all owners in turn, however many endpoints subscribe', async () => {
    const owner = await test.as('owner');
    const ownerId = await idOf(owner);
    await query(
      `INSERT INTO webhook_endpoints (id, org_id, owner_id, target_url, event_types, encrypted_secret)
       SELECT uuid_v7(), $1, $2, 'https://hooks.example.com', '{bundle.created}', '' FROM generate_series(1, 899)`,
      [orgId, ownerId],
    );
    await recordEvents(test.dataSource, orgId, 5);
    const queuedCount = async () =>
      (await query<{ count: number }>(`SELECT count(*)::int AS count FROM webhook_queue`))[0]?.count;
    expect(await test.app.get(FanOut).step()).toBe(true);
    expect(await queuedCount()).toBe(100);
    // An event of another owner, recorded later, is not behind the others.
    const { id: other } = (await owner.post('/v1/organisations', { name: 'Small' })).body;
    const { id: late } = await createEndpoint(owner, { org_id: other });
    await recordEvents(test.dataSource, other);
    expect(await test.app.get(FanOut).step()).toBe(true);
    expect(await deliveriesOf(test.dataSource, late)).toHaveLength(1);
    expect(await queuedCount()).toBe(201);
    while (await test.app.get(FanOut).step());
    expect(await queuedCount()).toBe(4_501);
    expect(await query(`SELECT FROM webhook_new_events`)).toEqual([]);
  });

  it('creates deliveries for more tenants than fit in one batch', async () => {
    const people = Array.from({ length: 45 }, () => newId());
    await query(`INSERT INTO users (id) SELECT unnest($1::uuid[])`, [people]);
    await query(
      `INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret)
       SELECT uuid_v7(), person, 'https://hooks.example.com', '{bundle.created}', '' FROM unnest($1::uuid[]) AS person`,
      [people],
    );
    await query(
      `INSERT INTO events (id, type, owner_id, data)
       SELECT uuid_v7(), 'bundle.created', person, $2 FROM unnest($1::uuid[]) AS person CROSS JOIN generate_series(1, 3)`,
      [people, JSON.stringify(exampleOf('bundle.created'))],
    );
    for (let steps = 0; await test.app.get(FanOut).step(); steps++) expect(steps).toBeLessThan(10);
    const [row] = await query<{ count: number; endpoints: number }>(
      `SELECT count(*)::int AS count, count(DISTINCT endpoint_id)::int AS endpoints FROM webhook_queue`,
    );
    expect(row).toEqual({ count: 135, endpoints: 45 });
  });

  it('delivers an event whose transaction began before the endpoint was created', async () => {
    await query(`DELETE FROM webhook_endpoints`);
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`SELECT now()`);
    ({ id } = await createEndpoint(await test.as('owner'), { org_id: orgId }));
    await recordEvents(runner.manager, orgId);
    await runner.commitTransaction();
    await runner.release();
    await test.app.get(FanOut).step();
    expect(await deliveriesOf(test.dataSource, id)).toHaveLength(1);
  });

  it('notices an endpoint that was disabled in SQL, as the previous release does', async () => {
    await recordEvents(test.dataSource, orgId);
    await test.app.get(FanOut).step();
    await query(`UPDATE webhook_endpoints SET is_active = false WHERE id = $1`, [id]);
    expect((await test.app.get(Claims).take(new Slots(64))).deliveries).toEqual([]);
    expect(await query(`SELECT is_draining, generation FROM webhook_lanes WHERE endpoint_id = $1`, [id])).toEqual([
      { is_draining: true, generation: 2 },
    ]);
  });

  it('does not advance the retry schedule for a failure inside the service', async () => {
    let one = await underWay();
    for (let attempt = 1; attempt <= 12; attempt++) {
      await write(result(one, { error: 'interrupted', response_status: null, next_at: new Date().toISOString() }));
      expect(await deliveriesOf(test.dataSource, id)).toMatchObject([
        { status: 'PENDING', step: 0, attempt_count: attempt },
      ]);
      await lapse();
      one = await claimed();
    }
  });

  it('does not disable an endpoint for a 410 from its previous target', async () => {
    const gone = result(await underWay(), { response_status: 410, error: 'http_status' });
    const owner = await test.as('owner');
    await owner.patch(`/v1/webhooks/${id}`, { target_url: 'https://new.example.com' });
    await test.app.get(EndpointDisabling).disable('gone', gone);
    expect((await owner.get(`/v1/webhooks/${id}`)).body).toMatchObject({ is_active: true });
  });

  it('does not disable an endpoint for a 410 from before it was enabled again', async () => {
    const gone = result(await underWay(), { response_status: 410, error: 'http_status' });
    await test.app.get(EndpointDisabling).disable('gone', gone);
    const owner = await test.as('owner');
    expect((await owner.get(`/v1/webhooks/${id}`)).body).toMatchObject({ is_active: false, disabled_reason: 'gone' });
    await owner.patch(`/v1/webhooks/${id}`, { is_active: true });
    await test.app.get(EndpointDisabling).disable('gone', gone);
    expect((await owner.get(`/v1/webhooks/${id}`)).body).toMatchObject({ is_active: true });
  });

  it('sends again if redelivery was requested during an attempt that succeeds', async () => {
    const one = await underWay();
    await again(one.delivery.delivery_id);
    await write(result(one));
    expect(await deliveriesOf(test.dataSource, id)).toMatchObject([{ status: 'PENDING', attempt_count: 1 }]);
    await write(result(await claimed()));
    expect(await deliveriesOf(test.dataSource, id)).toMatchObject([
      { status: 'SUCCEEDED', attempt_count: 2, due_at: null },
    ]);
  });

  it('shows the success, not the late result of an earlier attempt', async () => {
    const first = await underWay();
    await lapse();
    await write(result(await claimed()));
    await write(result(first, { error: 'timeout', response_status: null, next_at: new Date().toISOString() }));
    expect(await deliveriesOf(test.dataSource, id)).toMatchObject([
      { status: 'SUCCEEDED', response_status: 204, error: null, attempt_count: 2, due_at: null },
    ]);
    const attempts = await query(`SELECT number, error FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number`, [
      first.delivery.delivery_id,
    ]);
    expect(attempts).toEqual([
      { number: 1, error: 'timeout' },
      { number: 2, error: null },
    ]);
  });

  it('ends a delivery whose first attempt succeeds late while a retry is pending', async () => {
    const first = await underWay();
    await lapse();
    const second = await claimed();
    await write(result(second, { error: 'http_status', response_status: 500, next_at: new Date().toISOString() }));
    await write(result(first));
    expect(await deliveriesOf(test.dataSource, id)).toMatchObject([{ status: 'SUCCEEDED', due_at: null }]);
  });

  it('does not poll for failing endpoints while there is no slot for them', async () => {
    await recordEvents(test.dataSource, orgId);
    await test.app.get(FanOut).step();
    await query(`UPDATE webhook_lanes SET failing_since = now()`);
    const slots = new Slots(64);
    for (let n = 0; n < 32; n++) slots.take(newId(), true);
    expect(await test.app.get(Claims).take(slots)).toMatchObject({ deliveries: [], rest: Infinity });
  });
});
