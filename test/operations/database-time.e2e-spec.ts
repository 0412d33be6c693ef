import { join } from 'node:path';
import { Client } from 'pg';
import { Clock } from '../../src/config/clock';
import { DatabaseTime } from '../../src/operations/database-time';
import { createTestApp, TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { newFolder, removeFolders } from '../support/embedded';
import { unique } from '../support/factories';
import { PageBrowser } from '../support/page-browser';
import { ROOT } from '../support/root';
import { killToolyards, startToolyard, type ToolyardProcess } from '../support/toolyard-process';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const HOUR_MS = 3_600_000;
/** The database is asked when the application starts; until a test compares, some time passes. */
const TOLERANCE_MS = 10_000;

describe('The time of a process whose machine is an hour ahead', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.get(DatabaseTime).read();
  });

  afterAll(() => test.close());

  const off = async () => {
    const [row] = await test.dataSource.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
    return test.app.get(Clock).now().getTime() - (row?.now.getTime() ?? 0);
  };

  it('is that of the database', async () => {
    test.app.get(Clock).follow(new Date(Date.now() + HOUR_MS), performance.now());
    expect(await off()).toBeGreaterThan(HOUR_MS - TOLERANCE_MS);
    await test.app.get(DatabaseTime).read();
    expect(Math.abs(await off())).toBeLessThan(TOLERANCE_MS);
  });

  it('does not change when the machine is set to another time', () => {
    const before = test.app.get(Clock).now().getTime();
    // Nothing else runs meanwhile, so no id is made of this time.
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(at: number = RealDate.now() + HOUR_MS) {
        super(at);
      }
    } as DateConstructor;
    const after = test.app.get(Clock).now().getTime();
    globalThis.Date = RealDate;
    expect(after - before).toBeLessThan(TOLERANCE_MS);
  });
});

/** Its own process, as ids would stay ahead for every suite after this one in the worker. */
describe('A process on a machine that is an hour ahead', () => {
  let database: TestDatabase;
  let service: ToolyardProcess;

  beforeAll(async () => {
    database = await createDatabase();
    const NODE_OPTIONS = `--require=${join(ROOT, 'test/support/hour-ahead.cjs')}`;
    const env = { NODE_OPTIONS, DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: newFolder(), RUN: 'api' };
    service = await (await startToolyard(env)).ready();
  });

  afterAll(async () => {
    await killToolyards();
    await database.drop();
    removeFolders();
  });

  it('tells its operator', () => {
    expect(service.log.filter(({ msg }) => /\b3(600|599) s ahead of the database/.test(msg))).toHaveLength(1);
  });

  it('blocks nobody who failed to sign in for longer than the others would', async () => {
    const email = `${unique('person')}@example.com`;
    const browser = new PageBrowser(service.url);
    for (let tries = 0; tries < 6; tries++) await browser.submit('/sign-in', { email, password: 'wrong' });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const { rows } = await other.query<{ wait: number }>(
      `SELECT max(extract(epoch FROM blocked_until - now()))::float AS wait FROM account_tries`,
    );
    await other.end();
    expect(rows[0]?.wait).toBeGreaterThan(0);
    expect(rows[0]?.wait).toBeLessThan(60);
  });
});
