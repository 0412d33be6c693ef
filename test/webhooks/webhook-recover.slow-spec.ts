import { newId } from '../../src/database/id';
import type { WebhookRecovery } from '../support/api-types';
import { createTestApp, FakeClock, PUBLIC_URL, TestApp } from '../support/app';
import { queueOf } from '../support/deliveries';
import { Cast, createCast, createEndpoint } from '../support/factories';
import { allPages, nextPage } from '../support/pages';
import { Recoveries } from '../support/recoveries';

const FIELDS = [
  'created_at',
  'finished_at',
  'id',
  'include_missing',
  'progress',
  'queued',
  'scanned',
  'since',
  'status',
  'until',
];

/** The current time; in the past, so that no token has expired. */
const clock = new FakeClock(new Date('2025-11-20T12:00:00.000Z'));

let test: TestApp;
let cast: Cast;
let recoveries: Recoveries;

beforeAll(async () => {
  // Without a worker: the test takes the steps itself.
  test = await createTestApp({ clock, env: { RUN: 'api' } });
  cast = await createCast(test);
  recoveries = new Recoveries(test, clock);
});

afterAll(() => test.close());

beforeEach(() => {
  clock.time = new Date('2025-11-20T12:00:00.000Z');
});

async function newEndpoint(fields: object = {}): Promise<string> {
  return (await createEndpoint(cast.owner, { org_id: cast.orgId, ...fields })).id;
}

describe('Starting a webhook recovery', () => {
  it('creates a running one, with exactly the fields of the contract', async () => {
    const endpointId = await newEndpoint();
    const since = recoveries.ago(3).toISOString();
    const started = await cast.admin.post(`/v1/webhooks/${endpointId}/recover`, { since });
    const recovery = started.body;
    expect(Object.keys(recovery).sort()).toEqual(FIELDS);
    expect(recovery).toMatchObject({
      status: 'RUNNING',
      since,
      until: clock.time.toISOString(),
      include_missing: false,
      scanned: 0,
      queued: 0,
      progress: 0,
      created_at: clock.time.toISOString(),
      finished_at: null,
    });
    expect(started.headers.location).toBe(`/v1/webhooks/${endpointId}/recoveries/${recovery.id}`);
    expect(await recoveries.read(cast.admin, endpointId, recovery)).toEqual(recovery);
  });

  it('treats an end that is null or in the future as now', async () => {
    for (const until of [null, '2099-01-01T00:00:00Z']) {
      const recovery = await recoveries.start(cast.admin, await newEndpoint(), { until, include_missing: null });
      expect(recovery).toMatchObject({ until: clock.time.toISOString(), include_missing: false });
    }
    const past = await recoveries.start(cast.admin, await newEndpoint(), {
      until: '2025-11-20T13:00:00.1+02:00',
      include_missing: true,
    });
    expect(past).toMatchObject({ until: '2025-11-20T11:00:00.100Z', include_missing: true });
    const old = await recoveries.start(cast.admin, await newEndpoint(), { since: '1970-01-01T00:00:00Z' });
    expect(old).toMatchObject({ since: '1970-01-01T00:00:00.000Z', status: 'RUNNING' });
  });

  it.each([
    [{}, ['missing at body since']],
    [{ since: 'yesterday' }, ['datetime_parsing at body since']],
    [{ since: '2025-11-20T08:30:00' }, ['datetime_parsing at body since']],
    [{ since: null }, ['string_type at body since']],
    [{ since: '2099-01-01T00:00:00Z' }, ['value_error at body since']],
    [{ since: '2025-11-20T12:00:00.000Z' }, ['value_error at body since']],
    [{ since: '2025-11-20T09:00:00Z', until: '2025-11-20T09:00:00.000Z' }, ['value_error at body until']],
    [{ since: '2025-11-20T09:00:00Z', until: '2025-11-20T08:00:00Z' }, ['value_error at body until']],
    [
      { since: '2025-11-20T09:00:00Z', until: 7, include_missing: 'yes', then: 1 },
      ['bool_type at body include_missing', 'extra_forbidden at body then', 'string_type at body until'],
    ],
  ])('with %j is rejected', async (body, faults) => {
    const endpointId = await newEndpoint();
    const refused = await cast.admin.post(`/v1/webhooks/${endpointId}/recover`, body, 422);
    const { detail } = refused.body;
    expect(detail.map(({ loc, type }) => `${type} at ${loc.join(' ')}`).sort()).toEqual(faults);
    expect((await cast.admin.get(`/v1/webhooks/${endpointId}/recoveries`)).body).toEqual([]);
  });

  it('of a disabled endpoint is refused', async () => {
    const endpointId = await newEndpoint({ is_active: false });
    const refused = await cast.admin.post(`/v1/webhooks/${endpointId}/recover`, { since: recoveries.ago(1) }, 409);
    expect(refused.body).toMatchObject({ code: 'webhook_endpoint_conflict' });
  });

  it('is refused while one is running, even for concurrent requests', async () => {
    const endpointId = await newEndpoint();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        cast.admin.call('post', `/v1/webhooks/${endpointId}/recover`, undefined, { since: recoveries.ago(1) }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(refused[0]?.body).toMatchObject({ code: 'webhook_recovery_conflict' });
    await recoveries.stepUntilDone();
    await recoveries.start(cast.admin, endpointId);
    await recoveries.start(cast.admin, await newEndpoint());
  });

  it('is only for those who manage the endpoint, as are all further operations', async () => {
    const stranger = await createCast(test);
    const endpointId = await newEndpoint();
    const other = await newEndpoint();
    const recovery = await recoveries.start(cast.owner, endpointId);
    const path = `/v1/webhooks/${endpointId}/recoveries/${recovery.id}` as const;
    for (const [api, status] of [
      [stranger.owner, 404],
      [cast.outsider, 404],
      [cast.member, 403],
    ] as const) {
      await api.post(`/v1/webhooks/${endpointId}/recover`, { since: recoveries.ago(1) }, status);
      await api.get(`/v1/webhooks/${endpointId}/recoveries`, status);
      await api.get(path, status);
      await api.delete(path, status);
    }
    for (const id of [`${other}/recoveries/${recovery.id}`, `${endpointId}/recoveries/${newId()}`]) {
      for (const method of ['get', 'delete'] as const) {
        const missing = await cast.admin.call(method, `/v1/webhooks/${id}`, 404);
        expect(missing.body).toMatchObject({ code: 'webhook_recovery_not_found' });
      }
    }
    expect(await recoveries.read(cast.owner, endpointId, recovery)).toMatchObject({ status: 'RUNNING' });
  });
});

describe('Webhook recoveries', () => {
  it('are listed newest first, in pages', async () => {
    const endpointId = await newEndpoint();
    const made: WebhookRecovery[] = [];
    for (let n = 0; n < 5; n++) {
      clock.advance(1_000);
      made.unshift(await recoveries.start(cast.admin, endpointId));
      await recoveries.stepUntilDone();
    }
    const path = `/v1/webhooks/${endpointId}/recoveries` as const;
    const rows = await allPages(cast.admin, `${path}?limit=2`);
    expect(rows.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect(rows[0]).toMatchObject({ status: 'COMPLETED', progress: 1 });
    const cursor = new URL(nextPage(await cast.admin.get(`${path}?limit=2`)) ?? '', PUBLIC_URL).searchParams.get(
      'cursor',
    );
    await cast.admin.get(`/v1/webhooks/${await newEndpoint()}/recoveries?cursor=${cursor}`, 422);
  });

  it('can be cancelled once, while they run', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene();
    const eventId = await recoveries.delivered(endpointId, owns, 1, { status: 'FAILED' });
    const recovery = await recoveries.start(owner, endpointId);
    const path = `/v1/webhooks/${endpointId}/recoveries/${recovery.id}` as const;
    clock.advance(5_000);
    await owner.delete(path);
    expect(await recoveries.read(owner, endpointId, recovery)).toEqual({
      ...recovery,
      status: 'CANCELLED',
      finished_at: clock.time.toISOString(),
    });
    expect((await owner.delete(path, 409)).body).toMatchObject({ code: 'webhook_recovery_conflict' });
    expect(await recoveries.runner.step()).toBe(false);
    expect(await queueOf(test.dataSource, endpointId)).toEqual([]);
    const next = await recoveries.start(owner, endpointId);
    await recoveries.stepUntilDone();
    expect(await recoveries.queuedEvents(endpointId)).toEqual([eventId]);
    await owner.delete(`/v1/webhooks/${endpointId}/recoveries/${next.id}`, 409);
  });

  it('end when their endpoint is disabled, even if it is enabled again by then', async () => {
    for (const again of [false, true]) {
      const { owner, endpointId, owns } = await recoveries.newScene();
      const eventId = await recoveries.delivered(endpointId, owns, 1, { status: 'FAILED' });
      const recovery = await recoveries.start(owner, endpointId);
      await owner.patch(`/v1/webhooks/${endpointId}`, { is_active: false });
      if (again) await owner.patch(`/v1/webhooks/${endpointId}`, { is_active: true });
      expect(await recoveries.runner.step()).toBe(false);
      expect(await recoveries.read(owner, endpointId, recovery)).toMatchObject({
        status: 'CANCELLED',
        queued: 0,
        finished_at: clock.time.toISOString(),
      });
      expect(await recoveries.statusesOf(endpointId)).toEqual(new Map([[eventId, 'FAILED']]));
    }
  });

  it('are deleted with their endpoint', async () => {
    const { owner, endpointId } = await recoveries.newScene();
    const recovery = await recoveries.start(owner, endpointId);
    await owner.delete(`/v1/webhooks/${endpointId}`);
    expect(await recoveries.runner.step()).toBe(false);
    await owner.get(`/v1/webhooks/${endpointId}/recoveries/${recovery.id}`, 404);
  });

  it('of several endpoints run side by side', async () => {
    const scenes = [await recoveries.newScene(), await recoveries.newScene(), await recoveries.newScene()];
    for (const { owner, endpointId, owns } of scenes) {
      await recoveries.delivered(endpointId, owns, 1, { status: 'FAILED' });
      await recoveries.start(owner, endpointId);
    }
    expect(await recoveries.runner.step()).toBe(false);
    for (const { endpointId } of scenes) expect(await queueOf(test.dataSource, endpointId)).toHaveLength(1);
  });
});
