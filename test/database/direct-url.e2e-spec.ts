import { createDataSource, TIME_OUTS } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { inSession } from '../../src/database/session';
import { many, one } from '../../src/database/statements';
import { requireTimeouts } from '../../src/database/time-outs';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, type TestDatabase } from '../support/database';
import { DatabaseProxy } from '../support/proxy';

const NAMED = { name: 'direct_url_of_the_test', sql: 'SELECT 1 AS one' };

/** PgBouncer itself is in `npm run test:replicas`; here a proxy that only forwards is in its place. */
describe('A database behind a pooler, with DATABASE_DIRECT_URL', () => {
  let database: TestDatabase;
  let pooler: DatabaseProxy;

  beforeAll(async () => {
    database = await createDatabase();
    pooler = await DatabaseProxy.before(database.url);
  });

  afterAll(async () => {
    await pooler.close();
    await database.drop();
  });

  async function behindPooler<T>(
    work: (dataSource: ReturnType<typeof createDataSource>) => Promise<T>,
    directUrl: string,
  ) {
    const dataSource = createDataSource({
      url: pooler.url,
      directUrl,
      poolSize: 1,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    });
    await dataSource.initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  it('has neither prepared statements nor settings of its own on connections of the pooler', async () => {
    await behindPooler(async (dataSource) => {
      await many(dataSource, NAMED);
      expect(await many(dataSource, 'SELECT name FROM pg_prepared_statements')).toEqual([]);
      await expect(requireTimeouts(dataSource)).rejects.toThrow(
        /^DATABASE_URL: connections of this pooler have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout\./,
      );
    }, database.url);
  });

  it('accepts a pooler that sets the time-outs', async () => {
    await database.dataSource.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET statement_timeout = 60000', current_database());
      EXECUTE format('ALTER DATABASE %I SET lock_timeout = 30000', current_database());
      EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = 60000', current_database());
    END $$`);
    await behindPooler((dataSource) => expect(requireTimeouts(dataSource)).resolves.toBeUndefined(), database.url);
  });

  it('goes around the pooler with migrations and whatever else needs a session', async () => {
    await behindPooler(async (dataSource) => {
      const [pooled, direct] = await Promise.all([
        one<{ port: number }>(dataSource, 'SELECT pg_backend_pid() AS port'),
        inSession(dataSource, ({ manager }) =>
          one<Record<string, string>>(
            manager,
            `SELECT pg_backend_pid() AS port, ${Object.keys(TIME_OUTS)
              .map((name) => `current_setting('${name}') AS ${name}`)
              .join(', ')}`,
          ),
        ),
      ]);
      expect(direct.port).not.toBe(pooled.port);
      expect(direct).toMatchObject({
        statement_timeout: '1min',
        lock_timeout: '30s',
        idle_in_transaction_session_timeout: '1min',
      });
      expect(await migrate(dataSource)).toEqual([]);
    }, database.url);
  });

  it('does not begin if the two lead to different databases', async () => {
    const other = await createDatabase();
    const work = jest.fn();
    await expect(behindPooler((dataSource) => inSession(dataSource, work), other.url)).rejects.toThrow(
      'DATABASE_DIRECT_URL: leads to another database, or another server, than DATABASE_URL.',
    );
    expect(work).not.toHaveBeenCalled();
    await other.drop();
  });
});

describe('A connection to the database itself', () => {
  it('waits for a lock no longer than half a minute', async () => {
    const database = await createDatabase();
    expect(await one(database.dataSource, `SELECT current_setting('lock_timeout') AS lock`)).toEqual({ lock: '30s' });
    await database.drop();
  });
});
