import { BUCKETS } from '../../src/webhooks/deliveries/latency-histogram';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint } from '../support/factories';

/** In the past, so that no token has expired. */
const clock = new FakeClock(new Date('2025-11-20T12:34:56.789Z'));

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ clock, env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

async function write(endpointId: string, hour: string, succeeded: number, failed: number): Promise<void> {
  await test.dataSource.query(
    `INSERT INTO webhook_hours (endpoint_id, hour, succeeded, failed, latencies) VALUES ($1, $2, $3, $4, $5)`,
    [endpointId, hour, succeeded, failed, Array<number>(BUCKETS).fill(0)],
  );
}

const hours = (counts: Record<number, number>) => Array.from({ length: 25 }, (_, place) => counts[place] ?? 0);

describe('The last day of the webhook endpoints of an organisation', () => {
  it('has the attempts of each hour, for each endpoint, newest first', async () => {
    const { owner, orgId } = await createCast(test);
    const quiet = (await createEndpoint(owner, { org_id: orgId })).id;
    const busy = (await createEndpoint(owner, { org_id: orgId })).id;
    const personal = (await createEndpoint(owner)).id;
    await write(busy, '2025-11-20T12:00:00.000Z', 5, 1);
    await write(busy, '2025-11-20T03:00:00.000Z', 0, 7);
    await write(busy, '2025-11-19T12:00:00.000Z', 2, 0);
    await write(busy, '2025-11-19T11:00:00.000Z', 90, 90);
    await write(busy, '2025-11-20T13:00:00.000Z', 90, 90);
    await write(personal, '2025-11-20T12:00:00.000Z', 3, 3);
    await test.dataSource.query(`UPDATE webhook_lanes SET failing_since = $2 WHERE endpoint_id = $1`, [
      busy,
      '2025-11-20T03:00:00.000Z',
    ]);
    await test.dataSource.query(
      `UPDATE webhook_endpoints SET is_active = false, disabled_reason = 'gone', disabled_at = $2 WHERE id = $1`,
      [quiet, '2025-11-18T03:00:00.000Z'],
    );
    expect((await owner.get(`/v1/webhooks/stats?org_id=${orgId}`)).body).toEqual({
      from: '2025-11-19T12:00:00.000Z',
      to: '2025-11-20T13:00:00.000Z',
      endpoints: [
        {
          endpoint_id: busy,
          succeeded: hours({ 0: 2, 24: 5 }),
          failed: hours({ 15: 7, 24: 1 }),
          failing_since: '2025-11-20T03:00:00.000Z',
          disabled_reason: null,
          disabled_at: null,
        },
        {
          endpoint_id: quiet,
          succeeded: hours({}),
          failed: hours({}),
          failing_since: null,
          disabled_reason: 'gone',
          disabled_at: '2025-11-18T03:00:00.000Z',
        },
      ],
    });
  });

  it('is for administrators of the organisation alone', async () => {
    const path = `/v1/webhooks/stats?org_id=${cast.orgId}` as const;
    expect((await cast.admin.get(path)).body.endpoints).toEqual([]);
    expect((await cast.member.get(path, 403)).body).toMatchObject({ code: 'insufficient_role' });
    await cast.outsider.get(path, 404);
    for (const query of ['', '?org_id=', '?org_id=acme'] as const) {
      await cast.admin.get(`/v1/webhooks/stats${query}`, 422);
    }
  });
});
