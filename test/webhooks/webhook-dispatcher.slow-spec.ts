import { Dispatcher } from '../../src/webhooks/engine/dispatcher';
import { type SendResult, WebhookSender } from '../../src/webhooks/sending/webhook-sender';
import { createTestApp, TestApp } from '../support/app';
import { createDelivery, createEvent, queueDelivery } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { createEndpoint, idOf, unique } from '../support/factories';

const SLOTS = 16;
const HALF = SLOTS / 2;

const refused = (): SendResult => ({
  startedAt: new Date(),
  durationMs: 1,
  responseStatus: 500,
  responseBody: '',
  retryAfter: null,
  error: { code: 'http_status', message: 'The answer was 500.' },
});

type Kind = 'failing' | 'working';

describe('The webhook dispatcher', () => {
  let test: TestApp;
  let dispatcher: Dispatcher;
  /** Hanging attempts by the path of their endpoint, with the function that ends them. */
  const underWay = new Map<string, (result: SendResult) => void>();
  const countOf = (kind: Kind) => [...underWay.keys()].filter((path) => path.startsWith(`/${kind}`)).length;
  const settled = (failing: number, working: number) =>
    eventually(
      () => ({ failing: countOf('failing'), working: countOf('working') }),
      (now) => now.failing === failing && now.working === working,
      10_000,
    );

  beforeAll(async () => {
    // Nothing runs except the dispatcher, which the test wakes.
    test = await createTestApp({ env: { RUN: 'api', WEBHOOKS_IN_FLIGHT: String(SLOTS) } });
    dispatcher = test.app.get(Dispatcher);
    jest.spyOn(test.app.get(WebhookSender), 'send').mockImplementation(
      ({ targetUrl, id }) =>
        new Promise((resolve) => {
          const path = `${new URL(targetUrl).pathname}/${id}`;
          underWay.set(path, (result) => {
            underWay.delete(path);
            resolve(result);
          });
        }),
    );
  });

  afterAll(async () => {
    for (const end of underWay.values()) end(refused());
    await dispatcher.stop();
    await test.close();
  });

  /** Endpoints with a due delivery, each owned by a separate person, so that no other limit applies. */
  async function endpoints(kind: Kind, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const owner = await test.as(unique(kind));
      const { id } = await createEndpoint(owner, { target_url: `https://hooks.example.com/${kind}/${n}` });
      const ownerId = await idOf(owner);
      const eventId = await createEvent(test.dataSource, { ownerId });
      await queueDelivery(test.dataSource, id, await createDelivery(test.dataSource, id, { eventId }));
      await test.dataSource.query(
        `UPDATE webhook_lanes SET is_proven = true, wake_at = now(), failing_since = CASE WHEN $2 THEN now() END
         WHERE endpoint_id = $1`,
        [id, kind === 'failing'],
      );
    }
  }

  it('gives failing lanes at most half of the slots, and the rest to working ones', async () => {
    await endpoints('failing', SLOTS + 2);
    dispatcher.wake();
    await settled(HALF, 0);

    // No more than there are slots: working lanes may use what failing ones leave free.
    await endpoints('working', HALF);
    dispatcher.wake();
    await settled(HALF, HALF);

    // As attempts of failing lanes end, others are tried; they never hold more than their half.
    const tried = new Set(underWay.keys());
    let most = 0;
    for (let ended = 0; ended < HALF; ended++) {
      const [path, end] = [...underWay].find(([key]) => key.startsWith('/failing')) ?? [];
      if (!path || !end) throw new Error('No failing lane is being tried.');
      end(refused());
      await settled(HALF, HALF);
      for (const key of underWay.keys()) tried.add(key);
      most = Math.max(most, countOf('failing'));
    }
    expect(most).toBe(HALF);
    expect([...tried].filter((path) => path.startsWith('/failing'))).toHaveLength(SLOTS);
  });
});
