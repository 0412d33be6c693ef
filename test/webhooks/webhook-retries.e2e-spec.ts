import type { ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RETRY_DELAYS_MS } from '../../src/webhooks/engine/retry-schedule';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createEndpoint } from '../support/factories';
import { Receiver, verified } from '../support/receiver';
import { DeliveryState, deliveriesWhen, nudge, recordEvents, SENDING } from '../support/sending';

const LONG_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** Answers with a status. */
const answers =
  (status: number, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, headers).end();

describe('Webhook retries, with a fake clock', () => {
  const clock = new FakeClock(new Date());
  let database: TestDatabase;
  let dataDir: string;
  let test: TestApp;
  let receiver: Receiver;
  let orgId: string;
  let id: string;

  const start = () => createTestApp({ env: SENDING, clock, database, dataDir });

  beforeAll(async () => {
    database = await createDatabase();
    dataDir = mkdtempSync(join(tmpdir(), 'toolyard-retries-'));
    test = await start();
  });

  afterAll(async () => {
    await test.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    clock.time = new Date();
    receiver = await Receiver.start(answers(500));
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: 'Retrying' })).body);
    ({ id } = await createEndpoint(owner, { org_id: orgId, target_url: receiver.url }));
  });

  afterEach(async () => {
    await test.dataSource.query(`DELETE FROM organisations`);
    await receiver.close();
  });

  /** The delivery, once that many attempts of it are recorded. */
  async function after(attempts: number): Promise<DeliveryState> {
    const [delivery] = await deliveriesWhen(test.dataSource, id, ([one]) => one?.attempt_count === attempts, LONG_MS);
    if (!delivery) throw new Error('There is one.');
    return delivery;
  }

  const endOfAttempt = async (number: number): Promise<number> => {
    const [row] = await test.dataSource.query<{ ended: Date }[]>(
      `SELECT started_at + duration_ms * interval '1 millisecond' AS ended FROM webhook_attempts
       WHERE number = $1 AND delivery_id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = $2)`,
      [number, id],
    );
    return Number(row?.ended.getTime());
  };

  /** Moves the clock to a time at which something may be due, and lets every worker see it. */
  async function moveTo(time: Date | number): Promise<void> {
    clock.time = new Date(time);
    await nudge(test.dataSource);
  }

  /** Waits until the workers have looked at what is due: a delivery recorded for another endpoint has arrived. */
  async function looked(): Promise<void> {
    const other = await Receiver.start();
    const owner = await test.as('somebody-else');
    clock.time = new Date(clock.time);
    const { id: otherId } = (await owner.post('/v1/organisations', { name: 'Other' })).body;
    await createEndpoint(owner, { org_id: otherId, target_url: other.url });
    await recordEvents(test.dataSource, otherId);
    await eventually(
      () => other.requests.length,
      (count) => count === 1,
      LONG_MS,
    );
    await other.close();
  }

  const restart = async () => {
    await test.close();
    test = await start();
  };

  it('follow the schedule to its end, across a restart, and then stop', async () => {
    await recordEvents(test.dataSource, orgId);
    for (let attempt = 1; attempt <= 9; attempt++) {
      const delivery = await after(attempt);
      expect(delivery).toMatchObject({ status: 'PENDING', response_status: 500, error: 'http_status', step: attempt });
      const wait = Number(delivery.due_at?.getTime()) - (await endOfAttempt(attempt));
      const delay = Number(RETRY_DELAYS_MS[attempt]);
      expect(wait).toBeGreaterThanOrEqual(delay * 0.8 - 1);
      expect(wait).toBeLessThanOrEqual(delay * 1.2 + 1);
      if (attempt === 1) {
        // Not a moment too early.
        await moveTo(Number(delivery.due_at?.getTime()) - 1);
        await looked();
        expect(receiver.requests).toHaveLength(1);
      }
      if (attempt === 3 || attempt === 7) await restart();
      await moveTo(Number(delivery.due_at?.getTime()));
    }
    expect(await after(10)).toMatchObject({ status: 'FAILED', response_status: 500, due_at: null });
    expect(receiver.requests).toHaveLength(10);
    const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    // Each attempt is signed separately, with its own time.
    const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(10);
  });

  it.each([
    ['seconds', () => '600', 600_000],
    ['a date', () => new Date(clock.now().getTime() + 600_000).toUTCString(), 600_000],
    ['less than the schedule', () => '1', 5_000],
    ['more than the longest wait', () => '999999', DAY_MS],
  ])('respect a Retry-After of %s', async (_, header, expected) => {
    receiver.handler = (webhook, response) => answers(503, { 'Retry-After': header() })(webhook, response);
    await recordEvents(test.dataSource, orgId);
    const delivery = await after(1);
    const wait = Number(delivery.due_at?.getTime()) - (await endOfAttempt(1));
    expect(wait).toBeGreaterThanOrEqual(expected * (expected === 5_000 ? 0.8 : 1) - 1_100); // dates have whole seconds
    expect(wait).toBeLessThanOrEqual(expected * (expected === 5_000 ? 1.2 : 1) + 1);
  });

  it('end with the first success', async () => {
    await recordEvents(test.dataSource, orgId);
    const failed = await after(1);
    receiver.handler = answers(200);
    await moveTo(Number(failed.due_at?.getTime()));
    expect(await after(2)).toMatchObject({ status: 'SUCCEEDED', response_status: 200, error: null, due_at: null });
  });

  it('end with a 410: the endpoint is disabled, its queue cancelled, and its owner’s other endpoints notified', async () => {
    const others = await Receiver.start();
    const owner = await test.as('owner');
    const subscriber = { org_id: orgId, target_url: others.url, event_types: ['webhook.endpoint_disabled' as const] };
    const { secret } = await createEndpoint(owner, subscriber);
    const [first] = await recordEvents(test.dataSource, orgId, 3);
    await deliveriesWhen(
      test.dataSource,
      id,
      (all) => all.length === 3 && all.every((one) => one.attempt_count === 1),
      LONG_MS,
    );
    receiver.handler = (webhook, response) =>
      answers(webhook.headers['webhook-id'] === first ? 410 : 500)(webhook, response);
    await test.dataSource.query(`UPDATE webhook_queue SET due_at = $1 WHERE event_id = $2`, [clock.now(), first]);
    await test.dataSource.query(`UPDATE webhook_lanes SET wake_at = $1`, [clock.now()]);
    await nudge(test.dataSource);
    const all = await deliveriesWhen(
      test.dataSource,
      id,
      (rows) => rows.every(({ status }) => status !== 'PENDING'),
      LONG_MS,
    );
    expect(all.map(({ event_id, status }) => [event_id === first, status]).sort()).toEqual([
      [false, 'CANCELLED'],
      [false, 'CANCELLED'],
      [true, 'FAILED'],
    ]);
    expect((await owner.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      is_active: false,
      disabled_reason: 'gone',
      disabled_at: clock.now().toISOString(),
    });
    await eventually(
      () => others.requests.length,
      (count) => count === 1,
      LONG_MS,
    );
    const [news] = others.requests;
    if (!news) throw new Error('One came.');
    expect(verified(news, secret)).toMatchObject({
      type: 'webhook.endpoint_disabled',
      data: {
        endpoint_id: id,
        reason: 'gone',
        last_event_type: 'bundle.created',
        last_response_status: 410,
        org_id: orgId,
      },
    });
    // It can be enabled again, and gets new events.
    await owner.patch(`/v1/webhooks/${id}`, { is_active: true });
    expect((await owner.get(`/v1/webhooks/${id}`)).body).toMatchObject({ disabled_reason: null, disabled_at: null });
    await others.close();
  });

  it('disable an endpoint that failed for five days without a success, and not before', async () => {
    const begin = clock.now().getTime();
    const fail = async (sinceBegin: number, count: number) => {
      clock.time = new Date(begin + sinceBegin);
      await recordEvents(test.dataSource, orgId);
      await deliveriesWhen(
        test.dataSource,
        id,
        (all) => all.filter((one) => one.attempt_count > 0).length >= count,
        LONG_MS,
      );
    };
    const isActive = async () =>
      (
        await test.dataSource.query<{ is_active: boolean }[]>(`SELECT is_active FROM webhook_endpoints WHERE id = $1`, [
          id,
        ])
      )[0]?.is_active;
    await fail(0, 1);
    await fail(5 * DAY_MS - 60_000, 2);
    expect(await isActive()).toBe(true);
    receiver.handler = answers(204);
    await fail(5 * DAY_MS - 50_000, 3);
    receiver.handler = answers(500);
    await fail(5 * DAY_MS + 60_000, 4); // it succeeded in between
    expect(await isActive()).toBe(true);
    // The earlier ones are due by now too, so this is not necessarily the one that fails.
    clock.time = new Date(begin + 10 * DAY_MS + 120_000);
    await recordEvents(test.dataSource, orgId);
    await eventually(isActive, (active) => active === false, LONG_MS);
    const [endpoint] = await test.dataSource.query<object[]>(
      `SELECT disabled_reason, disabled_at FROM webhook_endpoints WHERE id = $1`,
      [id],
    );
    expect(endpoint).toEqual({ disabled_reason: 'failing', disabled_at: clock.now() });
    const [event] = await test.dataSource.query<{ data: object }[]>(
      `SELECT data FROM events WHERE type = 'webhook.endpoint_disabled' AND data->>'endpoint_id' = $1`,
      [id],
    );
    expect(event?.data).toMatchObject({ reason: 'failing', last_response_status: 500, last_error: 'http_status' });
    // An attempt that was in progress then ends as usual.
    await deliveriesWhen(test.dataSource, id, (all) => all.every(({ due_at }) => due_at === null), LONG_MS);
  });
});
