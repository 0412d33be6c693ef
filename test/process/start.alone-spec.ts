import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { start } from '../../src/start';
import { send } from '../support/answers';
import { createDatabase, TestDatabase } from '../support/database';
import { crowding, eventually } from '../support/eventually';
import { runToken, freePort } from '../support/toolyard-process';

// The real patience of a start and of a stop is too long for a test: here it is shorter.

describe('The patience', () => {
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    env = {
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'toolyard-')),
      LOG_LEVEL: 'silent',
      METRICS_PORT: '0',
      SHUTDOWN_DELAY_SECONDS: '0',
    };
  });
  beforeEach(async () => {
    env.PORT = String(await freePort());
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await database.drop();
    rmSync(env.DATA_DIR ?? '', { recursive: true });
  });

  it('of a start is limited: the error names the database that does not answer', async () => {
    const DATABASE_URL = `postgres://toolyard@127.0.0.1:${env.PORT}/toolyard`;
    await expect(start({ ...env, DATABASE_URL }, { databasePatience: 0 })).rejects.toThrow(
      /^DATABASE_URL: the database did not answer within 0 s: .*connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
    );
  });

  it('of a stop is limited: an unanswered request is aborted', async () => {
    const running = await start(env, { requestPatience: 300 });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query(`BEGIN`);
      await other.query(`LOCK TABLE users`);
      const token = (await runToken(env, '--sub', 'alice')).stdout.trim();
      const answer = send(`${running.url}/v1/users/me`, { token });
      answer.catch(() => undefined);
      const waiting = () =>
        database.dataSource.query<object[]>(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
      await eventually(waiting, (rows) => rows.length > 0, 5_000);
      const asked = Date.now();
      await Promise.all([running.stop(), running.stop()]);
      expect(Date.now() - asked).toBeGreaterThanOrEqual(300);
      expect(Date.now() - asked).toBeLessThan(3_000 * crowding());
      await expect(answer).rejects.toThrow('fetch failed');
    } finally {
      await other.end();
    }
  });

  it('of a start that waits for another replica’s migration ends when it is asked to stop', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query(`SELECT pg_advisory_lock(${0x746f6f6c})`);
      const asked = new AbortController();
      const starting = start(env, { signal: asked.signal });
      starting.catch(() => undefined);
      const waiting = () =>
        database.dataSource.query<object[]>(
          `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_try_advisory_lock%' AND datname = current_database()`,
        );
      await eventually(waiting, (rows) => rows.length === 1, 5_000);
      asked.abort();
      await expect(starting).rejects.toBe(asked.signal.reason);
    } finally {
      await other.end();
    }
  });
});
