import { newId } from '../../src/database/id';
import { DELIVERY_STATUSES } from '../../src/webhooks/deliveries/delivery-status';
import type { Api } from '../support/api';
import type { WebhookDelivery } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { createDelivery, createEvent, queueDelivery, queueOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { Cast, createCast, createEndpoint } from '../support/factories';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  // Without a worker, which would send what is queued.
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const pathOf = (endpointId: string) => `/v1/webhooks/${endpointId}/deliveries` as const;
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function newEndpoint(fields: object = {}): Promise<string> {
  return (await createEndpoint(cast.owner, { org_id: cast.orgId, ...fields })).id;
}

async function list(api: Api, endpointId: string): Promise<WebhookDelivery[]> {
  return (await api.get(pathOf(endpointId))).body;
}

describe('A webhook delivery', () => {
  interface Attempt {
    number: number;
    status: string;
    response_body: string | null;
    error: string | null;
  }
  interface Detail extends WebhookDelivery {
    payload: { type: string; timestamp: string; data: object } | null;
    attempts: Attempt[];
  }

  const attempt = (
    deliveryId: string,
    number: number,
    fields: { error?: string; status?: number; body?: string } = {},
  ) =>
    test.dataSource.query(
      `INSERT INTO webhook_attempts
         (delivery_id, number, started_at, duration_ms, response_status, response_body, error, error_message)
       VALUES ($1, $2, $3, 123, $4, $5, $6, $7)`,
      [
        deliveryId,
        number,
        new Date(Date.parse('2026-11-20T08:30:00.000Z') + number),
        fields.status ?? null,
        fields.body ?? null,
        fields.error ?? null,
        fields.error ? 'Told to a person.' : null,
      ],
    );

  async function read(endpointId: string, id: string): Promise<Detail> {
    return (await cast.admin.get(`${pathOf(endpointId)}/${id}`)).body;
  }

  it('shows the body that was sent, and every attempt in order', async () => {
    const endpointId = await newEndpoint();
    const createdAt = new Date('2026-11-20T08:29:59.999Z');
    const eventId = await createEvent(test.dataSource, { orgId: cast.orgId }, { createdAt });
    const [event] = await test.dataSource.query<{ data: object }[]>(`SELECT data FROM events WHERE id = $1`, [eventId]);
    const delivery = await createDelivery(test.dataSource, endpointId, {
      eventId,
      attemptCount: 3,
      responseStatus: 200,
      lastAttemptAt: new Date('2026-11-20T08:30:00.003Z'),
    });
    await attempt(delivery.id, 3, { status: 200, body: 'ok' });
    await attempt(delivery.id, 1, { status: 503, body: '', error: 'http_status' });
    const detail = await read(endpointId, delivery.id);
    const { payload, attempts, ...rest } = detail;
    expect([rest]).toEqual(await list(cast.admin, endpointId));
    expect(payload).toEqual({ type: 'bundle.created', timestamp: createdAt.toISOString(), data: event?.data });
    expect(attempts).toEqual([
      {
        number: 1,
        started_at: '2026-11-20T08:30:00.001Z',
        duration_ms: 123,
        status: 'FAILED',
        response_status: 503,
        response_body: '',
        error: 'http_status',
        error_message: 'Told to a person.',
      },
      {
        number: 3,
        started_at: '2026-11-20T08:30:00.003Z',
        duration_ms: 123,
        status: 'SUCCEEDED',
        response_status: 200,
        response_body: 'ok',
        error: null,
        error_message: null,
      },
    ]);
  });

  it('shows only the latest hundred attempts', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId);
    for (let number = 1; number <= 103; number++) await attempt(id, number, { error: 'timeout' });
    const { attempts } = await read(endpointId, id);
    expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, n) => n + 4));
  });

  it('can still be read after its event was removed', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId);
    expect(await read(endpointId, id)).toMatchObject({ id, payload: null, attempts: [] });
  });

  it('is not found under another endpoint, nor with an unknown id', async () => {
    const [endpointId, other] = [await newEndpoint(), await newEndpoint()];
    const { id } = await createDelivery(test.dataSource, endpointId);
    for (const path of [`${pathOf(other)}/${id}`, `${pathOf(endpointId)}/${newId()}`]) {
      expect((await cast.admin.get(path, 404)).body).toMatchObject({ code: 'webhook_delivery_not_found' });
      expect((await cast.admin.post(`${path}/redeliver`, undefined, 404)).body).toMatchObject({
        code: 'webhook_delivery_not_found',
      });
    }
    expect(await queueOf(test.dataSource, other)).toEqual([]);
    expect((await cast.admin.get(`${pathOf(newId())}/${id}`, 404)).body).toMatchObject({
      code: 'webhook_endpoint_not_found',
    });
    await cast.admin.get(`${pathOf(endpointId)}/latest`, 422);
  });

  it('is visible only to its organisation or person', async () => {
    const stranger = await createCast(test);
    const person = await test.as('a-person');
    const [personal, organisations] = [(await createEndpoint(person)).id, await newEndpoint()];
    for (const [endpointId, owner] of [
      [organisations, cast.owner],
      [personal, person],
    ] as const) {
      const { id } = await createDelivery(test.dataSource, endpointId);
      expect(ids(await list(owner, endpointId))).toEqual([id]);
      for (const neighbour of [stranger.owner, stranger.admin, cast.outsider]) {
        await neighbour.get(pathOf(endpointId), 404);
        await neighbour.get(`${pathOf(endpointId)}/${id}`, 404);
        await neighbour.post(`${pathOf(endpointId)}/${id}/redeliver`, undefined, 404);
      }
    }
    await cast.owner.get(pathOf(personal), 404);
    const { id } = await createDelivery(test.dataSource, organisations, { status: 'FAILED' });
    await cast.member.get(pathOf(organisations), 403);
    await cast.member.get(`${pathOf(organisations)}/${id}`, 403);
    await cast.member.post(`${pathOf(organisations)}/${id}/redeliver`, undefined, 403);
  });
});

describe('Redelivering a webhook', () => {
  const redeliver = async <S extends number = 200>(endpointId: string, id: string, status = 200 as S) =>
    (await cast.admin.call('post', `${pathOf(endpointId)}/${id}/redeliver`, status)).body;

  it.each(DELIVERY_STATUSES)('queues a delivery that is %s again, from the start of the schedule', async (status) => {
    const endpointId = await newEndpoint();
    const delivery = await createDelivery(test.dataSource, endpointId, {
      status,
      attemptCount: 4,
      responseStatus: 500,
      error: status === 'SUCCEEDED' ? null : 'http_status',
    });
    if (status === 'PENDING') {
      const dueAt = new Date(Date.now() + 3_600_000);
      await queueDelivery(test.dataSource, endpointId, delivery, { dueAt, step: 4, attempt: 4 });
    }
    const before = Date.now();
    const row = await redeliver(endpointId, delivery.id);
    expect(row).toMatchObject({ id: delivery.id, event_id: delivery.eventId, status: 'PENDING', attempt_count: 4 });
    expect([row]).toEqual(await list(cast.admin, endpointId));
    const queued = await queueOf(test.dataSource, endpointId);
    expect(queued).toHaveLength(1);
    expect(queued[0]).toMatchObject({ delivery_id: delivery.id, event_id: delivery.eventId, step: 0, attempt: 4 });
    const dueAt = queued[0]?.due_at ?? new Date(0);
    expect(row.next_attempt_at).toBe(dueAt.toISOString());
    expect(dueAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    const [lane] = await test.dataSource.query<{ wake_at: Date }[]>(
      `SELECT wake_at FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    expect(lane?.wake_at.getTime()).toBeLessThanOrEqual(dueAt.getTime());
  });

  it('records no event, and can be repeated', async () => {
    const endpointId = await newEndpoint({ event_types: ['webhook.endpoint_disabled'] });
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    const count = async () =>
      (await test.dataSource.query<object[]>(`SELECT FROM events WHERE org_id = $1`, [cast.orgId])).length;
    const before = await count();
    await redeliver(endpointId, id);
    await redeliver(endpointId, id);
    expect(await count()).toBe(before);
    expect(await queueOf(test.dataSource, endpointId)).toHaveLength(1);
  });

  it('is refused while the endpoint is disabled, and changes nothing', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    await cast.admin.patch(`/v1/webhooks/${endpointId}`, { is_active: false });
    expect(await redeliver(endpointId, id, 409)).toMatchObject({ code: 'webhook_endpoint_conflict' });
    expect(await list(cast.admin, endpointId)).toMatchObject([{ id, status: 'FAILED' }]);
    expect(await queueOf(test.dataSource, endpointId)).toEqual([]);
    await cast.admin.post(`${pathOf(endpointId)}/${newId()}/redeliver`, undefined, 404);
    await cast.admin.patch(`/v1/webhooks/${endpointId}`, { is_active: true });
    await redeliver(endpointId, id);
    const [lane] = await test.dataSource.query<{ generation: number }[]>(
      `SELECT generation FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    expect(await queueOf(test.dataSource, endpointId)).toMatchObject([{ delivery_id: id, ...lane }]);
  });

  it('waits for a concurrent disabling of the endpoint, and is then refused', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    const holder = test.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`UPDATE webhook_endpoints SET is_active = false WHERE id = $1`, [endpointId]);
    const answer = redeliver(endpointId, id, 409);
    const waiting = `
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE OF endpoints%'`;
    await eventually(
      () => test.dataSource.query<object[]>(waiting),
      (rows) => rows.length === 1,
      10_000,
    );
    await holder.commitTransaction();
    await holder.release();
    expect(await answer).toMatchObject({ code: 'webhook_endpoint_conflict' });
    expect(await queueOf(test.dataSource, endpointId)).toEqual([]);
  });

  it('queues it once for concurrent requests', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    await Promise.all(Array.from({ length: 12 }, () => redeliver(endpointId, id)));
    expect(await queueOf(test.dataSource, endpointId)).toHaveLength(1);
  });

  it('is only for the owner of a personal endpoint', async () => {
    const person = await test.as('redelivering-person');
    const endpointId = (await createEndpoint(person)).id;
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'CANCELLED' });
    await person.post(`${pathOf(endpointId)}/${id}/redeliver`, undefined, 200);
    expect(await queueOf(test.dataSource, endpointId)).toMatchObject([{ delivery_id: id }]);
  });
});
