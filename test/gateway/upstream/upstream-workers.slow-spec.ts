import { FOR_NONE } from '../../../src/gateway/upstreams/upstream-listing';
import { createDatabase, type TestDatabase } from '../../support/database';
import { crowding, eventually } from '../../support/eventually';
import { TestUpstream, toolOf, type UpstreamEra } from '../support/test-upstream';
import { createStack, known, type UpstreamStack } from '../support/upstream-stack';

describe('A worker that reads lists of upstreams', () => {
  let database: TestDatabase;
  let stack: UpstreamStack;
  let upstream: TestUpstream;
  let workers: UpstreamStack[];

  beforeAll(async () => {
    database = await createDatabase();
    stack = await createStack(database);
  });

  afterAll(async () => {
    await stack.close();
    await database.drop();
  });

  beforeEach(async () => {
    upstream = await TestUpstream.start();
    stack.changes.length = 0;
    await sql(`DELETE FROM upstreams`);
    workers = await Promise.all([createStack(database, { isWorker: true }), createStack(database, { isWorker: true })]);
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await upstream.close();
  });

  const sql = <Row>(text: string, values: unknown[] = []) => database.dataSource.query<Row[]>(text, values);
  const names = async (id: string) =>
    (await stack.upstreams.definitions(new Map([[id, FOR_NONE]]))).map(({ kind, name }) => `${kind} ${name}`);

  const listed = async (): Promise<Date | null> => (await known(stack, upstream)).listedAt;

  it('reads the lists of new upstreams at once; one of them does', async () => {
    await eventually(listed, (at) => at !== null, 3_000);
    expect(upstream.of('tools/list')).toHaveLength(1);
    const [row] = await sql<{ rest: number; claimed_until: Date | null }>(
      `SELECT extract(epoch FROM due_at - now())::int AS rest, claimed_until FROM upstreams`,
    );
    // As it says, five minutes; give or take a fifth.
    expect(row?.rest).toBeGreaterThan(220);
    expect(row?.rest).toBeLessThan(361);
    expect(row?.claimed_until).toBeNull();
  });

  it('reads them again when they are due, and not while nobody uses the upstream', async () => {
    await eventually(listed, (at) => at !== null, 3_000);
    await sql(`UPDATE upstreams SET due_at = now()`);
    await eventually(
      () => upstream.of('tools/list').length,
      (count) => count === 2,
      3_000,
    );
    await eventually(
      () => sql(`SELECT FROM upstreams WHERE claimed_until IS NULL`),
      ({ length }) => length === 1,
      3_000,
    );
    await sql(`UPDATE upstreams SET due_at = now(), used_at = now() - interval '25 hours'`);
    await eventually(
      async () => (await sql<{ aside: boolean }>(`SELECT due_at = 'infinity' AS aside FROM upstreams`))[0]?.aside,
      (aside) => aside === true,
      3_000,
    );
    expect(upstream.of('tools/list')).toHaveLength(2);
  });

  it('takes the place of one that died while it read', async () => {
    const [first] = workers;
    upstream.fault = () => true;
    await eventually(
      () => known(stack, upstream).then(() => upstream.received.length),
      (count) => count > 0,
      3_000,
    );
    // As if the process that hangs there had been killed.
    await sql(`UPDATE upstreams SET claimed_until = now() - interval '1 second', due_at = now() - interval '1 second'`);
    upstream.fault = () => false;
    await eventually(listed, (at) => at !== null, 5_000);
    expect(first).toBeDefined();
  });

  it('reads again what has changed while it was reading', async () => {
    await eventually(listed, (at) => at !== null, 3_000);
    let goOn = () => {};
    upstream.fault = async ({ received }) => {
      if (received.method === 'prompts/list') await new Promise<void>((resolve) => (goOn = resolve));
      return false;
    };
    await sql(`UPDATE upstreams SET due_at = now()`);
    await eventually(
      () => upstream.of('prompts/list').length,
      (count) => count === 2,
      3_000,
    );
    upstream.fault = () => false;
    // As a notification of the upstream does.
    await sql(`UPDATE upstreams SET due_at = now()`);
    goOn();
    await eventually(
      () => upstream.of('tools/list').length,
      (count) => count === 3,
      3_000,
    );
  });

  it('reads them at once when an answer shows that they are out of date, but not again and again', async () => {
    await eventually(listed, (at) => at !== null, 3_000);
    const { id } = await known(stack, upstream);
    stack.upstreams.suspect(id);
    workers[0]?.upstreams.suspect(id);
    await sql(`SELECT pg_sleep(0.3)`);
    await sql(`UPDATE upstreams SET listed_at = now() - interval '31 seconds'`);
    workers[1]?.upstreams.suspect(id);
    await eventually(
      () => upstream.of('tools/list').length,
      (count) => count === 2,
      3_000,
    );
  });

  it('asks an upstream that offers no stream to listen to once an hour only', async () => {
    upstream.eras = new Set(['legacy']);
    upstream.fault = ({ received, response }) => received.method === 'GET' && Boolean(response.writeHead(405).end());
    const failing = await TestUpstream.start({ eras: new Set(['legacy']) });
    failing.fault = ({ received, response }) => received.method === 'GET' && Boolean(response.writeHead(500).end());
    try {
      for (const { limits } of workers) Object.assign(limits, { relistenMs: 1, relistenMostMs: 1 });
      await eventually(listed, (at) => at !== null, 3_000);
      await eventually(
        () => known(stack, failing),
        ({ listedAt }) => listedAt !== null,
        3_000,
      );
      await Promise.all(workers.map(({ listeners }) => listeners.look()));
      const asked = () => [upstream, failing].map((each) => each.of('GET').length);
      await eventually(asked, ([refused = 0, failed = 0]) => refused > 0 && failed >= 10, 3_000);
      expect(asked()[0]).toBe(1);
    } finally {
      await failing.close();
    }
  });

  describe.each<UpstreamEra>(['modern', 'legacy'])('that listens to a %s upstream', (era) => {
    const streams = () =>
      upstream.listening.size + [...upstream.sessions.values()].filter(({ stream }) => stream).length;

    beforeEach(async () => {
      upstream.eras = new Set([era]);
      await eventually(listed, (at) => at !== null, 3_000);
      await Promise.all(workers.map(({ listeners }) => listeners.look()));
      await eventually(streams, (count) => count === 1, 3_000);
    });

    it('hears of changes of lists, and reads them within a second', async () => {
      const { id } = await known(stack, upstream);
      const before = upstream.of('tools/list').length;
      stack.changes.length = 0;
      upstream.tools = [toolOf('new')];
      const began = Date.now();
      upstream.announce('tools');
      await eventually(
        () => stack.changes,
        (changes) => changes.includes(id),
        1_000,
      );
      expect(Date.now() - began).toBeLessThan(1_000 * crowding());
      expect(await names(id)).toContain('tool new');
      // However often it says so.
      for (let n = 0; n < 50; n++) upstream.announce('prompts');
      upstream.tools = [toolOf('newer')];
      upstream.announce('tools');
      await eventually(
        () => names(id),
        (all) => all.includes('tool newer'),
        3_000,
      );
      expect(upstream.of('tools/list').length - before).toBeLessThanOrEqual(4);
    });

    it('listens again when the stream was lost, and reads what it may have missed', async () => {
      for (const { limits } of workers) limits.relistenMs = 50;
      const before = upstream.of('tools/list').length;
      upstream.breakStreams();
      await eventually(streams, (count) => count === 1, 3_000);
      await eventually(
        () => upstream.of('tools/list').length,
        (count) => count > before,
        3_000,
      );
    });

    it('leaves that to another one when it ends', async () => {
      const { id } = await known(stack, upstream);
      const holder = await sql<{ session_id: Buffer }>(
        `SELECT session_id FROM upstream_sessions WHERE upstream_id = $1`,
        [id],
      );
      const index = workers.findIndex(({ listeners }) =>
        (listeners as unknown as { self: Buffer }).self.equals(holder[0]?.session_id ?? Buffer.alloc(0)),
      );
      const [ending] = workers.splice(index, 1);
      await ending?.close();
      await eventually(streams, (count) => count === 0, 3_000);
      await workers[0]?.listeners.look();
      await eventually(streams, (count) => count === 1, 3_000);
    });
  });
});
