import { Client } from 'pg';
import { OwnNews } from '../../src/database/own-news';
import { FanOut } from '../../src/webhooks/engine/fan-out';
import { WebhookWorker } from '../../src/webhooks/engine/webhook-worker';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createBundle, createEndpoint } from '../support/factories';
import { Receiver } from '../support/receiver';
import { recordEvents, SENDING } from '../support/sending';

const LONG_MS = 10_000;
const MARK = 'own_news_mark';

/** Which processes hear of an event that an endpoint subscribes to (ADR 61). */
describe('The news of an event', () => {
  let test: TestApp;
  let replica: TestApp;
  let receiver: Receiver;
  let listener: Client;
  let owner: Api;
  let org_id: string;
  /** The channels of all notifications. */
  let heard: string[];

  beforeEach(async () => {
    test = await createTestApp({ env: SENDING });
    receiver = await Receiver.start();
    owner = await test.as('owner');
    ({ id: org_id } = (await owner.post('/v1/organisations', { name: 'News' })).body);
    await createEndpoint(owner, { org_id, target_url: receiver.url });
    heard = [];
    listener = new Client({ connectionString: test.database.url });
    await listener.connect();
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.query(`LISTEN webhook_events; LISTEN ${MARK}`);
  });

  afterEach(async () => {
    await listener.end();
    await receiver.close();
    await test.close();
  });

  const startReplica = (env: Record<string, string>) =>
    createTestApp({ database: test.database, dataDir: test.dataDir, env: { ...SENDING, ...env } });

  /** @returns how many notifications the work sends to all processes; they arrive in the order of the commits */
  async function notificationsOf(work: () => Promise<unknown>): Promise<number> {
    heard = [];
    await work();
    await listener.query(`SELECT pg_notify($1, '')`, [MARK]);
    await eventually(
      () => heard,
      (channels) => channels.includes(MARK),
      LONG_MS,
    );
    return heard.filter((channel) => channel === 'webhook_events').length;
  }

  /** Creates bundles until one notifies nobody: the connection that it gets has to know the clock of the server. */
  const createUnnotified = async () => {
    const told = jest.spyOn(test.app.get(OwnNews), 'tell');
    await eventually(
      () => notificationsOf(() => createBundle(owner, { org_id })),
      (count) => count === 0,
      LONG_MS,
    );
    expect(told).toHaveBeenCalledTimes(1);
    told.mockRestore();
  };

  /** Waits until all that were recorded have arrived. */
  const allArrive = async () => {
    const [row] = await test.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM events WHERE type = 'bundle.created'`,
    );
    await eventually(
      () => receiver.requests.length,
      (count) => count === row?.count,
      LONG_MS,
    );
  };

  it('stays in the process that has recorded it, if that one sends', async () => {
    await createUnnotified();
    await allArrive();
  });

  it('is sent to all by a process that sends no webhooks, by another kind of change, and by SQL', async () => {
    replica = await startReplica({ RUN: 'api' });
    try {
      const api = await replica.as('owner');
      for (let n = 0; n < 3; n++) expect(await notificationsOf(() => createBundle(api, { org_id }))).toBe(1);
    } finally {
      await replica.app.close();
    }
    const { id } = await createBundle(owner, { org_id });
    await createEndpoint(owner, { org_id, target_url: 'https://hooks.example.com', event_types: ['bundle.updated'] });
    expect(await notificationsOf(() => owner.patch(`/v1/bundles/${id}`, { name: 'Changed' }))).toBe(1);
    expect(await notificationsOf(() => recordEvents(test.dataSource, org_id))).toBe(1);
    await allArrive();
  });

  it('is sent to all by a process that has begun to stop', async () => {
    await createUnnotified();
    await test.app.get(WebhookWorker).beforeApplicationShutdown();
    // More than one: a connection that does not know the clock of the server yet would notify anyway.
    for (let n = 0; n < 5; n++) expect(await notificationsOf(() => createBundle(owner, { org_id }))).toBe(1);
  });

  it('is found by another process, if the one that has it never gets to it', async () => {
    jest.spyOn(test.app.get(FanOut), 'step').mockResolvedValue(false);
    await createUnnotified();
    expect(receiver.requests).toEqual([]);
    replica = await startReplica({});
    try {
      await allArrive();
      await createUnnotified();
      await allArrive();
    } finally {
      await replica.app.close();
    }
  });
});
