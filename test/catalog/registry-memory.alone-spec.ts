import { createTestApp, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createListing, unique } from '../support/factories';
import { DatabaseProxy } from '../support/proxy';
import { statementsOf } from '../support/statements';

/** What may be served when notifications no longer arrive. */
const LOST_MS = 5_000;

describe('The public registry from memory, without notifications', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let test: TestApp;

  beforeEach(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.before(database.url);
    test = await createTestApp({ database: { ...database, url: proxy.url }, env: { RUN: 'api' } });
    await createListing(database.dataSource, { category: 'weather', status: 'PUBLISHED', visibility: 'PUBLIC' });
    await eventually(
      () => statementsOf(test, count),
      (statements) => statements.length === 0,
      1_000,
    );
  });

  afterEach(async () => {
    await proxy.close();
    await test.close();
    await database.drop();
  });

  const count = async () =>
    ((await (await fetch(`${test.url}/v0.1/servers`)).json()) as { metadata: { count: number } }).metadata.count;
  const add = () =>
    createListing(database.dataSource, { category: unique('c'), status: 'PUBLISHED', visibility: 'PUBLIC' });

  it.each(['cut', 'silent'])('is never older than five seconds, with a %s listener', async (how) => {
    for (let expected = 2; expected <= 3; expected++) {
      if (how === 'silent') expect(proxy.silence('listeners')).toBe(1);
      else {
        const killed = await database.dataSource.query<object[]>(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'toolyard listener' AND datname = current_database()`,
        );
        expect(killed).toHaveLength(1);
      }
      await add();
      await eventually(count, (seen) => seen === expected, LOST_MS);
      await eventually(
        () => statementsOf(test, count),
        (statements) => statements.length === 0,
        LOST_MS,
      );
    }
  });
});
