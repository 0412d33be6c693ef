import { hash } from '@node-rs/argon2';
import { RowRetention } from '../../src/database/row-retention';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { PageBrowser } from '../support/page-browser';
import { createLocalAccount, PASSWORD } from '../support/local-accounts';

describe('Failed tries to sign in', () => {
  let test: TestApp;
  let clock: FakeClock;

  beforeEach(async () => {
    clock = new FakeClock();
    test = await createTestApp({ clock, env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
  });

  afterEach(() => test.close());

  const fail = (browser: PageBrowser, email: string, from: string) =>
    browser.submit('/sign-in', { email, password: 'wrong' }, { 'X-Forwarded-For': from });

  it('are counted for the first 64 bits of an IPv6 address, and for the whole of it by all replicas', async () => {
    const replica = await createTestApp({ clock, database: test.database, env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
    const browsers = [new PageBrowser(test.url), new PageBrowser(replica.url)];
    const statuses: number[] = [];
    for (let index = 0; index < 31; index++) {
      const browser = browsers[index % 2] as PageBrowser;
      // A different host and a different account each time.
      const answer = await fail(browser, `person${index}@example.com`, `2001:db8:1:2:${index + 1}::${index}`);
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 422), 429]);
    const blocked = await fail(browsers[0] as PageBrowser, 'last@example.com', '2001:db8:1:2::ffff');
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([429, '600']);
    expect(blocked.text).toContain('Too many failed tries to sign in from your network');
    expect((await fail(browsers[0] as PageBrowser, 'last@example.com', '2001:db8:1:3::1')).status).toBe(422);
    clock.advance(600_000);
    expect((await fail(browsers[0] as PageBrowser, 'last@example.com', '2001:db8:1:2::ffff')).status).toBe(422);
    await replica.close();
  });

  it('are not counted for an address after a success', async () => {
    await createLocalAccount(test, 'ada@example.com');
    for (let index = 0; index < 35; index++) {
      const browser = new PageBrowser(test.url);
      const fields = { email: 'ada@example.com', password: PASSWORD };
      expect((await browser.submit('/sign-in', fields, { 'X-Forwarded-For': '192.0.2.9' })).status).toBe(303);
      clock.advance(1);
    }
  });

  it('do not refuse one of two that are made at the same time, whose times are in the other order', async () => {
    await createLocalAccount(test, 'ada@example.com');
    expect((await fail(new PageBrowser(test.url), 'ada@example.com', '192.0.2.9')).status).toBe(422);
    clock.advance(-20);
    const fields = { email: 'ada@example.com', password: PASSWORD };
    expect((await new PageBrowser(test.url).submit('/sign-in', fields)).status).toBe(303);
  });

  it('leave rows that name nobody, and that are removed in batches', async () => {
    await fail(new PageBrowser(test.url), 'ada@example.com', '192.0.2.9');
    const dump = JSON.stringify(await test.dataSource.query(`SELECT * FROM account_tries, address_tries`));
    expect(dump).not.toMatch(/ada|192\.0\.2\.9/);
    await test.dataSource.query(
      `INSERT INTO account_tries SELECT sha256(n::text::bytea), 1, $1, $1 FROM generate_series(1, 2500) AS n`,
      [clock.now()],
    );
    const count = async (table: string) =>
      (await test.dataSource.query<{ rows: number }[]>(`SELECT count(*)::int AS rows FROM ${table}`))[0]?.rows;
    await test.app.get(RowRetention).run();
    expect([await count('account_tries'), await count('address_tries')]).toEqual([1, 1]);
    clock.advance(24 * 3_600_000);
    await test.app.get(RowRetention).run();
    expect([await count('account_tries'), await count('address_tries')]).toEqual([0, 0]);
  });

  it('of a password with weaker parameters re-hash it once it is right', async () => {
    const userId = await createLocalAccount(test, 'ada@example.com');
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1 });
    await test.dataSource.query(`UPDATE passwords SET hash = $2 WHERE user_id = $1`, [userId, weak]);
    const browser = new PageBrowser(test.url);
    expect((await fail(browser, 'ada@example.com', '192.0.2.9')).status).toBe(422);
    const stored = async () =>
      (await test.dataSource.query<{ hash: string }[]>(`SELECT hash FROM passwords WHERE user_id = $1`, [userId]))[0]
        ?.hash;
    expect(await stored()).toBe(weak);
    expect((await browser.submit('/sign-in', { email: 'ada@example.com', password: PASSWORD })).status).toBe(303);
    expect(await stored()).toContain('m=19456,t=2,p=1');
  });
});
