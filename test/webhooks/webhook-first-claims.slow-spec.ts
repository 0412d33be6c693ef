import { Claims } from '../../src/webhooks/engine/claims';
import { FanOut, type FirstClaim } from '../../src/webhooks/engine/fan-out';
import { Slots } from '../../src/webhooks/sending/slots';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { queueOf } from '../support/deliveries';
import { createEndpoint } from '../support/factories';
import { recordEvents } from '../support/sending';

const LEASE_MS = 40_000;

/** What a process claims in the transaction that creates deliveries (ADR 25). Nothing runs unless it is called here. */
describe('The first claim of a webhook delivery', () => {
  const clock = new FakeClock(new Date());
  let test: TestApp;
  let orgId: string;
  let id: string;

  beforeAll(async () => {
    test = await createTestApp({ clock, env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: 'First' })).body);
    ({ id } = await createEndpoint(owner, { org_id: orgId }));
    await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = true`);
  });

  afterEach(() => test.dataSource.query(`DELETE FROM organisations`));

  /** One step of the fan-out by a process with these slots. */
  async function step(slots: Slots | undefined = new Slots(128)): Promise<FirstClaim | undefined> {
    let sent: FirstClaim | undefined;
    await test.app.get(FanOut).step({ slots: () => slots, send: (claim) => (sent = claim) });
    return sent;
  }

  const wakeAt = async () =>
    (
      await test.dataSource.query<{ wake_at: Date | null }[]>(
        `SELECT wake_at FROM webhook_lanes WHERE endpoint_id = $1`,
        [id],
      )
    )[0]?.wake_at?.getTime();

  it('is made with the delivery, ends with the lease, and keeps the process’s slots until it is sent', async () => {
    const [eventId] = await recordEvents(test.dataSource, orgId);
    const slots = new Slots(128);
    const claim = await step(slots);
    expect(claim?.deliveries).toMatchObject([
      { endpoint_id: id, event_id: eventId, attempt: 1, step: 0, type: 'bundle.created', is_doubtful: false },
    ]);
    const leaseEnd = new Date(clock.now().getTime() + LEASE_MS);
    expect(await queueOf(test.dataSource, id)).toMatchObject([
      { event_id: eventId, generation: 1, step: 0, attempt: 1, claim_id: claim?.id, due_at: leaseEnd },
    ]);
    expect(await wakeAt()).toBe(leaseEnd.getTime());
    expect(slots.free.total).toBe(128); // the sender takes them
    expect(await test.dataSource.query(`SELECT FROM webhook_new_events`)).toEqual([]);
  });

  it('is reclaimed like any other if no result arrives', async () => {
    await recordEvents(test.dataSource, orgId);
    const first = await step();
    const again = async () => (await test.app.get(Claims).take(new Slots(128))).deliveries;
    expect(await again()).toEqual([]);
    clock.advance(LEASE_MS);
    expect(await again()).toMatchObject([{ delivery_id: first?.deliveries[0]?.delivery_id, attempt: 2 }]);
  });

  it('does not write a lane that wakes in time', async () => {
    await recordEvents(test.dataSource, orgId);
    await step();
    const before = await wakeAt();
    clock.advance(1_000);
    await recordEvents(test.dataSource, orgId);
    expect((await step())?.deliveries).toHaveLength(1);
    expect(await wakeAt()).toBe(before);
  });

  it('is left to others while the lane has something due', async () => {
    await recordEvents(test.dataSource, orgId);
    await test.app.get(FanOut).step();
    await recordEvents(test.dataSource, orgId);
    expect(await step()).toBeUndefined();
    expect(await queueOf(test.dataSource, id)).toMatchObject([{ claim_id: null }, { claim_id: null }]);
    expect((await test.app.get(Claims).take(new Slots(128))).deliveries).toHaveLength(2);
  });

  it('is not made for an endpoint that has never succeeded', async () => {
    await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = false`);
    await recordEvents(test.dataSource, orgId);
    expect(await step()).toBeUndefined();
    expect(await wakeAt()).toBe(clock.now().getTime());
  });

  it('gives its slots back if the transaction fails', async () => {
    await recordEvents(test.dataSource, orgId);
    await test.dataSource.query(
      `ALTER TABLE webhook_queue ADD CONSTRAINT never CHECK (endpoint_id <> '${id}') NOT VALID`,
    );
    const slots = new Slots(128);
    await expect(step(slots)).rejects.toThrow('never');
    expect(slots.free.total).toBe(128);
    await test.dataSource.query(`ALTER TABLE webhook_queue DROP CONSTRAINT never`);
    expect((await step(slots))?.deliveries).toHaveLength(1);
  });
});
