import { newId } from '../../src/database/id';
import { Claims, type ClaimedDelivery } from '../../src/webhooks/engine/claims';
import { LOCK_DUE } from '../../src/webhooks/engine/claims.sql';
import { Slots } from '../../src/webhooks/sending/slots';
import { createTestApp, FakeClock, TestApp } from '../support/app';

const LEASE_MS = 40_000;

/** The number of deliveries of a claim for each endpoint. */
function countByEndpoint(deliveries: readonly { endpoint_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { endpoint_id } of deliveries) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);
  return counts;
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

describe('Webhook claims', () => {
  const clock = new FakeClock(new Date());
  let test: TestApp;
  let claims: Claims;

  beforeAll(async () => {
    // 20 per endpoint, as by default. Nothing runs unless it is called here.
    test = await createTestApp({ clock, env: { RUN: 'api' } });
    claims = test.app.get(Claims);
  });

  afterAll(async () => {
    await clear(); // for events that are never recorded
    await test.close();
  });

  beforeEach(async () => {
    clock.time = new Date();
    await clear();
  });

  const clear = () =>
    test.dataSource.query(
      `TRUNCATE webhook_endpoints, webhook_lanes, webhook_tenants, webhook_queue, webhook_deliveries, events CASCADE`,
    );

  /** Users to own endpoints. */
  async function people(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId());
    await test.dataSource.query(`INSERT INTO users (id) SELECT unnest($1::uuid[])`, [ids]);
    return ids;
  }

  interface Fields {
    failing?: boolean;
    /** Whether they have succeeded before; true if absent. */
    proven?: boolean;
    rate?: number;
    /** Their owner; a separate person for each if absent. */
    ownerId?: string;
  }

  /** Endpoints with that many due deliveries each. */
  async function endpoints(count: number, deliveries: number, fields: Fields = {}) {
    const owners = fields.ownerId ? Array<string>(count).fill(fields.ownerId) : await people(count);
    const rows = await test.dataSource.query<{ id: string }[]>(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret, rate_limit_per_second)
         SELECT uuid_v7(), owner_id, 'https://hooks.example.com', '{bundle.created}', '', $4
         FROM unnest($1::uuid[]) AS owner_id
         RETURNING id
       ),
       event AS (
         INSERT INTO events (id, type, owner_id, data)
         SELECT uuid_v7(), 'bundle.created', $1[1], '{"n": 1}' FROM generate_series(1, $2) RETURNING id
       )
       INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
       SELECT uuid_v7(), endpoint.id, event.id, 1, $3 FROM endpoint CROSS JOIN event
       RETURNING endpoint_id AS id`,
      [owners, deliveries, clock.now(), fields.rate ?? null],
    );
    const ids = [...new Set(rows.map(({ id }) => id))];
    await test.dataSource.query(
      `UPDATE webhook_lanes SET wake_at = $2::timestamptz, failing_since = CASE WHEN $3 THEN $2::timestamptz END,
         is_proven = $4 WHERE endpoint_id = ANY ($1)`,
      [ids, clock.now(), fields.failing ?? false, fields.proven ?? true],
    );
    return ids;
  }

  /** Like a process: claimed deliveries hold its slots. */
  async function take(slots: Slots): Promise<{ deliveries: ClaimedDelivery[]; rest: number }> {
    const claim = await claims.take(slots);
    for (const { tenant_id, is_doubtful } of claim.deliveries) slots.take(tenant_id, is_doubtful);
    return claim;
  }

  /** Claims until nothing more is returned. */
  async function takeAll(slots: Slots): Promise<ClaimedDelivery[]> {
    const all: ClaimedDelivery[] = [];
    for (let rest = 0, left = 1_000; rest <= 0 && slots.free.total > 0; left--) {
      if (left === 0) throw new Error('Claims never rest.');
      const claim = await take(slots);
      all.push(...claim.deliveries);
      rest = claim.rest;
    }
    return all;
  }

  /** The slots of a process with nothing in progress. */
  const idle = () => new Slots(128);

  async function wakeAt(endpointId: string): Promise<number | undefined> {
    const [lane] = await test.dataSource.query<{ wake_at: Date | null }[]>(
      `SELECT wake_at FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    return lane?.wake_at?.getTime();
  }

  const laneOf = async (endpointId: string) => {
    const [lane] = await test.dataSource.query<{ tenant_id: string }[]>(
      `SELECT tenant_id FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    return lane as { tenant_id: string };
  };

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

  it('a single delivery is claimed at once, and its lane wakes when the claim ends', async () => {
    const [id = ''] = await endpoints(1, 1);
    const { deliveries } = await claims.take(idle());
    expect(deliveries).toMatchObject([
      { endpoint_id: id, attempt: 1, step: 0, type: 'bundle.created', data: '{"n": 1}' },
    ]);
    expect(await wakeAt(id)).toBe(clock.now().getTime() + LEASE_MS);
    expect((await claims.take(idle())).deliveries).toEqual([]);
  });

  it('every endpoint gets a delivery claimed, even while another one has 20,000 queued', async () => {
    const [hog = ''] = await endpoints(1, 20_000);
    const others = await endpoints(50, 1);
    const slots = idle();
    const counts = countByEndpoint((await take(slots)).deliveries);
    expect(others.map((id) => counts.get(id))).toEqual(Array(50).fill(1));
    // Of the 61 slots that remain after one for each, half are shared equally among 51: one for each of the first.
    expect(counts.get(hog)).toBe(2);
    await takeAll(slots);
    await wake(hog);
    await takeAll(slots);
    const held = slots.heldBy((await laneOf(hog)).tenant_id, false);
    expect(held).toBeGreaterThan(10);
    expect(held).toBeLessThanOrEqual(20); // its limit
    await wake(hog);
    expect(await takeAll(slots)).toEqual([]);
  });

  it('slots stay free for other owners, however many endpoints of one owner hang', async () => {
    const [hostile] = await people(1);
    await endpoints(400, 100, { ownerId: hostile });
    const slots = idle();
    for (let round = 0; round < 3; round++) {
      await takeAll(slots);
      await wake();
    }
    expect(slots.heldBy(hostile ?? '', false)).toBeLessThanOrEqual(37);
    const late = await endpoints(60, 1);
    const counts = countByEndpoint((await take(slots)).deliveries);
    expect(late.map((id) => counts.get(id))).toEqual(Array(60).fill(1));
  });

  it('slots stay free for new deliveries, however many owners hang', async () => {
    await endpoints(100, 1_000);
    const slots = idle();
    for (let round = 0; round < 5; round++) {
      await takeAll(slots);
      await wake();
    }
    expect(slots.free.proven).toBeGreaterThanOrEqual(3);
    const late = await endpoints(slots.free.proven, 1);
    const counts = countByEndpoint((await take(slots)).deliveries);
    expect(late.map((id) => counts.get(id))).toEqual(Array(late.length).fill(1));
  });

  it('400 new endpoints of one owner count as doubtful, so half of the slots stay for proven ones', async () => {
    const [hostile] = await people(1);
    await endpoints(400, 100, { ownerId: hostile, proven: false });
    const slots = idle();
    const deliveries = await takeAll(slots);
    expect(deliveries.every(({ is_doubtful }) => is_doubtful)).toBe(true);
    expect(deliveries.length).toBeLessThanOrEqual(16);
    // New endpoints get slots besides them, however long others wait.
    const late = await endpoints(20, 1, { proven: false });
    const counts = countByEndpoint((await take(slots)).deliveries);
    expect(late.map((id) => counts.get(id))).toEqual(Array(20).fill(1));
    // And however many owners are new, the other half is for endpoints that work.
    await endpoints(200, 5, { proven: false });
    await takeAll(slots);
    expect(slots.free.doubtful).toBe(0);
    const working = await endpoints(60, 1);
    expect(countByEndpoint((await take(slots)).deliveries)).toEqual(new Map(working.map((id) => [id, 1])));
  });

  it('an eighth of the slots stays for new endpoints, however busy the proven ones are', async () => {
    await endpoints(150, 10);
    const slots = idle();
    await takeAll(slots);
    expect(slots.free).toEqual({ total: 16, proven: 0, doubtful: 16 });
    const late = await endpoints(16, 1, { proven: false });
    const counts = countByEndpoint((await take(slots)).deliveries);
    expect(late.map((id) => counts.get(id))).toEqual(Array(16).fill(1));
  });

  it('slots stay free for the other endpoints of an owner if some of them hang', async () => {
    const [ownerId] = await people(1);
    await endpoints(2, 1_000, { ownerId });
    const slots = idle();
    await takeAll(slots);
    await wake();
    await takeAll(slots);
    const late = await endpoints(5, 1, { ownerId });
    const counts = countByEndpoint((await take(slots)).deliveries);
    expect(late.map((id) => counts.get(id))).toEqual(Array(5).fill(1));
  });

  it('failing endpoints get two deliveries at a time each, and at most half of the slots', async () => {
    const failing = await endpoints(40, 100, { failing: true });
    const healthy = await endpoints(10, 100);
    const slots = idle();
    const all: ClaimedDelivery[] = [];
    for (let round = 0; round < 20; round++) {
      all.push(...(await takeAll(slots)));
      await wake();
    }
    const counts = countByEndpoint(all);
    const of = (ids: string[]) => ids.map((id) => counts.get(id) ?? 0);
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    expect(Math.max(...of(failing))).toBe(2);
    expect(sum(of(failing))).toBeGreaterThan(40);
    expect(sum(of(failing))).toBeLessThan(64);
    expect(sum(of(healthy))).toBeGreaterThan(40);
  });

  it('the worker rests instead of polling while no further slot can be used', async () => {
    await endpoints(4, 100);
    const slots = new Slots(8);
    await takeAll(slots);
    expect(slots.free.total).toBeGreaterThan(0);
    const { deliveries, rest } = await take(slots);
    expect(deliveries).toEqual([]);
    expect(rest).toBeGreaterThan(LEASE_MS - 5_000);
  });

  it('nothing is claimed when failing and healthy endpoints together fill all slots', async () => {
    await endpoints(128, 1);
    await endpoints(64, 1, { failing: true });
    const slots = idle();
    await takeAll(slots);
    expect(slots.free.total).toBe(0);
    expect((await take(slots)).deliveries).toEqual([]);
  });

  it('a due delivery is found fast behind 10,000 lanes of owners that have used up their share', async () => {
    const hostile = await people(21);
    for (const ownerId of hostile) await endpoints(480, 1, { ownerId, proven: false });
    const slots = idle();
    await takeAll(slots);
    expect(hostile.every((id) => slots.sated(true).includes(id))).toBe(true);
    const [late = ''] = await endpoints(1, 1, { proven: false });
    await test.dataSource.query(`ANALYZE webhook_tenants, webhook_lanes`);
    const plan = await test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${LOCK_DUE.sql}`,
      [clock.now(), slots.free.proven, slots.free.doubtful, [], [], slots.holders(true), slots.hungry(true)],
    );
    const { Plan: root } = plan[0]?.['QUERY PLAN'][0] ?? {};
    // A few pages for the tenants that are skipped, and none for their lanes.
    expect((root?.['Shared Hit Blocks'] ?? Infinity) + (root?.['Shared Read Blocks'] ?? 0)).toBeLessThan(60);
    expect(countByEndpoint((await take(slots)).deliveries)).toEqual(new Map([[late, 1]]));
  });

  it('no delivery is claimed twice, however many processes claim at once', async () => {
    await endpoints(30, 40);
    const seen: string[] = [];
    for (let round = 0; round < 200 && seen.length < 1_200; round++) {
      const all = await Promise.all(Array.from({ length: 4 }, () => claims.take(new Slots(64))));
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

  it('a delivery without a result is reclaimed when its claim ends, and not before', async () => {
    const [id = ''] = await endpoints(1, 5);
    const first = await claims.take(idle());
    expect(first.deliveries).toHaveLength(5);
    clock.advance(LEASE_MS - 1);
    expect((await claims.take(idle())).deliveries).toEqual([]);
    clock.advance(1);
    const second = await claims.take(idle());
    const ids = (claim: typeof first) => claim.deliveries.map(({ delivery_id }) => delivery_id).sort();
    expect(ids(second)).toEqual(ids(first));
    expect(second.deliveries.map(({ attempt, step }) => [attempt, step])).toEqual(Array(5).fill([2, 0]));
    expect(second.id).not.toBe(first.id);
    expect(await wakeAt(id)).toBe(clock.now().getTime() + LEASE_MS);
  });

  it('the rate limit holds across all processes, within 5 % over a minute', async () => {
    await endpoints(1, 4_000, { rate: 50 });
    const sent: number[] = [];
    const begin = clock.now().getTime();
    while (clock.now().getTime() < begin + 60_000) {
      const all = await Promise.all([claims.take(idle()), claims.take(idle())]);
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

  it('the lowest rate limit allows one per second, and the lane wakes in time for the next', async () => {
    const [id = ''] = await endpoints(1, 3, { rate: 1 });
    const { deliveries } = await claims.take(idle());
    expect(deliveries).toHaveLength(1);
    await done(deliveries);
    expect(await wakeAt(id)).toBe(clock.now().getTime() + 1_000);
    clock.advance(999);
    expect((await claims.take(idle())).deliveries).toEqual([]);
    clock.advance(1);
    expect((await claims.take(idle())).deliveries).toHaveLength(1);
  });

  it('deliveries queued before their endpoint was disabled are skipped', async () => {
    const [id = ''] = await endpoints(1, 10);
    await test.dataSource.query(`UPDATE webhook_lanes SET generation = 2 WHERE endpoint_id = $1`, [id]);
    expect((await claims.take(idle())).deliveries).toEqual([]);
    expect(await wakeAt(id)).toBeUndefined();
  });

  it('an empty claim returns how long there will be nothing to do', async () => {
    expect((await claims.take(idle())).rest).toBe(Infinity);
    const [id] = await endpoints(1, 1);
    await test.dataSource.query(`UPDATE webhook_queue SET due_at = $1`, [new Date(clock.now().getTime() + 700)]);
    expect((await claims.take(idle())).deliveries).toEqual([]);
    expect((await claims.take(idle())).rest).toBe(700);
    clock.advance(700);
    expect(countByEndpoint((await claims.take(idle())).deliveries)).toEqual(new Map([[id, 1]]));
  });
});
