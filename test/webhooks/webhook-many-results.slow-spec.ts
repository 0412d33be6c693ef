import { Dispatcher } from '../../src/webhooks/engine/dispatcher';
import { FanOut } from '../../src/webhooks/engine/fan-out';
import { Results } from '../../src/webhooks/engine/results';
import { type SendResult, WebhookSender } from '../../src/webhooks/sending/webhook-sender';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createEndpoint, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { recordEvents } from '../support/sending';

const ENDPOINTS = 10;
const EVENTS = 8;
/** More than are recorded one by one. */
const MANY = ENDPOINTS * EVENTS;
const WITHIN_MS = 10_000;

const answer = (body: string): SendResult => ({
  startedAt: new Date(),
  durationMs: 1,
  responseStatus: 200,
  responseBody: body,
  retryAfter: null,
  error: null,
});

/** Nothing runs except the dispatcher, which the test wakes; attempts end when the test says so. */
describe('Many results at once', () => {
  let test: TestApp;
  let dispatcher: Dispatcher;
  let orgId: string;
  const ends: ((result: SendResult) => void)[] = [];
  // A test that failed leaves deliveries, which are claimed while the dispatcher stops.
  let isOver = false;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    dispatcher = test.app.get(Dispatcher);
    jest
      .spyOn(test.app.get(WebhookSender), 'send')
      .mockImplementation(() =>
        isOver ? Promise.resolve(answer('over')) : new Promise((resolve) => void ends.push(resolve)),
      );
  });

  afterAll(async () => {
    isOver = true;
    endAll();
    await dispatcher.stop();
    await test.close();
  });

  afterEach(() => endAll());

  beforeEach(async () => {
    const owner = await test.as('owner');
    ({ id: orgId } = (await owner.post('/v1/organisations', { name: unique('Many') })).body);
    for (let n = 0; n < ENDPOINTS; n++)
      await createEndpoint(owner, { org_id: orgId, target_url: `https://hooks.example.com/${n}` });
    await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = true`);
  });

  const endAll = (resultOf: (place: number) => SendResult = () => answer('fine')) => {
    for (const [place, end] of ends.splice(0).entries()) end(resultOf(place));
  };
  async function queue(): Promise<void> {
    await recordEvents(test.dataSource, orgId, EVENTS);
    while (await test.app.get(FanOut).step());
  }
  const underWay = (count: number) =>
    eventually(
      () => ends.length,
      (length) => length === count,
      WITHIN_MS,
    );
  const states = async () =>
    (
      await test.dataSource.query<{ state: string }[]>(
        `SELECT format('%s %s', status, attempt_count) AS state FROM webhook_deliveries
         WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE org_id = $1)`,
        [orgId],
      )
    ).map(({ state }) => state);
  const ended = (count: number) =>
    eventually(states, (all) => all.length === count && all.every((state) => state === 'SUCCEEDED 1'), WITHIN_MS);

  it('are recorded in the transaction that claims what waits', async () => {
    await queue();
    dispatcher.wake();
    await underWay(MANY);
    await queue();
    const alone = jest.spyOn(test.app.get(Results), 'record');
    endAll();
    // Nothing else wakes it.
    await underWay(MANY);
    expect(alone).not.toHaveBeenCalled();
    alone.mockRestore();
    endAll();
    await ended(2 * MANY);
  });

  it('are recorded one by one where the database rejects one of them, and what waits is claimed all the same', async () => {
    await queue();
    dispatcher.wake();
    await underWay(MANY);
    await queue();
    endAll((place) => answer(place === 40 ? 'NUL \0' : 'fine'));
    await underWay(MANY);
    endAll();
    await ended(2 * MANY);
    const bodies = await test.dataSource.query<object[]>(
      `SELECT response_body, count(*)::int FROM webhook_attempts
       WHERE delivery_id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id IN (
         SELECT id FROM webhook_endpoints WHERE org_id = $1)) GROUP BY 1 ORDER BY 1`,
      [orgId],
    );
    expect(bodies).toEqual([
      { response_body: 'fine', count: 2 * MANY - 1 },
      { response_body: null, count: 1 },
    ]);
  });

  it('do not keep new deliveries of others from being sent while they wait for a lane', async () => {
    await queue();
    dispatcher.wake();
    await underWay(MANY);
    const lanes = `SELECT FROM webhook_lanes WHERE endpoint_id IN (
      SELECT id FROM webhook_endpoints WHERE org_id = '${orgId}') FOR UPDATE`;
    await holding(test.dataSource, lanes, async () => {
      endAll();
      await untilBlocked(test.dataSource, 1);
      const owner = await test.as('owner');
      const { id: other } = (await owner.post('/v1/organisations', { name: unique('Other') })).body;
      const { id } = await createEndpoint(owner, { org_id: other, target_url: 'https://hooks.example.com/other' });
      await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = true WHERE endpoint_id = $1`, [id]);
      await recordEvents(test.dataSource, other);
      await dispatcher.createDeliveries();
      await underWay(1);
    });
    endAll();
    await ended(MANY);
  });

  it('lock the endpoint before its lane, as its deletion does, so that the two cannot deadlock', async () => {
    await queue();
    dispatcher.wake();
    await underWay(MANY);
    await queue();
    const [endpoint] = await test.dataSource.query<{ id: string }[]>(
      `SELECT id FROM webhook_endpoints WHERE org_id = $1 LIMIT 1`,
      [orgId],
    );
    const byId = `WHERE endpoint_id = '${endpoint?.id}'`;
    // So that the results change its lane, and then the claim does.
    await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = false ${byId}`);
    await holding(
      test.dataSource,
      `SELECT FROM webhook_endpoints WHERE id = '${endpoint?.id}' FOR UPDATE`,
      async () => {
        endAll();
        await untilBlocked(test.dataSource, 1);
        const free = `SELECT FROM webhook_lanes ${byId} FOR UPDATE SKIP LOCKED`;
        expect(await test.dataSource.query(free)).toHaveLength(1);
      },
    );
    await underWay(MANY);
    endAll();
    await ended(2 * MANY);
  });
});
