import { randomInt } from 'node:crypto';
import { createTestApp, TestApp } from '../support/app';
import { newFolder, removeFolders } from '../support/embedded';
import { eventually } from '../support/eventually';
import { createEndpoint } from '../support/factories';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';
import { killToolyards, startToolyard, ToolyardProcess } from '../support/toolyard-process';

const EVENTS = 10_000; // that are committed; as many are rolled back
const KILLS = 20;
const WORKERS = 2;
const WRITERS = 8;
/** How long a reclaim may take (contract, section 8); the lease is 2 s here. */
const TAKEOVER_MS = 60_000;

/** Like a real change: some events in one transaction, which fails in half of the cases. */
async function write(test: TestApp, orgIds: readonly string[], committed: string[], undone: string[]): Promise<void> {
  const runner = test.dataSource.createQueryRunner();
  try {
    while (committed.length < EVENTS) {
      const count = randomInt(1, 40);
      const rows = [committed, undone];
      for (const [index, list] of (randomInt(2) === 0 ? rows : rows.reverse()).entries()) {
        if (list === committed && committed.length >= EVENTS) continue;
        await runner.startTransaction();
        const written = (await runner.query(
          `INSERT INTO events (id, type, org_id, data)
           SELECT uuid_v7(), 'bundle.created', $1, jsonb_build_object('n', n) FROM generate_series(1, $2::int) AS n RETURNING id`,
          [orgIds[index % orgIds.length], count],
        )) as { id: string }[];
        if (list === committed) await runner.commitTransaction();
        else await runner.rollbackTransaction();
        list.push(...written.map(({ id }) => id));
      }
    }
  } finally {
    await runner.release();
  }
}

describe('Webhook workers that are killed repeatedly', () => {
  let test: TestApp;
  let receiver: Receiver;
  const orgIds: string[] = [];

  beforeAll(async () => {
    test = await createTestApp({ env: { ...SENDING, RUN: 'api' } });
    // Slow enough that something is in progress whenever a worker dies.
    receiver = await Receiver.start((_, response) => {
      setTimeout(() => response.writeHead(204).end(), randomInt(80));
    });
    const owner = await test.as('owner');
    for (let n = 0; n < 4; n++) {
      const { id } = (await owner.post('/v1/organisations', { name: `Crashing ${n}` })).body;
      await createEndpoint(owner, { org_id: id, target_url: receiver.url });
      orgIds.push(id);
    }
  });

  afterAll(async () => {
    await killToolyards();
    await receiver.close();
    await test.dataSource.query(`TRUNCATE events`);
    await test.close();
    removeFolders();
  });

  const startWorker = () =>
    startToolyard({
      ...SENDING,
      RUN: 'worker',
      DATABASE_URL: test.database.url,
      DATA_DIR: newFolder(),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOKS_DEADLINE_SECONDS: '1',
      WEBHOOKS_LEASE_SECONDS: '2',
    });

  const count = (table: string, condition = 'true') =>
    test.dataSource
      .query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`)
      .then(([row]) => Number(row?.count));

  it('lose nothing, invent nothing, and reclaim orphaned deliveries within a minute', async () => {
    const workers: ToolyardProcess[] = [];
    for (let n = 0; n < WORKERS; n++) workers.push(await (await startWorker()).ready());
    const committed: string[] = [];
    const undone: string[] = [];
    const writers = Array.from({ length: WRITERS }, () => write(test, orgIds, committed, undone));

    let orphaned = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      // In the middle of something: a random time after the next arrival.
      const seen = receiver.requests.length;
      await eventually(
        () => receiver.requests.length,
        (now) => now > seen || committed.length >= EVENTS,
        30_000,
      );
      await new Promise((resolve) => setTimeout(resolve, randomInt(300)));
      const victim = workers.splice(randomInt(WORKERS), 1)[0];
      victim?.signal('SIGKILL');
      expect(await victim?.exit).toEqual({ code: null, signal: 'SIGKILL' });
      orphaned += await count('webhook_queue', 'claim_id IS NOT NULL');
      workers.push(await startWorker());
      if (kill % 4 === 0) await workers.at(-1)?.ready();
    }
    await Promise.all(writers);
    expect(orphaned).toBeGreaterThan(KILLS); // otherwise hardly anything was ever in progress

    await eventually(
      async () => [await count('webhook_new_events'), await count('webhook_queue')],
      ([fresh, queued]) => fresh === 0 && queued === 0,
      TAKEOVER_MS,
    );
    const arrived = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(arrived)).toEqual(new Set(committed)); // all, and nothing else
    expect(committed.length).toBeGreaterThanOrEqual(EVENTS);
    expect(undone.length).toBeGreaterThan(EVENTS / 3);
    expect(undone.filter((id) => arrived.includes(id))).toEqual([]);

    // A message that arrived twice is the same: same id, same bytes.
    const bodies = new Map<string, string>();
    for (const { headers, body } of receiver.requests) {
      const id = String(headers['webhook-id']);
      expect(bodies.get(id) ?? body.toString()).toBe(body.toString());
      bodies.set(id, body.toString());
    }
    expect(await count('webhook_deliveries', `status = 'SUCCEEDED'`)).toBe(committed.length);
    expect(await count('webhook_deliveries')).toBe(committed.length);
    // Nothing was sent more often than dead workers explain.
    expect(arrived.length - committed.length).toBeLessThanOrEqual(orphaned);
  });
});
