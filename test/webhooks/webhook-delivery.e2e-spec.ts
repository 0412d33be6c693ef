import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { Cast, createBundle, createCast, createEndpoint } from '../support/factories';
import { Receiver, verified } from '../support/receiver';
import { deliveriesOf, deliveriesWhen, recordEvents, SENDING } from '../support/sending';

const LONG_MS = 10_000;

describe('A webhook event', () => {
  let test: TestApp;
  let cast: Cast;
  let receiver: Receiver;

  beforeAll(async () => {
    test = await createTestApp({ env: SENDING });
  });

  beforeEach(async () => {
    cast = await createCast(test);
    receiver = await Receiver.start();
  });

  afterEach(() => receiver.close());

  afterAll(() => test.close());

  const endpoint = (fields: object = {}, api = cast.owner) =>
    createEndpoint(api, { org_id: cast.orgId, target_url: `${receiver.url}/in`, ...fields });
  const arrived = (count: number) =>
    eventually(
      () => receiver.requests.length,
      (n) => n >= count,
      LONG_MS,
    );
  /** Records an event and waits for it: earlier events have then been delivered, if they ever will be. */
  async function marker(): Promise<void> {
    const outsider = await Receiver.start();
    const { id } = await createEndpoint(cast.outsider, { target_url: outsider.url, event_types: ['bundle.created'] });
    await createBundle(cast.outsider);
    await eventually(
      () => outsider.requests.length,
      (n) => n === 1,
      LONG_MS,
    );
    await cast.outsider.delete(`/v1/webhooks/${id}`);
    await outsider.close();
  }

  it('arrives signed, as its schema says, and its delivery is recorded', async () => {
    const { id, secret } = await endpoint();
    const bundle = await createBundle(cast.member, { org_id: cast.orgId, name: 'Données — 数据' });
    await arrived(1);
    const [webhook] = receiver.requests;
    if (!webhook) throw new Error('One arrived.');
    const { type, timestamp, data } = verified(webhook, secret);
    expect(type).toBe('bundle.created');
    expect(data).toMatchObject({ bundle_id: bundle.id, name: 'Données — 数据', org_id: cast.orgId });
    const [event] = await test.dataSource.query<{ id: string; created_at: Date }[]>(
      `SELECT id, created_at FROM events WHERE type = 'bundle.created' AND data->>'bundle_id' = $1`,
      [bundle.id],
    );
    expect(timestamp).toBe(event?.created_at.toISOString());
    expect(webhook.headers).toMatchObject({ 'webhook-id': event?.id, 'content-type': 'application/json' });
    const [delivery] = await deliveriesWhen(test.dataSource, id, ([first]) => first?.status === 'SUCCEEDED');
    expect(delivery).toMatchObject({
      event_id: event?.id,
      attempt_count: 1,
      response_status: 204,
      error: null,
      due_at: null,
    });
    const attempts = await test.dataSource.query<object[]>(
      `SELECT number, response_status, response_body, error, duration_ms < 1000 AS quick FROM webhook_attempts WHERE delivery_id = $1`,
      [delivery?.id],
    );
    expect(attempts).toEqual([{ number: 1, response_status: 204, response_body: '', error: null, quick: true }]);
  });

  it('goes only to its owner’s active endpoints that subscribe to it', async () => {
    const foreign = await createCast(test);
    const paths: [string, object, Cast['owner']][] = [
      ['/both', { event_types: ['bundle.deleted', 'bundle.created'] }, cast.owner],
      ['/one', {}, cast.admin],
      ['/other-type', { event_types: ['bundle.deleted'] }, cast.owner],
      ['/nothing', { event_types: [] }, cast.owner],
      ['/inactive', { is_active: false }, cast.owner],
      ['/personal', { org_id: null }, cast.owner],
      ['/foreign', { org_id: foreign.orgId }, foreign.owner],
    ];
    for (const [path, fields, api] of paths) await endpoint({ target_url: receiver.url + path, ...fields }, api);
    await createBundle(cast.owner, { org_id: cast.orgId });
    await arrived(2);
    await createBundle(cast.owner); // personal
    await arrived(3);
    await marker();
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/both', '/one', '/personal']);
  });

  it('does not go to an endpoint that was created or enabled later', async () => {
    const { id } = await endpoint();
    await cast.owner.patch(`/v1/webhooks/${id}`, { is_active: false });
    await createBundle(cast.owner, { org_id: cast.orgId });
    await cast.owner.patch(`/v1/webhooks/${id}`, { is_active: true });
    await endpoint();
    const second = await createBundle(cast.owner, { org_id: cast.orgId });
    await arrived(2);
    await marker();
    const bundles = receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { data: { bundle_id: string } }).data.bundle_id,
    );
    expect(bundles).toEqual([second.id, second.id]);
  });

  it('of a transaction that was rolled back is not sent', async () => {
    await endpoint();
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`INSERT INTO events (id, type, org_id, data) VALUES (uuid_v7(), 'bundle.created', $1, '{}')`, [
      cast.orgId,
    ]);
    await runner.rollbackTransaction();
    await runner.release();
    await marker();
    expect(receiver.requests).toEqual([]);
  });

  it('arrives once, even with thousands recorded at the same time', async () => {
    const { id } = await endpoint();
    const events = await recordEvents(test.dataSource, cast.orgId, 2_000);
    await deliveriesWhen(
      test.dataSource,
      id,
      (all) => all.length === 2_000 && all.every(({ status }) => status === 'SUCCEEDED'),
      25_000,
    );
    expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual(events.sort());
  });

  it('is sent with the endpoint’s headers, to its current target', async () => {
    const { id } = await endpoint({ headers: { Authorization: 'Bearer of-the-receiver' } });
    await cast.owner.patch(`/v1/webhooks/${id}`, { target_url: `${receiver.url}/moved` });
    await createBundle(cast.owner, { org_id: cast.orgId });
    await arrived(1);
    expect(receiver.requests).toMatchObject([{ path: '/moved', headers: { authorization: 'Bearer of-the-receiver' } }]);
  });

  it.each([
    ['a redirect', 302, 'redirect', 'PENDING'],
    ['a refusal', 400, 'http_status', 'PENDING'],
    ['an error', 500, 'http_status', 'PENDING'],
    ['any success', 299, null, 'SUCCEEDED'],
  ])('that is answered with %s is retried unless that is a success', async (_, status, error, becomes) => {
    receiver.handler = (_webhook, response) => response.writeHead(status, { Location: '/elsewhere' }).end('Well.');
    const { id } = await endpoint();
    await recordEvents(test.dataSource, cast.orgId);
    const [delivery] = await deliveriesWhen(test.dataSource, id, ([first]) => first?.attempt_count === 1);
    expect(delivery).toMatchObject({
      status: becomes,
      response_status: status,
      error,
      is_claimed: false,
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/in']);
    const [attempt] = await test.dataSource.query<object[]>(`SELECT * FROM webhook_attempts WHERE delivery_id = $1`, [
      delivery?.id,
    ]);
    expect(attempt).toMatchObject({ response_body: 'Well.', error });
  });

  it('is not sent if its target address is no longer allowed, and the delivery shows why', async () => {
    const { id } = await endpoint();
    // As if the operator had since closed the network.
    await test.dataSource.query(`UPDATE webhook_endpoints SET target_url = 'http://10.1.2.3/in' WHERE id = $1`, [id]);
    await recordEvents(test.dataSource, cast.orgId);
    const [delivery] = await deliveriesWhen(test.dataSource, id, ([first]) => first?.attempt_count === 1);
    expect(delivery).toMatchObject({ status: 'PENDING', response_status: null, error: 'address_refused', step: 1 });
  });

  it('waits if its secret cannot be decrypted, without counting against the endpoint', async () => {
    const { id } = await endpoint();
    await test.dataSource.query(`UPDATE webhook_endpoints SET encrypted_secret = 'garbage' WHERE id = $1`, [id]);
    await recordEvents(test.dataSource, cast.orgId);
    const [delivery] = await deliveriesWhen(test.dataSource, id, ([first]) => first?.attempt_count === 1);
    expect(delivery).toMatchObject({ status: 'PENDING', error: 'interrupted' });
    const [lane] = await test.dataSource.query<object[]>(
      `SELECT failing_since FROM webhook_lanes WHERE endpoint_id = $1`,
      [id],
    );
    expect(lane).toEqual({ failing_since: null });
    expect(receiver.requests).toEqual([]);
  });
});

describe('A webhook endpoint that is disabled or deleted', () => {
  let test: TestApp;
  let cast: Cast;
  let receiver: Receiver;

  beforeAll(async () => {
    test = await createTestApp({ env: SENDING });
    cast = await createCast(test);
  });

  beforeEach(async () => {
    receiver = await Receiver.start((_, response) => void response.writeHead(500).end());
  });

  afterEach(() => receiver.close());

  afterAll(() => test.close());

  /** An endpoint with that many deliveries, all or some of which wait for their second attempt. */
  async function waiting(count: number, tried = count): Promise<string> {
    const { id } = await createEndpoint(cast.owner, { org_id: cast.orgId, target_url: receiver.url });
    await recordEvents(test.dataSource, cast.orgId, count);
    await eventually(
      () =>
        test.dataSource.query<{ made: number; tried: number }[]>(
          `SELECT count(*)::int AS made, count(*) FILTER (WHERE attempt_count > 0)::int AS tried
           FROM webhook_deliveries WHERE endpoint_id = $1`,
          [id],
        ),
      ([row]) => row?.made === count && row.tried >= tried,
      25_000,
    );
    return id;
  }

  it('gets nothing more: its queue is cancelled, and events recorded meanwhile are never sent', async () => {
    const id = await waiting(5);
    await cast.owner.patch(`/v1/webhooks/${id}`, { is_active: false });
    const sent = receiver.requests.length;
    const cancelled = await deliveriesOf(test.dataSource, id);
    expect(cancelled.map(({ status, due_at }) => [status, due_at])).toEqual(Array(5).fill(['CANCELLED', null]));
    await cast.owner.patch(`/v1/webhooks/${id}`, { is_active: true });
    receiver.handler = (_, response) => void response.writeHead(204).end();
    await recordEvents(test.dataSource, cast.orgId, 1);
    await eventually(
      () => receiver.requests.length,
      (count) => count > sent,
      LONG_MS,
    );
    expect(receiver.requests).toHaveLength(sent + 1);
    expect((await deliveriesOf(test.dataSource, id)).map(({ status }) => status).slice(0, 5)).toEqual(
      Array(5).fill('CANCELLED'),
    );
    await cast.owner.delete(`/v1/webhooks/${id}`);
  });

  it('has even a long queue cancelled soon', async () => {
    const { id } = await createEndpoint(cast.owner, { org_id: cast.orgId, target_url: receiver.url });
    await recordEvents(test.dataSource, cast.orgId, 4_000);
    await deliveriesWhen(test.dataSource, id, (all) => all.length === 4_000, 25_000);
    await cast.owner.patch(`/v1/webhooks/${id}`, { is_active: false });
    const all = await deliveriesWhen(
      test.dataSource,
      id,
      (rows) => rows.every(({ status }) => status !== 'PENDING'),
      25_000,
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
    expect(all.every(({ due_at }) => due_at === null)).toBe(true);
    const [lane] = await eventually(
      () =>
        test.dataSource.query<{ is_draining: boolean }[]>(
          `SELECT is_draining FROM webhook_lanes WHERE endpoint_id = $1`,
          [id],
        ),
      ([row]) => row?.is_draining === false,
      LONG_MS,
    );
    expect(lane).toEqual({ is_draining: false });
    await cast.owner.delete(`/v1/webhooks/${id}`);
  });

  it('lets its attempt in progress finish', async () => {
    const gate: { answer?: () => void } = {};
    receiver.handler = (_, response) => (gate.answer = () => response.writeHead(500).end());
    const { id } = await createEndpoint(cast.owner, { org_id: cast.orgId, target_url: receiver.url });
    await recordEvents(test.dataSource, cast.orgId, 1);
    await eventually(() => gate.answer, Boolean, LONG_MS);
    await cast.owner.patch(`/v1/webhooks/${id}`, { is_active: false });
    expect(await deliveriesOf(test.dataSource, id)).toMatchObject([{ status: 'PENDING', is_claimed: true }]);
    gate.answer?.();
    const [delivery] = await deliveriesWhen(test.dataSource, id, ([first]) => first?.status !== 'PENDING');
    expect(delivery).toMatchObject({ status: 'CANCELLED', attempt_count: 1, response_status: 500, due_at: null });
    await cast.owner.delete(`/v1/webhooks/${id}`);
  });

  it('leaves nothing behind when deleted, however many deliveries it had', async () => {
    const id = await waiting(1_500, 300);
    await cast.owner.delete(`/v1/webhooks/${id}`);
    const count = (table: string, condition: string) =>
      test.dataSource
        .query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`, [id])
        .then(([row]) => row?.count);
    await eventually(
      () => count('webhook_deliveries', 'endpoint_id = $1'),
      (left) => left === 0,
      LONG_MS,
    );
    expect(await count('webhook_queue', 'endpoint_id = $1')).toBe(0);
    expect(await count('webhook_lanes', 'endpoint_id = $1')).toBe(0);
    expect(
      await count(
        'webhook_attempts',
        'delivery_id NOT IN (SELECT id FROM webhook_deliveries) AND $1::uuid IS NOT NULL',
      ),
    ).toBe(0);
    // The rest is removed when nothing can be in progress any more.
    expect(await count('webhook_removed_endpoints', 'endpoint_id = $1')).toBe(1);
    await test.dataSource.query(`UPDATE webhook_removed_endpoints SET removed_at = now() - interval '3 minutes'`);
    await eventually(
      () => count('webhook_removed_endpoints', 'endpoint_id = $1'),
      (left) => left === 0,
      LONG_MS,
    );
    expect(await count('webhook_hours', 'endpoint_id = $1')).toBe(0);
  });
});
