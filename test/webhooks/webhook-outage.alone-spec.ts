import { createTestApp, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { crowding, eventually } from '../support/eventually';
import { createEndpoint } from '../support/factories';
import { DatabaseProxy } from '../support/proxy';
import { Receiver } from '../support/receiver';
import { deliveriesOf, deliveriesWhen, recordEvents, SENDING } from '../support/sending';

const LONG_MS = 20_000;

describe('A webhook worker', () => {
  let direct: TestDatabase;
  let proxy: DatabaseProxy;
  let test: TestApp;
  let receiver: Receiver;
  let orgId: string;
  let id: string;

  beforeEach(async () => {
    direct = await createDatabase();
    proxy = await DatabaseProxy.before(direct.url);
    test = await createTestApp({
      env: { ...SENDING, WEBHOOKS_DEADLINE_SECONDS: '5', WEBHOOKS_LEASE_SECONDS: '10' },
      database: { ...direct, url: proxy.url },
    });
    receiver = await Receiver.start();
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: 'Patient' })).body);
    ({ id } = await createEndpoint(owner, { org_id: orgId, target_url: receiver.url }));
    // As if it had succeeded before: new endpoints get two at a time.
    await direct.dataSource.query(`UPDATE webhook_lanes SET is_proven = true WHERE endpoint_id = $1`, [id]);
  });

  afterEach(async () => {
    await proxy.reopen();
    await test.close();
    await proxy.close();
    await receiver.close();
    await direct.drop();
  });

  const allSucceeded = (count: number) =>
    deliveriesWhen(
      direct.dataSource,
      id,
      (all) => all.length === count && all.every(({ status }) => status === 'SUCCEEDED'),
      LONG_MS,
    );

  it('whose database goes away keeps its results, and sends nothing twice if it is back soon', async () => {
    const answer: (() => void)[] = [];
    receiver.handler = (_, response) => void answer.push(() => response.writeHead(204).end());
    await recordEvents(direct.dataSource, orgId, 15);
    await eventually(
      () => answer.length,
      (count) => count === 15,
      LONG_MS,
    );
    await proxy.close();
    answer.forEach((one) => one());
    receiver.handler = (_, response) => void response.writeHead(204).end();
    await recordEvents(direct.dataSource, orgId, 200);
    await eventually(() => test.log.some((line) => line.includes('Webhook deliveries are paused')), Boolean, LONG_MS);
    await proxy.reopen();
    await allSucceeded(215);
    expect(receiver.requests).toHaveLength(215);
    await eventually(() => test.log.some((line) => line.includes('Webhook deliveries resumed')), Boolean, LONG_MS);
  });

  it('that receives no notifications polls within two seconds', async () => {
    expect(proxy.silence('listeners')).toBe(1);
    await recordEvents(direct.dataSource, orgId);
    const begin = performance.now();
    await eventually(
      () => receiver.requests.length,
      (count) => count === 1,
      LONG_MS,
    );
    expect(performance.now() - begin).toBeLessThan(4_000 * crowding());
  });

  it('that is asked to stop finishes its attempts in progress, and records them', async () => {
    const answer: (() => void)[] = [];
    receiver.handler = (_, response) => void answer.push(() => response.writeHead(204).end());
    await recordEvents(direct.dataSource, orgId, 50); // more than can be in progress at once
    await eventually(
      () => answer.length,
      (count) => count === 20,
      LONG_MS,
    );
    const closed = test.app.close();
    answer.forEach((one) => one());
    await closed;
    const all = await deliveriesOf(direct.dataSource, id);
    expect(all.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(20);
    expect(all.filter(({ is_claimed }) => is_claimed)).toEqual([]);
    expect(receiver.requests).toHaveLength(20);
  });

  it('that is asked to stop while a receiver hangs waits only until the deadline', async () => {
    receiver.handler = () => undefined;
    await recordEvents(direct.dataSource, orgId);
    await eventually(
      () => receiver.requests.length,
      (count) => count === 1,
      LONG_MS,
    );
    const begin = performance.now();
    await test.app.close();
    expect(performance.now() - begin).toBeLessThan(7_000 * crowding());
    expect(await deliveriesOf(direct.dataSource, id)).toMatchObject([
      { status: 'PENDING', error: 'timeout', step: 1, is_claimed: false },
    ]);
  });
});
