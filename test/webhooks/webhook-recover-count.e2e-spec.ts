import fc from 'fast-check';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDelivery, createEvent } from '../support/deliveries';
import { Recoveries } from '../support/recoveries';

/** In the past, so that no token has expired. */
const clock = new FakeClock(new Date('2025-11-20T12:00:00.000Z'));

let test: TestApp;
let recoveries: Recoveries;

beforeAll(async () => {
  // Without a worker: the test takes the steps itself.
  test = await createTestApp({ clock, env: { RUN: 'api' } });
  recoveries = new Recoveries(test, clock);
});

afterAll(() => test.close());

const KINDS = fc.record({
  hours: fc.integer({ min: 0, max: 40 }),
  type: fc.constantFrom('bundle.created', 'member.added'),
  status: fc.constantFrom('FAILED', 'CANCELLED', 'SUCCEEDED', 'PENDING', undefined),
});

describe('A dry run of a webhook recovery', () => {
  it('counts what the recovery then queues, whatever there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(KINDS, { maxLength: 12 }), fc.boolean(), async (kinds, missing) => {
        const { owner, endpointId, owns } = await recoveries.newScene();
        for (const { hours, type, status } of kinds) {
          if (status) await recoveries.delivered(endpointId, owns, hours + 0.5, { status, type });
          else await createEvent(test.dataSource, owns, { type, at: recoveries.ago(hours + 0.5) });
        }
        const body = { since: recoveries.ago(24).toISOString(), include_missing: missing };
        const path = `/v1/webhooks/${endpointId}/recover` as const;
        const { body: counted, headers } = await owner.post(path, { ...body, dry_run: true }, 200);
        expect(headers.location).toBeUndefined();
        expect(await recoveries.queuedEvents(endpointId)).toEqual([]);
        const started = await recoveries.start(owner, endpointId, body);
        await recoveries.stepUntilDone();
        const { scanned, queued, status } = await recoveries.read(owner, endpointId, started);
        expect({ ...counted, status }).toEqual({
          since: started.since,
          until: started.until,
          include_missing: missing,
          scanned,
          lost: counted.queued - (missing ? counted.missing : 0),
          missing: kinds.filter(({ hours, type, status }) => hours < 24 && type === 'bundle.created' && !status).length,
          queued,
          is_exact: true,
          status: 'COMPLETED',
        });
      }),
      { numRuns: 15 },
    );
  });

  it('is refused for what the recovery is refused', async () => {
    const { owner, member, outsider, endpointId } = await recoveries.newScene();
    const path = `/v1/webhooks/${endpointId}/recover` as const;
    const body = { since: recoveries.ago(24).toISOString(), dry_run: true };
    await owner.post(path, { ...body, since: '2099-01-01T00:00:00Z' }, 422);
    await member.post(path, body, 403);
    await outsider.post(path, body, 404);
    await recoveries.start(owner, endpointId);
    expect((await owner.post(path, body, 409)).body).toMatchObject({ code: 'webhook_recovery_conflict' });
    await owner.patch(`/v1/webhooks/${endpointId}`, { is_active: false });
    expect((await owner.post(path, body, 409)).body).toMatchObject({ code: 'webhook_endpoint_conflict' });
  });

  it('is a run without it, and with false', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene();
    const eventId = await createEvent(test.dataSource, owns, { at: recoveries.ago(2) });
    await createDelivery(test.dataSource, endpointId, { eventId, status: 'FAILED' });
    expect(await recoveries.start(owner, endpointId, { dry_run: false })).toMatchObject({ status: 'RUNNING' });
  });
});
