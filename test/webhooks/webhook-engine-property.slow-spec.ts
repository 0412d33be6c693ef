import { randomInt } from 'node:crypto';
import { inTransaction } from '../../src/database/transaction';
import type { AttemptResult } from '../../src/webhooks/engine/attempt-result';
import { Claims, type ClaimedDelivery } from '../../src/webhooks/engine/claims';
import { DeliveryQueue } from '../../src/webhooks/queue/delivery-queue';
import { EndpointDisabling } from '../../src/webhooks/engine/endpoint-disabling';
import { FanOut } from '../../src/webhooks/engine/fan-out';
import { Results } from '../../src/webhooks/engine/results';
import { Slots } from '../../src/webhooks/sending/slots';
import { nextAttemptAt } from '../../src/webhooks/engine/retry-schedule';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createEndpoint } from '../support/factories';
import { recordEvents } from '../support/sending';

const ENDPOINTS = 6;
const ACTORS = 8;
const STEPS = 150;

/**
 * Everything that changes the queue, by many processes concurrently and in any order: events, claims, results of all
 * kinds that come in time, late or never, endpoints that are disabled, enabled and limited, redeliveries. Nothing may
 * ever be forgotten: a lane sleeps no longer than its first delivery.
 */
describe('The webhook queue, under random concurrent actions', () => {
  const clock = new FakeClock(new Date());
  let test: TestApp;
  let orgId: string;
  const endpoints: string[] = [];
  const underWay: { claimId: string; delivery: ClaimedDelivery }[] = [];

  beforeAll(async () => {
    test = await createTestApp({ clock, env: { RUN: 'api', DATABASE_POOL_SIZE: '20' } });
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: 'Busy' })).body);
    for (let n = 0; n < ENDPOINTS; n++) {
      const rate_limit_per_second = n === 0 ? 5 : null;
      endpoints.push((await createEndpoint(owner, { org_id: orgId, rate_limit_per_second })).id);
    }
  });

  afterAll(() => test.close());

  const any = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

  function resultOf({ claimId, delivery }: (typeof underWay)[number], error: string | null): AttemptResult {
    const next =
      error === null
        ? null
        : nextAttemptAt({ step: delivery.step, responseStatus: 500, retryAfter: null }, clock.now(), Math.random());
    return {
      endpoint_id: delivery.endpoint_id,
      delivery_id: delivery.delivery_id,
      claim_id: claimId,
      number: delivery.attempt,
      event_type: delivery.type,
      target_url: delivery.target_url,
      encrypted_query: delivery.encrypted_query?.toString('hex') ?? null,
      generation: delivery.generation,
      started_at: clock.now().toISOString(),
      duration_ms: randomInt(100),
      response_status: error === null ? 204 : 500,
      response_body: '',
      error,
      error_message: null,
      next_at: next?.toISOString() ?? null,
    };
  }

  const take = async () => {
    const { id: claimId, deliveries } = await test.app.get(Claims).take(new Slots(randomInt(1, 64)));
    underWay.push(...deliveries.map((delivery) => ({ claimId, delivery })));
  };

  /** A process with free slots creates deliveries, and claims some of them. */
  const createAndTake = () =>
    test.app.get(FanOut).step({
      slots: () => new Slots(randomInt(1, 64)),
      send: ({ id: claimId, deliveries }) => underWay.push(...deliveries.map((delivery) => ({ claimId, delivery }))),
    });

  async function setActive(endpointId: string, isActive: boolean): Promise<void> {
    await inTransaction(test.dataSource, async (manager) => {
      const [[changed]] = await manager.query<[object[], number]>(
        `UPDATE webhook_endpoints SET is_active = $2 WHERE id = $1 AND is_active <> $2 RETURNING id`,
        [endpointId, isActive],
      );
      if (!changed) return;
      if (!isActive) await test.app.get(DeliveryQueue).drainSoon(manager, endpointId);
    });
  }

  const actions: (() => Promise<unknown>)[] = [
    () => recordEvents(test.dataSource, orgId, randomInt(1, 10)),
    () => test.app.get(FanOut).step(),
    () => test.app.get(FanOut).step(),
    createAndTake,
    createAndTake,
    take,
    take,
    take,
    async () => {
      const some = underWay
        .splice(0, randomInt(30))
        .map((one) => resultOf(one, any([null, null, 'http_status', 'interrupted'])));
      if (some.length > 0) await test.app.get(Results).record(some);
    },
    () => Promise.resolve(underWay.splice(0, randomInt(5))), // a process died
    () => Promise.resolve(clock.advance(any([100, 1_000, 10_000, 400_000]))),
    () => setActive(any(endpoints), randomInt(2) === 0),
    () => setActive(any(endpoints), true),
    async () => {
      const endpointId = any(endpoints);
      await inTransaction(test.dataSource, async (manager) => {
        const [endpoint] = await manager.query<object[]>(
          `SELECT id FROM webhook_endpoints WHERE id = $1 AND is_active FOR UPDATE`,
          [endpointId],
        );
        if (!endpoint) return;
        const rows = await manager.query<{ id: string }[]>(
          `SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY random() LIMIT 3`,
          [endpointId],
        );
        await test.app.get(DeliveryQueue).again(
          manager,
          endpointId,
          rows.map(({ id }) => id),
        );
      });
    },
    async () => {
      const [one] = underWay;
      if (one && randomInt(4) === 0)
        await test.app.get(EndpointDisabling).disable('gone', resultOf(one, 'http_status'));
    },
    async () => {
      for (const endpointId of endpoints)
        await inTransaction(test.dataSource, (manager) => test.app.get(DeliveryQueue).drain(manager, endpointId));
    },
  ];

  /** What is wrong while nothing runs. */
  const faults = () =>
    test.dataSource.query<object[]>(
      `SELECT 'oversleeps' AS fault, lanes.endpoint_id, lanes.wake_at, first.due_at
       FROM webhook_lanes AS lanes CROSS JOIN LATERAL (
         SELECT min(due_at) AS due_at FROM webhook_queue AS queue
         WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation) AS first
       JOIN webhook_endpoints AS endpoints ON endpoints.id = lanes.endpoint_id
       WHERE first.due_at IS NOT NULL
         AND (lanes.wake_at IS NULL
              OR lanes.wake_at > GREATEST(first.due_at, $1::timestamptz,
                   CASE WHEN rate_limit_per_second IS NOT NULL THEN $1::timestamptz + interval '1 second' END,
                   -- At its bound it waits for the first of the claims to end.
                   (SELECT min(due_at) FROM webhook_queue AS queue
                    WHERE queue.endpoint_id = lanes.endpoint_id AND queue.claim_id IS NOT NULL AND queue.due_at > $1)))
       UNION ALL
       SELECT 'has a tenant that oversleeps', lanes.endpoint_id, tenants.wake_at, lanes.wake_at
       FROM webhook_lanes AS lanes LEFT JOIN webhook_tenants AS tenants ON tenants.tenant_id = lanes.tenant_id
         AND tenants.is_doubtful = (NOT lanes.is_proven OR lanes.failing_since IS NOT NULL)
       WHERE lanes.wake_at IS NOT NULL AND (tenants.wake_at IS NULL OR tenants.wake_at > lanes.wake_at)
       UNION ALL
       SELECT 'is void and nobody cancels it', queue.endpoint_id, NULL, queue.due_at
       FROM webhook_queue AS queue JOIN webhook_lanes AS lanes ON lanes.endpoint_id = queue.endpoint_id
       WHERE queue.generation <> lanes.generation AND NOT lanes.is_draining
       UNION ALL
       SELECT 'is pending but not queued', endpoint_id, NULL, NULL FROM webhook_deliveries
       WHERE status = 'PENDING' AND NOT EXISTS (SELECT FROM webhook_queue WHERE delivery_id = webhook_deliveries.id)
       UNION ALL
       SELECT 'is queued but not pending', queue.endpoint_id, NULL, queue.due_at FROM webhook_queue AS queue
       JOIN webhook_deliveries AS deliveries ON deliveries.id = queue.delivery_id AND deliveries.status <> 'PENDING'
       UNION ALL
       SELECT 'is queued for an endpoint that is disabled', queue.endpoint_id, NULL, queue.due_at
       FROM webhook_queue AS queue JOIN webhook_lanes AS lanes ON lanes.endpoint_id = queue.endpoint_id
       JOIN webhook_endpoints AS endpoints ON endpoints.id = queue.endpoint_id AND NOT endpoints.is_active
       WHERE queue.generation = lanes.generation`,
      [clock.now()],
    );

  it('loses nothing and runs empty', async () => {
    for (let round = 0; round < 5; round++) {
      const actor = async () => {
        for (let step = 0; step < STEPS / 5; step++) await any(actions)();
      };
      await Promise.all(Array.from({ length: ACTORS }, actor));
      expect(await faults()).toEqual([]);
    }
    for (const endpointId of endpoints) await setActive(endpointId, true);
    // Now everything works, and nothing may take longer than its time.
    for (let round = 0; ; round++) {
      while (await test.app.get(FanOut).step());
      for (let more = true; more;) {
        const before = underWay.length;
        await take();
        more = underWay.length > before;
        const results = underWay.splice(0).map((one) => resultOf(one, null));
        if (results.length > 0) await test.app.get(Results).record(results);
      }
      for (const endpointId of endpoints)
        await inTransaction(test.dataSource, (manager) => test.app.get(DeliveryQueue).drain(manager, endpointId));
      expect(await faults()).toEqual([]);
      const [left] = await test.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM webhook_queue`,
      );
      if (left?.count === 0) break;
      if (round === 500) throw new Error(`${left?.count} deliveries are left.`);
      clock.advance(round < 400 ? 500 : 24 * 3_600_000);
    }
    const rows = await test.dataSource.query<{ status: string }[]>(
      `SELECT DISTINCT status FROM webhook_deliveries ORDER BY 1`,
    );
    expect(rows.map(({ status }) => status)).not.toContain('PENDING');
  });
});
