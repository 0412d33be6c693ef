import fc from 'fast-check';
import { newId } from '../../src/database/id';
import { RecoveryRunner } from '../../src/webhooks/deliveries/recovery-runner';
import { FanOut } from '../../src/webhooks/engine/fan-out';
import type { WebhookRecovery } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDelivery, createEvent, exampleOf, queueDelivery, queueOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { Cast, createCast, createEndpoint, idOf } from '../support/factories';
import { Recoveries, Scene } from '../support/recoveries';

const HOUR_MS = 3_600_000;

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

describe('A webhook recovery', () => {
  it('queues only failed and cancelled deliveries', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene();
    const failed = await recoveries.delivered(endpointId, owns, 2, { status: 'FAILED', attemptCount: 10 });
    const cancelled = await recoveries.delivered(endpointId, owns, 3, { status: 'CANCELLED' });
    // No longer subscribed, but it was, and the delivery failed.
    const other = await recoveries.delivered(endpointId, owns, 1, { status: 'FAILED', type: 'member.added' });
    const succeeded = await recoveries.delivered(endpointId, owns, 2, { status: 'SUCCEEDED' });
    await createEvent(test.dataSource, owns, { at: recoveries.ago(2) });
    const recovery = await recoveries.start(owner, endpointId);
    clock.advance(60_000);
    await recoveries.stepUntilDone();
    expect(await recoveries.queuedEvents(endpointId)).toEqual([failed, cancelled, other].sort());
    expect(await recoveries.read(owner, endpointId, recovery)).toEqual({
      ...recovery,
      status: 'COMPLETED',
      scanned: 5,
      queued: 3,
      progress: 1,
      finished_at: clock.time.toISOString(),
    });
    expect(await recoveries.statusesOf(endpointId)).toEqual(
      new Map([
        [failed, 'PENDING'],
        [cancelled, 'PENDING'],
        [other, 'PENDING'],
        [succeeded, 'SUCCEEDED'],
      ]),
    );
    const queued = await queueOf(test.dataSource, endpointId);
    expect(queued.find(({ event_id }) => event_id === failed)).toMatchObject({
      step: 0,
      attempt: 10,
      due_at: clock.time,
      claim_id: null,
    });
  });

  it('with include_missing also creates deliveries that never existed, of currently subscribed types', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene({ event_types: ['bundle.created'] });
    await owner.patch(`/v1/webhooks/${endpointId}`, { event_types: ['bundle.deleted', 'webhook.endpoint_disabled'] });
    const missing = await createEvent(test.dataSource, owns, { type: 'bundle.deleted', at: recoveries.ago(2) });
    await createEvent(test.dataSource, owns, { type: 'bundle.created', at: recoveries.ago(2) });
    const tellsOfOther = await createEvent(test.dataSource, owns, {
      type: 'webhook.endpoint_disabled',
      at: recoveries.ago(1),
      data: { endpoint_id: newId() },
    });
    // An endpoint is not notified that it was disabled itself, only the others are.
    await createEvent(test.dataSource, owns, {
      type: 'webhook.endpoint_disabled',
      at: recoveries.ago(1),
      data: { endpoint_id: endpointId },
    });
    const stranger = await createCast(test);
    await createEvent(test.dataSource, { orgId: stranger.orgId }, { type: 'bundle.deleted', at: recoveries.ago(2) });
    await createEvent(
      test.dataSource,
      { ownerId: await idOf(owner) },
      { type: 'bundle.deleted', at: recoveries.ago(2) },
    );

    const recovery = await recoveries.start(owner, endpointId, { include_missing: true });
    await recoveries.stepUntilDone();
    expect(await recoveries.queuedEvents(endpointId)).toEqual([missing, tellsOfOther].sort());
    expect(await recoveries.statusesOf(endpointId)).toEqual(
      new Map([
        [missing, 'PENDING'],
        [tellsOfOther, 'PENDING'],
      ]),
    );
    expect(await recoveries.read(owner, endpointId, recovery)).toMatchObject({ scanned: 4, queued: 2 });
    const deliveries = await owner.get(`/v1/webhooks/${endpointId}/deliveries`);
    expect(deliveries.body).toMatchObject([
      { status: 'PENDING', attempt_count: 0, next_attempt_at: clock.time.toISOString() },
      { status: 'PENDING', attempt_count: 0, next_attempt_at: clock.time.toISOString() },
    ]);
  });

  it('of a personal endpoint finds the person’s own events', async () => {
    const person = await test.as('recovering-person');
    const ownerId = await idOf(person);
    const { id: endpointId } = await createEndpoint(person);
    const failed = await recoveries.delivered(endpointId, { ownerId }, 1, { status: 'FAILED' });
    const missing = await createEvent(test.dataSource, { ownerId }, { at: recoveries.ago(1) });
    await createEvent(test.dataSource, { orgId: cast.orgId }, { at: recoveries.ago(1) });
    await recoveries.start(person, endpointId, { include_missing: true });
    await recoveries.stepUntilDone();
    expect(await recoveries.queuedEvents(endpointId)).toEqual([failed, missing].sort());
  });

  it('treats void deliveries as cancelled, even if they are still in the queue', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene();
    const make = async (hours: number) => {
      const eventId = await createEvent(test.dataSource, owns, { at: recoveries.ago(hours) });
      return createDelivery(test.dataSource, endpointId, { eventId, status: 'PENDING' });
    };
    const [stale, current] = [await make(2), await make(1)];
    await queueDelivery(test.dataSource, endpointId, stale, { generation: 0, step: 5, dueAt: recoveries.ago(-9) });
    await queueDelivery(test.dataSource, endpointId, current, { step: 5, dueAt: recoveries.ago(-9) });
    await recoveries.start(owner, endpointId);
    await recoveries.stepUntilDone();
    const queued = new Map((await queueOf(test.dataSource, endpointId)).map((row) => [row.delivery_id, row]));
    expect(queued.get(stale.id)).toMatchObject({ generation: 1, step: 0, due_at: clock.time });
    expect(queued.get(current.id)).toMatchObject({ generation: 1, step: 5, due_at: recoveries.ago(-9) });
  });

  it('creates no deliveries that retention would soon remove', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene();
    const days = (count: number, ms: number) => recoveries.ago(count * 24, ms);
    await createEvent(test.dataSource, owns, { at: days(30, HOUR_MS - 1) });
    const kept = await createEvent(test.dataSource, owns, { at: days(30, HOUR_MS) });
    const failed = await recoveries.delivered(endpointId, owns, 31 * 24, { status: 'FAILED' });
    await recoveries.start(owner, endpointId, { since: days(90, 0).toISOString(), include_missing: true });
    await recoveries.stepUntilDone();
    expect(await recoveries.queuedEvents(endpointId)).toEqual([kept, failed].sort());
  });

  it('does not duplicate the delivery that the engine creates for a recent event', async () => {
    const { owner, endpointId, owns } = await recoveries.newScene();
    clock.time = new Date();
    const eventId = await createEvent(test.dataSource, owns, { at: clock.time });
    clock.advance(1);
    await recoveries.start(owner, endpointId, { include_missing: true });
    await recoveries.stepUntilDone();
    const before = await queueOf(test.dataSource, endpointId);
    expect(before.map(({ event_id }) => event_id)).toEqual([eventId]);
    while (await test.app.get(FanOut).step());
    expect(await queueOf(test.dataSource, endpointId)).toEqual(before);
    expect(await recoveries.statusesOf(endpointId)).toEqual(new Map([[eventId, 'PENDING']]));
  });
});

describe('A webhook recovery of 1,203 events', () => {
  const TOTAL = 1_203;
  let scene: Scene;
  let recovery: WebhookRecovery;

  /** A third failed, a third never created, a third succeeded; one event every ten seconds. */
  beforeEach(async () => {
    scene = await recoveries.newScene();
    await test.dataSource.query(
      `WITH made AS (
         INSERT INTO events (id, type, org_id, data, created_at)
         SELECT encode(overlay(uuid_send(uuid_v7())
                  PLACING substring(int8send($3::bigint + n * 10000) FROM 3) FROM 1 FOR 6), 'hex')::uuid,
                'bundle.created', $1,
                $5,
                to_timestamp(($3::bigint + n * 10000) / 1000.0)
         FROM generate_series(1, $4) AS n RETURNING id
       )
       INSERT INTO webhook_deliveries (endpoint_id, id, event_id, event_type, status)
       SELECT $2, uuid_v7(), id, 'bundle.created', CASE WHEN number % 3 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM made) AS numbered WHERE number % 3 < 2`,
      [scene.orgId, scene.endpointId, recoveries.ago(4).getTime(), TOTAL, JSON.stringify(exampleOf('bundle.created'))],
    );
    recovery = await recoveries.start(scene.owner, scene.endpointId, {
      since: recoveries.ago(4).toISOString(),
      include_missing: true,
    });
  });

  const now = () => recoveries.read(scene.owner, scene.endpointId, recovery);

  async function expectAllOnce(): Promise<void> {
    const statuses = [...(await recoveries.statusesOf(scene.endpointId)).values()];
    expect(statuses.filter((status) => status === 'PENDING')).toHaveLength((TOTAL / 3) * 2);
    expect(statuses.filter((status) => status === 'SUCCEEDED')).toHaveLength(TOTAL / 3);
    const queued = await queueOf(test.dataSource, scene.endpointId);
    expect(new Set(queued.map(({ event_id }) => event_id)).size).toBe((TOTAL / 3) * 2);
    expect(queued).toHaveLength((TOTAL / 3) * 2);
    // Anything queued twice would be counted twice.
    expect(await now()).toMatchObject({ status: 'COMPLETED', scanned: TOTAL, queued: (TOTAL / 3) * 2, progress: 1 });
  }

  it('proceeds in steps, and reports its progress', async () => {
    const seen = [await now()];
    while (await recoveries.runner.step()) seen.push(await now());
    seen.push(await now());
    expect(seen.map(({ scanned }) => scanned)).toEqual([0, 500, 1_000, TOTAL]);
    expect(seen.map(({ status }) => status)).toEqual(['RUNNING', 'RUNNING', 'RUNNING', 'COMPLETED']);
    // 500 and 1,000 of 1,440 times ten seconds.
    expect(seen.map(({ progress }) => progress)).toEqual([0, 0.347, 0.694, 1]);
    await expectAllOnce();
  });

  it('loses and duplicates nothing if a step fails', async () => {
    await recoveries.runner.step();
    const before = await now();
    const queued = await queueOf(test.dataSource, scene.endpointId);
    await test.dataSource.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'The disk is full.'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON webhook_recoveries FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      await expect(recoveries.runner.step()).rejects.toThrow('The disk is full.');
    } finally {
      await test.dataSource.query('DROP FUNCTION refuse CASCADE');
    }
    expect(await now()).toEqual(before);
    expect(await queueOf(test.dataSource, scene.endpointId)).toEqual(queued);
    await recoveries.stepUntilDone();
    await expectAllOnce();
  });

  it('is not blocked by another recovery whose steps fail', async () => {
    const broken = await recoveries.newScene();
    const { id } = await recoveries.start(broken.owner, broken.endpointId);
    await test.dataSource.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'The disk is full.'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON webhook_recoveries FOR EACH ROW WHEN (old.id = '${id}')
        EXECUTE FUNCTION refuse();
      -- So that the broken one has its turn first.
      UPDATE webhook_recoveries SET id = uuid_v7() WHERE id = '${recovery.id}'`);
    recovery = (await scene.owner.get(`/v1/webhooks/${scene.endpointId}/recoveries`)).body[0] as WebhookRecovery;
    try {
      for (let round = 0; round < 3; round++)
        await expect(recoveries.runner.step()).rejects.toThrow('The disk is full.');
    } finally {
      await test.dataSource.query('DROP FUNCTION refuse CASCADE');
    }
    await expectAllOnce();
  });

  it('is not blocked by an owner with recoveries at many endpoints', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await createEndpoint(scene.owner, { org_id: scene.orgId });
      await recoveries.start(scene.owner, id);
    }
    const other = await recoveries.newScene();
    const late = await recoveries.start(other.owner, other.endpointId);
    expect(await recoveries.runner.step()).toBe(true);
    expect(await recoveries.read(other.owner, other.endpointId, late)).toMatchObject({ status: 'COMPLETED' });
    // One of the six has had its turn: the long one continues, each of the others is then done.
    const left = `SELECT FROM webhook_recoveries WHERE status = 'RUNNING' AND NOT scanned >= 500`;
    expect((await test.dataSource.query<object[]>(left)).length).toBe(5);
  });

  it('loses and duplicates nothing if the connection is killed during a step', async () => {
    await recoveries.runner.step();
    const before = await now();
    const queued = await queueOf(test.dataSource, scene.endpointId);
    const holder = test.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      // The last row that the next step locks, after it has created the missing deliveries.
      await holder.query(
        `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'FAILED' ORDER BY event_id OFFSET 100 LIMIT 1
         FOR UPDATE`,
        [scene.endpointId],
      );
      const step = recoveries.runner.step().then(
        () => 'done',
        () => 'killed',
      );
      const waiting = `
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE webhook_deliveries%'`;
      const [backend] = await eventually(
        () => test.dataSource.query<{ pid: number }[]>(waiting),
        (rows) => rows.length === 1,
        10_000,
      );
      await test.dataSource.query(`SELECT pg_terminate_backend($1)`, [backend?.pid]);
      expect(await step).toBe('killed');
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    expect(await now()).toEqual(before);
    expect(await queueOf(test.dataSource, scene.endpointId)).toEqual(queued);
    await recoveries.stepUntilDone();
    await expectAllOnce();
  });

  it('is done only once by several processes', async () => {
    const replica = await createTestApp({ clock, database: test.database, env: { RUN: 'api' } });
    const { runner } = recoveries;
    const runners = [runner, replica.app.get(RecoveryRunner), runner, replica.app.get(RecoveryRunner)];
    try {
      for (let round = 0; (await now()).status === 'RUNNING'; round++) {
        if (round > 50) throw new Error('It does not come to an end.');
        await Promise.all(runners.map((one) => one.step()));
      }
    } finally {
      await replica.close();
    }
    await expectAllOnce();
  });

  it('waits while another transaction changes the endpoint', async () => {
    const holder = test.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [scene.endpointId]);
    expect(await recoveries.runner.step()).toBe(false);
    await holder.rollbackTransaction();
    await holder.release();
    expect(await now()).toEqual(recovery);
    await recoveries.stepUntilDone();
    await expectAllOnce();
  });

  it('stops if the endpoint is disabled halfway, and what it queued is cancelled', async () => {
    await recoveries.runner.step();
    const before = await now();
    await scene.owner.patch(`/v1/webhooks/${scene.endpointId}`, { is_active: false });
    expect(await recoveries.runner.step()).toBe(false);
    expect(await now()).toMatchObject({ ...before, status: 'CANCELLED', finished_at: clock.time.toISOString() });
    expect(await queueOf(test.dataSource, scene.endpointId)).toEqual([]);
    await scene.owner.patch(`/v1/webhooks/${scene.endpointId}`, { is_active: true });
    recovery = await recoveries.start(scene.owner, scene.endpointId, {
      since: recoveries.ago(4).toISOString(),
      include_missing: true,
    });
    await recoveries.stepUntilDone();
    await expectAllOnce();
  });
});

describe('The deliveries that a webhook recovery queues', () => {
  interface Happened {
    /** Milliseconds after since; can be negative. */
    at: number;
    /** How much earlier the timestamp of its id is. */
    skew: number;
    type: string;
    foreign: boolean;
    status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'VOID' | undefined;
  }

  const SPAN_MS = 30 * 60_000;
  const happened = fc.record<Happened>({
    at: fc.oneof(fc.constantFrom(-1, 0, SPAN_MS - 1, SPAN_MS), fc.integer({ min: -SPAN_MS, max: 2 * SPAN_MS })),
    skew: fc.integer({ min: -9 * 60_000, max: 9 * 60_000 }),
    type: fc.constantFrom('bundle.created', 'bundle.deleted', 'member.added'),
    foreign: fc.boolean(),
    status: fc.constantFrom('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'VOID', undefined),
  });

  /** The rule of section 8 of the contract and of the operation, by hand. */
  function isWanted({ at, type, foreign, status }: Happened, listening: string[], includeMissing: boolean): boolean {
    if (foreign || at < 0 || at >= SPAN_MS) return false;
    if (status === undefined) return includeMissing && listening.includes(type);
    return ['FAILED', 'CANCELLED', 'VOID'].includes(status);
  }

  it('match a simple model, for random histories', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happened, { maxLength: 25 }),
        fc.subarray(['bundle.created', 'bundle.deleted', 'member.added']),
        fc.boolean(),
        async (events, listening, includeMissing) => {
          const endpointId = await newEndpoint({ event_types: listening });
          const { orgId: otherOrgId } = stranger;
          const since = recoveries.ago(5);
          // Separate from those of other runs.
          await test.dataSource.query(`DELETE FROM events WHERE org_id = ANY ($1)`, [[cast.orgId, otherOrgId]]);
          const wanted: string[] = [];
          let meant = 0;
          for (const event of events) {
            const createdAt = new Date(since.getTime() + event.at);
            const eventId = await createEvent(
              test.dataSource,
              { orgId: event.foreign ? otherOrgId : cast.orgId },
              { type: event.type, createdAt, at: new Date(createdAt.getTime() - event.skew) },
            );
            if (!event.foreign && event.at >= 0 && event.at < SPAN_MS) meant += 1;
            if (isWanted(event, listening, includeMissing)) wanted.push(eventId);
            if (event.status === undefined || event.foreign) continue;
            const status = event.status === 'VOID' ? 'PENDING' : event.status;
            const delivery = await createDelivery(test.dataSource, endpointId, { eventId, type: event.type, status });
            if (status === 'PENDING') {
              const generation = event.status === 'VOID' ? 0 : 1;
              await queueDelivery(test.dataSource, endpointId, delivery, { generation, step: 7 });
            }
          }
          const recovery = await recoveries.start(cast.admin, endpointId, {
            since: since.toISOString(),
            until: new Date(since.getTime() + SPAN_MS).toISOString(),
            include_missing: includeMissing,
          });
          await recoveries.stepUntilDone();
          const queued = await queueOf(test.dataSource, endpointId);
          // Deliveries that were waiting before continue where they were.
          const fresh = queued.filter(({ step, generation }) => step === 0 && generation === 1);
          expect(fresh.map(({ event_id }) => event_id).sort()).toEqual(wanted.sort());
          expect(queued.filter(({ generation }) => generation === 0)).toHaveLength(
            events.filter((event) => event.status === 'VOID' && !event.foreign && !isWanted(event, listening, true))
              .length,
          );
          expect(await recoveries.read(cast.admin, endpointId, recovery)).toMatchObject({
            status: 'COMPLETED',
            scanned: meant,
            queued: wanted.length,
            progress: 1,
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  let stranger: Cast;
  beforeAll(async () => {
    stranger = await createCast(test);
  });
});
