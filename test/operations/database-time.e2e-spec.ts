import { Clock } from '../../src/config/clock';
import { DatabaseTime } from '../../src/operations/database-time';
import { createTestApp, TestApp } from '../support/app';
import { unique } from '../support/factories';
import { PageBrowser } from '../support/page-browser';

const HOUR_MS = 3_600_000;
/** The database is asked when the application starts; until a test compares, some time passes. */
const TOLERANCE_MS = 10_000;

/** Moves the time of day of this process, and nothing else: timers and the monotonic clock go on. */
async function anHourAhead(work: () => Promise<unknown>): Promise<void> {
  const RealDate = Date;
  const ahead = () => RealDate.now() + HOUR_MS;
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, args: [], target) =>
      Reflect.construct(date, args.length === 0 ? [ahead()] : args, target) as Date,
    get: (date, name) => (name === 'now' ? ahead : (Reflect.get(date, name) as unknown)),
  });
  try {
    await work();
  } finally {
    globalThis.Date = RealDate;
  }
}

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

  it('does not change when the machine is set to another time', async () => {
    const before = test.app.get(Clock).now().getTime();
    await anHourAhead(() => {
      expect(test.app.get(Clock).now().getTime() - before).toBeLessThan(TOLERANCE_MS);
      return Promise.resolve();
    });
  });

  it('is reported to the operator, once', async () => {
    await anHourAhead(async () => {
      await test.app.get(DatabaseTime).read();
      await test.app.get(DatabaseTime).read();
    });
    expect(test.log.filter((line) => /\b3(600|599) s ahead of the database/.test(line))).toHaveLength(1);
  });

  it('blocks nobody who failed to sign in for longer than the others would', async () => {
    const email = `${unique('person')}@example.com`;
    const browser = new PageBrowser(test.url);
    await anHourAhead(async () => {
      for (let tries = 0; tries < 6; tries++) await browser.submit('/sign-in', { email, password: 'wrong' });
    });
    const [row] = await test.dataSource.query<{ wait: number }[]>(
      `SELECT max(extract(epoch FROM blocked_until - now()))::float AS wait FROM account_tries`,
    );
    expect(row?.wait).toBeLessThan(60);
  });
});
