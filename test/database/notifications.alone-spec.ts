import { CATEGORIES_CHANNEL } from '../../src/catalog/categories/category-list.service';
import { Notifications } from '../../src/database/notifications';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { crowding, eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { DatabaseProxy } from '../support/proxy';

/** What the contract allows while notifications are lost (section 5), plus tolerance for a busy machine. */
const LOST_MS = 7_000;

describe('Notifications between replicas', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let test: TestApp;
  let api: Api;
  /** Notifications of changed categories. */
  let heard: number;

  beforeEach(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.before(database.url);
    test = await createTestApp({ database: { ...database, url: proxy.url }, env: { RUN: 'api' } });
    api = await test.as('reader');
    heard = 0;
    test.app.get(Notifications).listen(CATEGORIES_CHANNEL, () => heard++);
    await database.dataSource.query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('Before', 'one', '', 'box', 1)`,
    );
    await shows('Before', 1_000);
  });

  afterEach(async () => {
    await proxy.close();
    await test.close();
    await database.drop();
  });

  const connected = () => test.app.get(Notifications).connected;
  const name = async () => (await api.get('/v1/mcp/categories')).body[0]?.name;
  const shows = (expected: string, within: number) => eventually(name, (seen) => seen === expected, within);
  async function rename(): Promise<string> {
    const renamed = unique('Renamed');
    await database.dataSource.query(`UPDATE categories SET name = $1`, [renamed]);
    return renamed;
  }
  const listeners = () =>
    database.dataSource.query<{ pid: number }[]>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'toolyard listener' AND datname = current_database()`,
    );
  const kill = () =>
    database.dataSource.query<object[]>(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'toolyard listener' AND datname = current_database()`,
    );

  it('arrive again after their connection was killed, and changes missed meanwhile show', async () => {
    for (let round = 0; round < 3; round++) {
      const [killed] = await listeners();
      expect(await kill()).toHaveLength(1);
      await shows(await rename(), LOST_MS);
      // Wait for another one: for a moment the service believes that it still has the killed one.
      await eventually(
        listeners,
        ([other]) => other !== undefined && other.pid !== killed?.pid && connected(),
        LOST_MS,
      );
    }
    expect(await listeners()).toHaveLength(1);
    await shows(await rename(), 1_000);
    const logged = test.log.filter((line) => /Notifications (are lost|arrive again)/.test(line));
    expect(logged.length).toBeGreaterThanOrEqual(2);
  });

  it('miss no change made between the loss and the reconnection', async () => {
    await Promise.all([kill(), rename()]);
    await shows(await rename(), LOST_MS);
  });

  it('are replaced by reading every five seconds while the connection is lost', async () => {
    await database.dataSource.query(`ALTER TABLE categories DISABLE TRIGGER ALL`);
    test.app.get(Notifications).connected = false;
    await shows(await rename(), LOST_MS);
    await shows(await rename(), LOST_MS);
  });

  it('are noticed as lost if their connection silently dies', async () => {
    // One that is still on its way would be noticed in spite of the silence, and so would one that nobody has read for.
    await eventually(
      () => heard,
      (count) => count === 1,
      LOST_MS,
    );
    expect(await name()).toBe('Before');
    expect(proxy.silence('listeners')).toBe(1);
    await shows(await rename(), LOST_MS);
    await eventually(connected, Boolean, LOST_MS);
    await shows(await rename(), 1_000);
  });

  it('are not waited for: with every connection silent, the last answer is still served', async () => {
    // New connections too: a reader that got one would show the change.
    proxy.freeze();
    await rename();
    const slowest = { ms: 0 };
    const began = Date.now();
    await eventually(
      async () => {
        const asked = Date.now();
        expect(await name()).toBe('Before');
        slowest.ms = Math.max(slowest.ms, Date.now() - asked);
        return Date.now() - began;
      },
      // The loss is noticed meanwhile, and the answer is read again in vain.
      (ms) => ms > LOST_MS + 1_000,
      2 * LOST_MS,
    );
    expect(test.log.some((line) => line.includes('Notifications are lost'))).toBe(true);
    expect(slowest.ms).toBeLessThan(2_000 * crowding());
  });

  it('do not delay the end of the process if their connection silently died', async () => {
    proxy.silence('listeners');
    const began = Date.now();
    await test.app.get(Notifications).onApplicationShutdown();
    expect(Date.now() - began).toBeLessThan(2_000 * crowding());
  });
});
