import fc from 'fast-check';
import { newId } from '../../src/database/id';
import { bucketOf, BUCKETS } from '../../src/webhooks/deliveries/latency-histogram';
import type { Api } from '../support/api';
import type { WebhookStats } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDelivery, queueDelivery } from '../support/deliveries';
import { Cast, createCast, createEndpoint } from '../support/factories';
import type { Query } from '../support/typed-paths';

const HOUR_MS = 3_600_000;
const NOW = '2025-11-20T12:34:56.789Z';

/** In the past, so that no token has expired. */
const clock = new FakeClock(new Date(NOW));

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ clock, env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const pathOf = (endpointId: string) => `/v1/webhooks/${endpointId}/stats` as const;

async function newEndpoint(): Promise<string> {
  return (await createEndpoint(cast.owner, { org_id: cast.orgId })).id;
}

async function read(endpointId: string, query: Query = '', api: Api = cast.admin): Promise<WebhookStats> {
  return (await api.get(`${pathOf(endpointId)}${query}`)).body;
}

/** An hour as the engine writes it, with the durations of succeeded and failed attempts. */
async function write(endpointId: string, hour: string, succeeded: number[], failed: number[] = []): Promise<void> {
  const latencies = Array<number>(BUCKETS).fill(0);
  for (const duration of [...succeeded, ...failed]) latencies[bucketOf(duration)]! += 1;
  await test.dataSource.query(
    `INSERT INTO webhook_hours (endpoint_id, hour, succeeded, failed, latencies) VALUES ($1, $2, $3, $4, $5)`,
    [endpointId, hour, succeeded.length, failed.length, latencies],
  );
}

/** A histogram with these counts, by the bounds of the bars. */
const bars = (counts: Record<string, number>) =>
  [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, null].map((bound) => ({
    up_to_ms: bound,
    count: counts[bound ?? 'longer'] ?? 0,
  }));

describe('The statistics of a webhook endpoint', () => {
  const nothing = { succeeded: 0, failed: 0, p50_ms: null, p95_ms: null, p99_ms: null };

  it('cover the last 24 hours, and are empty for a new endpoint', async () => {
    expect(await read(await newEndpoint())).toEqual({
      from: '2025-11-19T12:00:00.000Z',
      to: '2025-11-20T13:00:00.000Z',
      totals: nothing,
      hours: [],
      latencies: bars({}),
      pending: 0,
      pending_is_exact: true,
      oldest_pending_at: null,
      failing_since: null,
    });
  });

  it('count attempts by hour, with percentiles per hour and over all', async () => {
    const [endpointId, other] = [await newEndpoint(), await newEndpoint()];
    await write(endpointId, '2025-11-20T12:00:00.000Z', [50, 50, 50], [15_000]);
    await write(endpointId, '2025-11-20T10:00:00.000Z', Array<number>(96).fill(1));
    await write(endpointId, '2025-11-19T12:00:00.000Z', [4], []);
    await write(endpointId, '2025-11-19T11:00:00.000Z', [4], []);
    await write(endpointId, '2025-11-20T13:00:00.000Z', [4], []);
    await write(other, '2025-11-20T12:00:00.000Z', [4], []);
    const { totals, hours } = await read(endpointId);
    expect(hours).toEqual([
      { hour: '2025-11-19T12:00:00.000Z', succeeded: 1, failed: 0, p50_ms: 4, p95_ms: 4, p99_ms: 4 },
      { hour: '2025-11-20T10:00:00.000Z', succeeded: 96, failed: 0, p50_ms: 1, p95_ms: 1, p99_ms: 1 },
      { hour: '2025-11-20T12:00:00.000Z', succeeded: 3, failed: 1, p50_ms: 49, p95_ms: 15_024, p99_ms: 15_024 },
    ]);
    expect(totals).toEqual({ succeeded: 100, failed: 1, p50_ms: 1, p95_ms: 1, p99_ms: 49 });
  });

  it('have a histogram of twelve bars, with what timed out below 15 s', async () => {
    const endpointId = await newEndpoint();
    await write(endpointId, '2025-11-20T12:00:00.000Z', [1, 9, 30, 90], [700, 15_000, 15_001, 28_000]);
    await write(endpointId, '2025-11-20T11:00:00.000Z', [30]);
    const { latencies } = await read(endpointId);
    expect(latencies).toEqual(bars({ 10: 2, 50: 2, 100: 1, 1000: 1, 15000: 2, longer: 1 }));
  });

  it('cover whole hours', async () => {
    const endpointId = await newEndpoint();
    for (let hour = 0; hour < 12; hour++) {
      await write(endpointId, `2025-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`, [1]);
    }
    const spans: [string, string, number, number][] = [
      ['2025-11-20T03:59:59.999Z', '2025-11-20T05:00:00.001Z', 3, 6],
      ['2025-11-20T03:00:00.000Z', '2025-11-20T05:00:00.000Z', 3, 5],
      ['2025-11-20T05:30:00%2B02:00', '2025-11-20T03:31:00Z', 3, 4],
    ];
    for (const [from, to, first, end] of spans) {
      const stats = await read(endpointId, `?from=${from}&to=${to}`);
      expect(stats.from).toBe(`2025-11-20T0${first}:00:00.000Z`);
      expect(stats.to).toBe(`2025-11-20T0${end}:00:00.000Z`);
      expect(stats.hours.map(({ hour }) => new Date(hour).getUTCHours())).toEqual(
        Array.from({ length: end - first }, (_, n) => first + n),
      );
    }
    // Only one end is set; the other one follows from it.
    expect(await read(endpointId, '?to=2025-11-20T03:31:00Z')).toMatchObject({
      from: '2025-11-19T03:00:00.000Z',
      to: '2025-11-20T04:00:00.000Z',
    });
    expect(await read(endpointId, '?from=2025-11-20T03:31:00Z&to=9999-12-31T23:59:59.999Z')).toMatchObject({
      from: '2025-11-20T03:00:00.000Z',
      to: '2025-11-20T13:00:00.000Z',
      totals: { succeeded: 9 },
    });
  });

  it.each([
    ['from=2025-11-20T12:34:56.789Z', 'value_error'],
    ['from=2099-01-01T00:00:00Z', 'value_error'],
    ['from=2025-11-20T10:00:00Z&to=2025-11-20T10:00:00Z', 'value_error'],
    ['from=2025-11-20T10:00:00Z&to=2025-11-20T09:00:00Z', 'value_error'],
    ['from=2025-10-20T12:34:56.788Z', 'value_error'],
    ['from=2025-11-20', 'datetime_parsing'],
  ])('are refused for %s', async (query, type) => {
    const refused = await cast.admin.get(`${pathOf(await newEndpoint())}?${query}`, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'from'], type }] });
  });

  it('can cover 31 days', async () => {
    const endpointId = await newEndpoint();
    await write(endpointId, '2025-10-20T12:00:00.000Z', [1]);
    const { hours } = await read(endpointId, '?from=2025-10-20T12:34:56.789Z');
    expect(hours).toHaveLength(1);
  });

  it('add up, for random attempts', async () => {
    const durations = fc.array(fc.nat(20_000), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(durations, durations), { maxLength: 5 }), async (attempts) => {
        const endpointId = await newEndpoint();
        for (const [index, [succeeded, failed]] of attempts.entries()) {
          await write(
            endpointId,
            new Date(Date.parse(NOW) - (Date.parse(NOW) % HOUR_MS) - index * HOUR_MS).toISOString(),
            succeeded,
            failed,
          );
        }
        const { totals, hours } = await read(endpointId);
        expect(hours).toHaveLength(attempts.length);
        expect(totals.succeeded).toBe(attempts.flatMap(([succeeded]) => succeeded).length);
        expect(totals.failed).toBe(attempts.flatMap(([, failed]) => failed).length);
        const all = attempts.flat(2).sort((a, b) => a - b);
        for (const [p, shown] of [
          [50, totals.p50_ms],
          [95, totals.p95_ms],
          [99, totals.p99_ms],
        ] as const) {
          const exact = all[Math.ceil((all.length * p) / 100) - 1];
          if (exact === undefined) expect(shown).toBeNull();
          else
            expect(Math.abs((shown ?? NaN) - Math.max(1, exact))).toBeLessThanOrEqual(
              Math.max(1, exact) * 0.0906 + 0.5,
            );
        }
      }),
      { numRuns: 25 },
    );
  });

  it('show how many deliveries are queued and since when, without void ones', async () => {
    const endpointId = await newEndpoint();
    const queue = async (fields: Parameters<typeof queueDelivery>[3]) =>
      queueDelivery(test.dataSource, endpointId, await createDelivery(test.dataSource, endpointId), fields);
    await queue({ dueAt: new Date('2025-11-20T12:30:00.000Z'), claimId: newId() });
    expect(await read(endpointId)).toMatchObject({ pending: 1, oldest_pending_at: null });
    await queue({ dueAt: new Date('2025-11-20T12:33:00.000Z') });
    await queue({ dueAt: new Date('2025-11-20T12:32:00.000Z') });
    await queue({ dueAt: new Date('2025-11-20T12:31:00.000Z'), generation: 0 });
    expect(await read(endpointId)).toMatchObject({
      pending: 3,
      pending_is_exact: true,
      oldest_pending_at: '2025-11-20T12:32:00.000Z',
    });
  });

  it('count up to 10,000 queued deliveries', async () => {
    const endpointId = await newEndpoint();
    const fill = (count: number) =>
      test.dataSource.query(
        `INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, due_at)
         SELECT uuid_v7(), $1, uuid_v7(), 1, now() FROM generate_series(1, $2)`,
        [endpointId, count],
      );
    await fill(10_000);
    expect(await read(endpointId)).toMatchObject({ pending: 10_000, pending_is_exact: true });
    await fill(1);
    expect(await read(endpointId)).toMatchObject({ pending: 10_000, pending_is_exact: false });
  });

  it('show since when the endpoint fails', async () => {
    const endpointId = await newEndpoint();
    const since = '2025-11-18T08:00:00.001Z';
    await test.dataSource.query(`UPDATE webhook_lanes SET failing_since = $2 WHERE endpoint_id = $1`, [
      endpointId,
      since,
    ]);
    expect((await read(endpointId)).failing_since).toBe(since);
  });

  it('are only for those who manage the endpoint', async () => {
    const stranger = await createCast(test);
    const person = await test.as('a-person-with-statistics');
    const personal = (await createEndpoint(person)).id;
    const endpointId = await newEndpoint();
    await cast.member.get(pathOf(endpointId), 403);
    for (const api of [stranger.owner, cast.outsider, person]) await api.get(pathOf(endpointId), 404);
    for (const api of [stranger.owner, cast.owner]) await api.get(pathOf(personal), 404);
    expect((await read(personal, '', person)).hours).toEqual([]);
  });
});
