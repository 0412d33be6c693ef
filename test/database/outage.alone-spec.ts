import { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { DECLARED } from '../../src/app.module';
import type { EmbeddedPostgres } from '../../src/embedded/embedded-postgres';
import { migrate } from '../../src/database/migrate';
import { Notifications } from '../../src/database/notifications';
import { inTransaction } from '../../src/database/transaction';
import { UnavailableError } from '../../src/errors/errors';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { send } from '../support/answers';
import { createTestApp, TestApp } from '../support/app';
import { newFolder, postmaster, query, removeFolders, start, stopAll } from '../support/embedded';
import { crowding, eventually } from '../support/eventually';
import { HammeringClient } from '../support/hammering';
import { DatabaseProxy } from '../support/proxy';

const CLIENTS = 32;
/** The time until full recovery, and the longest a request may take. */
const RETURN_MS = 5_000;
const MAX_MS = 10_000;
/** How long it is up before the outage, and how long it is down. */
const PHASE_MS = 1_500;

describe('During and after a PostgreSQL outage', () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let proxy: DatabaseProxy;
  let test: TestApp;

  beforeAll(async () => {
    dataDir = newFolder();
    postgres = await start(dataDir);
    proxy = await DatabaseProxy.before(postgres.url);
    const dataSource = createDataSource({
      url: postgres.url,
      poolSize: 1,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    });
    await dataSource.initialize();
    await migrate(dataSource);
    await dataSource.query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('Before', 'one', '', 'box', 1)`,
    );
    await dataSource.destroy();
    test = await createTestApp({ database: { url: proxy.url, dataSource, drop: () => Promise.resolve() } });
  });

  afterAll(async () => {
    await test.close();
    await proxy.close();
    await stopAll();
    removeFolders();
  });

  const status = async (path: string) => (await send(test.url + path)).status;
  const connected = () => test.app.get(Notifications).connected;

  /** Fast shutdown, as by an operator: clients are notified before their connections close; the address stays open. */
  async function stop(): Promise<void> {
    await postgres.stop();
  }

  /** Connections get no notice, and new ones are refused. */
  async function kill(): Promise<void> {
    process.kill(postmaster(dataDir), 'SIGKILL');
    await Promise.all([proxy.close(), postgres.exited]);
    await postgres.stop();
  }

  async function comeBack(): Promise<void> {
    postgres = await start(dataDir);
    proxy.aimAt(postgres.url);
    await proxy.reopen();
  }

  /** @returns how often the slowest client completed all of its requests without a 503 since this was called */
  function roundsOf(clients: HammeringClient[]): () => number {
    const before = clients.map(({ cleanRounds }) => cleanRounds);
    return () => Math.min(...clients.map(({ cleanRounds }, index) => cleanRounds - (before[index] ?? 0)));
  }

  async function outage(clients: HammeringClient[], goAway: () => Promise<void>) {
    const [began, first] = [Date.now(), roundsOf(clients)];
    await eventually(first, (rounds) => rounds > 0, MAX_MS);
    const usualMs = Date.now() - began;
    await eventually(Date.now, (now) => now > began + PHASE_MS, MAX_MS);
    const away = Date.now();
    await goAway();
    const down = Date.now();
    expect(await Promise.all(['/readyz', '/healthz'].map(status))).toEqual([503, 200]);
    await eventually(Date.now, (now) => now > down + PHASE_MS, MAX_MS);
    expect(await Promise.all(['/readyz', '/healthz'].map(status))).toEqual([503, 200]);
    await comeBack();
    const since = roundsOf(clients);
    await eventually(connected, Boolean, RETURN_MS);
    // A round takes as long as before, on whatever machine.
    await eventually(() => connected() && since() > 0, Boolean, RETURN_MS + usualMs);
    const well = Date.now();
    expect(await status('/readyz')).toBe(200);
    // And it stays healthy.
    await eventually(since, (rounds) => rounds > 1 && Date.now() > well + PHASE_MS, MAX_MS);
    return { away, well };
  }

  it.each([
    ['stopped', stop],
    ['killed', kill],
  ])('32 clients get only 503 while it is %s, and full service within five seconds after', async (_, goAway) => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => HammeringClient.begin(test)));
    const { away, well } = await outage(clients, goAway).finally(() =>
      Promise.all(clients.map((client) => client.stop())),
    );
    const outcomes = clients.flatMap((client) => client.outcomes);
    const refused = outcomes.filter(({ status }) => status === 503);
    expect(refused.filter(({ from, to }) => to < away || from > well)).toEqual([]);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['service_unavailable']));
    expect(refused.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
    expect(Math.max(...outcomes.map(({ from, to }) => to - from))).toBeLessThan(MAX_MS * crowding());
    for (const client of clients) expect(client.outcomes.some(({ status }) => status === 503)).toBe(true);
    await expectNothingHalfDone(clients);
  });

  async function expectNothingHalfDone(clients: HammeringClient[]): Promise<void> {
    const idsOfEvents = `SELECT data->>'bundle_id' AS id FROM events WHERE type = `;
    expect(
      await query(
        postgres.url,
        `SELECT * FROM (SELECT id::text FROM bundles UNION ALL ${idsOfEvents} 'bundle.deleted') AS had
         FULL JOIN (${idsOfEvents} 'bundle.created') AS made USING (id) WHERE had IS NULL OR made IS NULL`,
      ),
    ).toEqual([]);
    expect(
      await query(
        postgres.url,
        `SELECT type, data->>'bundle_id' AS id FROM events WHERE type IN ('bundle.created', 'bundle.deleted')
         GROUP BY 1, 2 HAVING count(*) > 1`,
      ),
    ).toEqual([]);
    const stored = await query(postgres.url, `SELECT id FROM bundles`);
    const ids = new Set(stored.map(({ id }) => id));
    expect(clients.flatMap(({ bundles }) => [...bundles]).filter((id) => !ids.has(id))).toEqual([]);
    expect(
      await query(
        postgres.url,
        `SELECT organisations.id FROM organisations
         LEFT JOIN memberships ON memberships.org_id = organisations.id
         LEFT JOIN scim_settings ON scim_settings.org_id = organisations.id
         LEFT JOIN events ON events.org_id = organisations.id AND events.type = 'member.added'
         WHERE memberships IS NULL OR scim_settings IS NULL OR events IS NULL`,
      ),
    ).toEqual([]);
    expect(
      await query(
        postgres.url,
        `SELECT * FROM scim_sync_runs
         FULL JOIN (SELECT data->>'run_id' AS id FROM events WHERE type = 'scim.sync_completed') AS reported
           ON reported.id = scim_sync_runs.id::text
         WHERE scim_sync_runs IS NULL OR reported IS NULL`,
      ),
    ).toEqual([]);
  }

  it('notifications between replicas arrive again', async () => {
    const api = await test.as('reader');
    const name = async () => (await api.get('/v1/mcp/categories')).body[0]?.name;
    expect(await name()).toBe('Before');
    await query(postgres.url, `UPDATE categories SET name = 'After'`);
    await eventually(name, (seen) => seen === 'After', 1_000);
  });

  it('a transaction whose connection ends between two statements fails as unavailable', async () => {
    const dataSource = test.app.get(DataSource);
    const error: unknown = await inTransaction(dataSource, async (manager) => {
      const [{ pid } = { pid: 0 }] = await manager.query<{ pid: number }[]>(`SELECT pg_backend_pid() AS pid`);
      await query(postgres.url, `SELECT pg_terminate_backend(${pid})`);
      await eventually(() => manager.queryRunner?.isReleased, Boolean, 1_000);
      await manager.query(`SELECT 1`);
    }).catch((thrown: unknown) => thrown);
    expect(DECLARED.databaseErrors.translate(error)).toBeInstanceOf(UnavailableError);
  });
});
