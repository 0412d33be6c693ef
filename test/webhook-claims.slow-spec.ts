import { Claims } from '../src/webhooks/engine/claims';
import { createTestApp, FakeClock, TestApp } from './support/app';
import { idOf } from './support/factories';

const LEASE_MS = 40_000;

/** How many of a claim go to each endpoint. */
function countByEndpoint(deliveries: readonly { endpoint_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { endpoint_id } of deliveries) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);
  return counts;
}

describe('Claims', () => {
  const clock = new FakeClock(new Date());
  let test: TestApp;
  let ownerId: string;
  let claims: Claims;

  beforeAll(async () => {
    // 128 slots, 20 for an endpoint, as by default. Nothing runs but what is called here.
    test = await createTestApp({ clock, env: { RUN: 'api' } });
    ownerId = await idOf(await test.as('owner'));
    claims = test.app.get(Claims);
  });

  afterAll(async () => {
    await clear(); // of events that nobody would record
    await test.close();
  });

  beforeEach(async () => {
    clock.time = new Date();
    await clear();
  });

  const clear = () =>
    test.dataSource.query(
      `TRUNCATE webhook_endpoints, webhook_lanes, webhook_queue, webhook_deliveries, events CASCADE`,
    );

  /** Endpoints with so many deliveries each that are due now. */
  async function endpoints(count: number, deliveries: number, fields: { failing?: boolean; rate?: number } = {}) {
    const rows = await test.dataSource.query<{ id: string }[]>(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret, rate_limit_per_second)
         SELECT uuid_v7(), $1, 'https://hooks.example.com', '{bundle.created}', '', $5 FROM generate_series(1, $2)
         RETURNING id
       ),
       event AS (
         INSERT INTO events (id, type, owner_id, data)
         SELECT uuid_v7(), 'bundle.created', $1, '{"n": 1}' FROM generate_series(1, $3) RETURNING id
       )
       INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
       SELECT uuid_v7(), endpoint.id, event.id, 1, $4 FROM endpoint CROSS JOIN event
       RETURNING endpoint_id AS id`,
      [ownerId, count, deliveries, clock.now(), fields.rate ?? null],
    );
    const ids = [...new Set(rows.map(({ id }) => id))];
    await test.dataSource.query(
      `UPDATE webhook_lanes SET wake_at = $2::timestamptz, failing_since = CASE WHEN $3 THEN $2::timestamptz END
       WHERE endpoint_id = ANY ($1)`,
      [ids, clock.now(), fields.failing ?? false],
    );
    return ids;
  }

  async function wakeAt(endpointId: string): Promise<number | undefined> {
    const [lane] = await test.dataSource.query<{ wake_at: Date | null }[]>(
      `SELECT wake_at FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    return lane?.wake_at?.getTime();
  }

  const done = (deliveries: readonly { delivery_id: string }[]) =>
    test.dataSource.query(`DELETE FROM webhook_queue WHERE delivery_id = ANY ($1)`, [
      deliveries.map(({ delivery_id }) => delivery_id),
    ]);

  /** As a result does. */
  const wake = (endpointId?: string) =>
    test.dataSource.query(
      `UPDATE webhook_lanes AS lanes SET wake_at = $1 WHERE endpoint_id = COALESCE($2, endpoint_id) AND EXISTS (
         SELECT FROM webhook_queue WHERE endpoint_id = lanes.endpoint_id AND due_at <= $1)`,
      [clock.now(), endpointId ?? null],
    );

  it('give a quiet endpoint its delivery at once, and wake its lane when the claim would end', async () => {
    const [id = ''] = await endpoints(1, 1);
    const { deliveries } = await claims.take(128, 64);
    expect(deliveries).toMatchObject([
      { endpoint_id: id, attempt: 1, step: 0, type: 'bundle.created', data: '{"n": 1}' },
    ]);
    expect(await wakeAt(id)).toBe(clock.now().getTime() + LEASE_MS);
    expect((await claims.take(128, 64)).deliveries).toEqual([]);
  });

  it('give everybody something beside one that has 20,000 queued', async () => {
    const [hog = ''] = await endpoints(1, 20_000);
    const others = await endpoints(50, 1);
    const counts = countByEndpoint((await claims.take(128, 64)).deliveries);
    expect(others.map((id) => counts.get(id))).toEqual(Array(50).fill(1));
    // A quarter of the 77 slots that are left after one for each is 19, which is none for each and one for the first 19.
    expect(counts.get(hog)).toBe(2);
    let got = 2;
    const rounds = [];
    for (let free = 76; rounds.length < 6; free = 78 - got) {
      await wake(hog);
      const { deliveries } = await claims.take(free, 64);
      rounds.push(deliveries.length);
      got += deliveries.length;
    }
    expect(rounds).toEqual([17, 0, 0, 0, 0, 0]); // until a quarter of what is free is under way: 19 of 76
    await wake(hog);
    expect(countByEndpoint((await claims.take(128, 64)).deliveries)).toEqual(new Map([[hog, 1]])); // its bound
    await wake(hog);
    expect((await claims.take(128, 64)).deliveries).toEqual([]);
  });

  it('leave slots for those who come later, however many hang', async () => {
    await endpoints(100, 1_000);
    let free = 128;
    for (let round = 0; round < 10; round++) {
      await wake();
      for (let rest = 0; rest < 1_000;) {
        const claim = await claims.take(free, 64);
        free -= claim.deliveries.length;
        rest = claim.rest;
      }
    }
    expect(free).toBe(7); // of 7 a quarter is one, and everybody has one
    const late = await endpoints(7, 1);
    const counts = countByEndpoint((await claims.take(free, 64)).deliveries);
    expect(late.map((id) => counts.get(id))).toEqual(Array(7).fill(1));
  });

  it('give those that fail two at a time each, and half of the slots', async () => {
    const failing = await endpoints(40, 100, { failing: true });
    const healthy = await endpoints(10, 100);
    const taken = { failing: 0, healthy: 0 };
    for (let round = 0; round < 50; round++) {
      await wake();
      const counts = countByEndpoint(
        (await claims.take(128 - taken.failing - taken.healthy, 64 - taken.failing)).deliveries,
      );
      for (const id of failing) taken.failing += counts.get(id) ?? 0;
      for (const id of healthy) taken.healthy += counts.get(id) ?? 0;
      expect(Math.max(0, ...failing.map((id) => counts.get(id) ?? 0))).toBeLessThanOrEqual(2);
    }
    expect(taken.failing).toBeGreaterThan(40);
    expect(taken.failing).toBeLessThan(64);
    expect(taken.healthy).toBeGreaterThan(40);
  });

  it('rest, and do not ask again and again, while the slots for more are taken', async () => {
    await endpoints(4, 100);
    let free = 8;
    for (let round = 0; round < 10; round++) free -= (await claims.take(free, 4)).deliveries.length;
    expect(free).toBeGreaterThan(0);
    expect((await claims.take(free, 4)).rest).toBeGreaterThan(LEASE_MS - 5_000);
  });

  it('never give the same delivery twice, however many processes ask at once', async () => {
    await endpoints(30, 40);
    const seen: string[] = [];
    for (let round = 0; round < 200 && seen.length < 1_200; round++) {
      const all = await Promise.all(Array.from({ length: 4 }, () => claims.take(64, 32)));
      const got = all.flatMap(({ deliveries }) => deliveries);
      const counts = [...countByEndpoint(got).values()];
      expect(Math.max(0, ...counts)).toBeLessThanOrEqual(20);
      seen.push(...got.map(({ delivery_id }) => delivery_id));
      await done(got);
      await wake();
    }
    expect(seen).toHaveLength(1_200);
    expect(new Set(seen).size).toBe(1_200);
  });

  it('take over what nobody gave a result for, when its claim ends and not before', async () => {
    const [id = ''] = await endpoints(1, 5);
    const first = await claims.take(128, 64);
    expect(first.deliveries).toHaveLength(5);
    clock.advance(LEASE_MS - 1);
    expect((await claims.take(128, 64)).deliveries).toEqual([]);
    clock.advance(1);
    const second = await claims.take(128, 64);
    const ids = (claim: typeof first) => claim.deliveries.map(({ delivery_id }) => delivery_id).sort();
    expect(ids(second)).toEqual(ids(first));
    expect(second.deliveries.map(({ attempt, step }) => [attempt, step])).toEqual(Array(5).fill([2, 0]));
    expect(second.id).not.toBe(first.id);
    expect(await wakeAt(id)).toBe(clock.now().getTime() + LEASE_MS);
  });

  it('hold to the rate limit over all processes, to a twentieth in a minute', async () => {
    await endpoints(1, 4_000, { rate: 50 });
    const sent: number[] = [];
    const begin = clock.now().getTime();
    while (clock.now().getTime() < begin + 60_000) {
      const all = await Promise.all([claims.take(128, 64), claims.take(128, 64)]);
      const got = all.flatMap(({ deliveries }) => deliveries);
      sent.push(...got.map(() => clock.now().getTime()));
      await done(got);
      clock.advance(100);
    }
    expect(sent.length / 60 / 50).toBeGreaterThan(0.95);
    expect(sent.length / 60 / 50).toBeLessThan(1.05);
    for (let second = begin; second < begin + 59_000; second += 500) {
      expect(sent.filter((at) => at >= second && at < second + 1_000).length).toBeLessThanOrEqual(63);
    }
  });

  it('send one a second for the lowest limit, and wake in time for the next one', async () => {
    const [id = ''] = await endpoints(1, 3, { rate: 1 });
    const { deliveries } = await claims.take(128, 64);
    expect(deliveries).toHaveLength(1);
    await done(deliveries);
    expect(await wakeAt(id)).toBe(clock.now().getTime() + 1_000);
    clock.advance(999);
    expect((await claims.take(128, 64)).deliveries).toEqual([]);
    clock.advance(1);
    expect((await claims.take(128, 64)).deliveries).toHaveLength(1);
  });

  it('pass by what was queued before the endpoint was disabled', async () => {
    const [id = ''] = await endpoints(1, 10);
    await test.dataSource.query(`UPDATE webhook_lanes SET generation = 2 WHERE endpoint_id = $1`, [id]);
    expect((await claims.take(128, 64)).deliveries).toEqual([]);
    expect(await wakeAt(id)).toBeUndefined();
  });

  it('say how long there will be nothing to do', async () => {
    expect((await claims.take(128, 64)).rest).toBe(Infinity);
    const [id] = await endpoints(1, 1);
    await test.dataSource.query(`UPDATE webhook_queue SET due_at = $1`, [new Date(clock.now().getTime() + 700)]);
    expect((await claims.take(128, 64)).deliveries).toEqual([]);
    expect((await claims.take(128, 64)).rest).toBe(700);
    clock.advance(700);
    expect(countByEndpoint((await claims.take(128, 64)).deliveries)).toEqual(new Map([[id, 1]]));
  });
});
