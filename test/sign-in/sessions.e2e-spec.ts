import request from 'supertest';
import { Notifications } from '../../src/database/notifications';
import { RowRetention } from '../../src/database/row-retention';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { Api } from '../support/api';
import { PageBrowser } from '../support/page-browser';
import { eventually } from '../support/eventually';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';

const HOUR_MS = 3_600_000;
const EMAIL = 'ada@example.com';

describe('A session', () => {
  let test: TestApp;
  let replica: TestApp;
  let clock: FakeClock;
  let userId: string;

  beforeEach(async () => {
    clock = new FakeClock();
    test = await createTestApp({ clock });
    replica = await createTestApp({ clock, database: test.database });
    userId = await createLocalAccount(test, EMAIL);
  });

  afterEach(async () => {
    await replica.close();
    await test.close();
  });

  const on = (app: TestApp, browser: PageBrowser) => {
    const other = new PageBrowser(app.url);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    return other;
  };
  /** Changes rows without the triggers that notify the replicas. */
  const silently = (sql: string) =>
    test.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL session_replication_role = replica`);
      const [, rows] = await manager.query<[unknown, number]>(sql);
      return { rows };
    });
  const status = async (app: TestApp, browser: PageBrowser) => (await on(app, browser).get('/v1/users/me')).status;

  it('counts on every replica, and its end is seen by all of them within a second', async () => {
    const [one, two] = [await signedIn(test, EMAIL), await signedIn(test, EMAIL)];
    expect([await status(test, one), await status(replica, one), await status(replica, two)]).toEqual([200, 200, 200]);
    const [newer] = (await two.get('/v1/users/me/sessions')).body as { id: string }[];
    const list = (await one.get('/v1/users/me/sessions')).body as { id: string; is_current: boolean }[];
    expect(list.map(({ id, is_current }) => [id === newer?.id, is_current])).toEqual([
      [true, false],
      [false, true],
    ]);
    const ended = await request(test.url)
      .delete(`/v1/users/me/sessions/${newer?.id}`)
      .set({ Cookie: one.cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Toolyard-Console': '1' });
    expect(ended.status).toBe(204);
    await eventually(
      () => status(replica, two),
      (seen) => seen === 401,
      1_000,
    );
    expect([await status(test, two), await status(replica, one)]).toEqual([401, 200]);
  });

  it('is not remembered while notifications are cut, so that its end is seen at once', async () => {
    const browser = await signedIn(test, EMAIL);
    expect(await status(replica, browser)).toBe(200);
    const notifications = replica.app.get(Notifications);
    Object.defineProperty(notifications, 'connected', { value: false, configurable: true });
    await browser.submit('/sign-out', {});
    expect(await status(replica, browser)).toBe(401);
  });

  it('is looked up in the database with verify_locally=false: an end of which no notification came counts at once', async () => {
    const [ended, closed] = [await signedIn(test, EMAIL), await signedIn(test, EMAIL)];
    const seen = async (browser: PageBrowser, query = '') =>
      (await on(replica, browser).get(`/v1/users/me${query}`)).status;
    expect([await seen(ended), await seen(closed)]).toEqual([200, 200]);
    const { rows } = await silently(`DELETE FROM sessions WHERE id = (SELECT min(id::text)::uuid FROM sessions)`);
    expect(rows).toBe(1);
    expect([await seen(ended), await seen(ended, '?verify_locally=false'), await seen(ended)]).toEqual([200, 401, 401]);
    await silently(`UPDATE users SET closed_at = now()`);
    expect([await seen(closed), await seen(closed, '?verify_locally=false')]).toEqual([200, 401]);
    expect([await seen(closed), await seen(closed, '?verify_locally=true')]).toEqual([401, 401]);
  });

  it('ends after 12 hours without a request', async () => {
    const browser = await signedIn(test, EMAIL);
    for (let hours = 0; hours < 22; hours += 11) {
      clock.advance(11 * HOUR_MS);
      expect(await status(test, browser)).toBe(200);
    }
    clock.advance(12 * HOUR_MS);
    const late = await browser.get('/v1/session');
    expect(late.status).toBe(401);
    expect(String(late.headers['set-cookie'])).toMatch(
      /__Host-toolyard=; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=0/,
    );
    expect(browser.session).toBeUndefined();
  });

  it('ends after 7 days, however much it is used, and its row is then removed', async () => {
    const browser = await signedIn(test, EMAIL);
    for (let hours = 0; hours < 7 * 24 - 10; hours += 10) {
      clock.advance(10 * HOUR_MS);
      expect(await status(test, browser)).toBe(200);
    }
    clock.advance(10 * HOUR_MS);
    expect(await status(test, browser)).toBe(401);
    await test.app.get(RowRetention).run();
    expect(await test.dataSource.query(`SELECT 1 FROM sessions`)).toEqual([]);
  });

  it('ends on all browsers by signing out everywhere, and by deleting the account, with the password', async () => {
    const [one, two] = [await signedIn(test, EMAIL), await signedIn(test, EMAIL)];
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Toolyard-Console': '1' };
    const everywhere = await request(test.url)
      .delete('/v1/users/me/sessions')
      .set({ Cookie: one.cookie, ...headers });
    expect([everywhere.status, String(everywhere.headers['set-cookie'])]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect([await status(test, one), await status(test, two)]).toEqual([401, 401]);
    const again = await signedIn(test, EMAIL);
    const removed = await request(test.url)
      .delete('/v1/users/me')
      .set({ Cookie: again.cookie, ...headers });
    expect(removed.status).toBe(204);
    expect(await status(test, again)).toBe(401);
    const rows = await test.dataSource.query<object[]>(
      `SELECT user_id FROM passwords UNION ALL SELECT user_id FROM sessions UNION ALL SELECT user_id FROM identities`,
    );
    expect(rows).toEqual([]);
    const closed = await new PageBrowser(test.url).submit('/sign-in', { email: EMAIL, password: PASSWORD });
    expect(closed.status).toBe(422);
  });

  it('counts for changes only from our own pages, with the header of the console', async () => {
    const browser = await signedIn(test, EMAIL);
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const header = { 'X-Toolyard-Console': '1' };
    const change = (method: 'post' | 'put' | 'patch' | 'delete', path: string, headers: Record<string, string>) => {
      const call = request(test.url)[method](path);
      return call.set({ Cookie: browser.cookie, ...headers }).send({});
    };
    const refused: Record<string, string>[] = [
      {},
      own,
      header,
      { ...header, 'Sec-Fetch-Site': 'cross-site' },
      { ...header, 'Sec-Fetch-Site': 'same-site' },
      { ...header, 'Sec-Fetch-Site': 'none' },
      { ...header, Origin: 'https://evil.example' },
      { ...header, Origin: 'null' },
      { ...header, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://toolyard.test' },
      { ...own, 'X-Toolyard-Console': '0' },
    ];
    const id = '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10';
    for (const [method, path] of [
      ['post', '/v1/organisations'],
      ['put', `/v1/bundles/${id}/follow`],
      ['patch', `/v1/organisations/${id}`],
      ['delete', `/v1/bundles/${id}`],
    ] as const) {
      for (const headers of refused) {
        const answer = await change(method, path, headers);
        expect([method, headers, answer.status, (answer.body as { code?: string }).code]).toEqual([
          method,
          headers,
          403,
          'forbidden',
        ]);
      }
      for (const headers of [
        { ...own, ...header },
        { ...header, Origin: 'https://toolyard.test' },
      ]) {
        const answer = await change(method, path, headers);
        expect([method, [422, 404].includes(answer.status)]).toEqual([method, true]);
      }
    }
    // Reading needs neither.
    expect((await browser.get('/v1/users/me', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200);
  });

  it('does not count beside an access token, which decides alone', async () => {
    const browser = await signedIn(test, EMAIL);
    const other = new Api(test.url, test.document, await test.token('eve'));
    const eve = await other.get('/v1/users/me', 200, { Cookie: browser.cookie });
    expect(eve.body.email).toBe('eve@example.com');
    await other.get('/v1/session', 404, { Cookie: browser.cookie });
    const listed = await other.get('/v1/users/me/sessions', 200, { Cookie: browser.cookie });
    expect(listed.body).toEqual([]);
    const bad = await browser.get('/v1/users/me', { Authorization: 'Bearer nonsense' });
    expect([bad.status, bad.headers['set-cookie']]).toEqual([401, undefined]);
  });

  it('leaves no password, token or cookie in the log, and nothing in the database that opens it', async () => {
    const browser = await signedIn(test, EMAIL);
    const fields = { email: EMAIL, password: 'wrong but still secret' };
    await new PageBrowser(test.url).submit('/sign-in', fields);
    await browser.get('/v1/session');
    const secret = browser.session ?? '';
    const form = browser.cookies.get('__Host-toolyard-form') ?? '';
    const tables = await test.dataSource.query<{ name: string }[]>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => test.dataSource.query(`SELECT t::text FROM "${name}" AS t`)),
    );
    const everything = [...test.log, ...replica.log, JSON.stringify(rows)].join('\n');
    expect([secret.length, form.length]).toEqual([43, 43]);
    for (const text of [PASSWORD, fields.password, secret, form, Buffer.from(secret, 'base64url').toString('hex')])
      expect(everything).not.toContain(text);
    expect(everything).toContain(userId);
  });
});
