import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';
import { hiddenFields, PageBrowser } from '../support/page-browser';
import { DatabaseProxy } from '../support/proxy';

const EMAIL = 'ada@example.com';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('While the database is away', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let test: TestApp;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.before(database.url);
    test = await createTestApp({
      database: { ...database, url: proxy.url, drop: () => Promise.resolve() },
      env: { OAUTH_REGISTRATION: 'open', DATABASE_DEADLINE_SECONDS: '3' },
    });
    await createLocalAccount(test, EMAIL);
  });

  afterAll(async () => {
    await test.close();
    await proxy.close();
    await database.drop();
  });

  it('pages and endpoints answer 503 in words, and no session is half made', async () => {
    const sessions = async (): Promise<unknown> => database.dataSource.query(`SELECT id, digest FROM sessions`);
    const [member, stranger] = [await signedIn(test, EMAIL), new PageBrowser(test.url)];
    // As a replica that does not remember the session.
    const forgetful = await createTestApp({
      database: { ...database, url: proxy.url, drop: () => Promise.resolve() },
      env: { OAUTH_REGISTRATION: 'open', DATABASE_DEADLINE_SECONDS: '3' },
    });
    const shown = await stranger.get('/sign-in');
    const recovery = hiddenFields((await stranger.get('/sign-in/recovery')).text);
    const before = await sessions();
    await proxy.close();

    const there = new PageBrowser(forgetful.url);
    for (const [name, value] of member.cookies) there.cookies.set(name, value);
    const authorize = `/oauth2/authorize?client_id=toolyard-docs&response_type=code&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256&redirect_uri=${encodeURIComponent(`${PUBLIC_URL}/docs/oauth2-redirect.html`)}`;
    const pages = [
      await there.get('/'),
      await there.get('/account'),
      await there.get('/sign-in'),
      await there.get(authorize),
      await there.get('/device'),
      await there.get('/setup'),
      await there.get('/oauth2/logout'),
      await stranger.post('/sign-in', { ...hiddenFields(shown.text), email: EMAIL, password: PASSWORD }),
      await stranger.post('/sign-in/recovery', { ...recovery, email: EMAIL, code: 'AAAA-BBBB-CCCC-DDDD' }),
    ];
    for (const page of pages) {
      expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
      expect(page.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(page.text).toContain('<h1>Not available right now</h1>');
      expect(String(page.headers['set-cookie'])).not.toContain('__Host-toolyard=');
    }
    expect(stranger.session).toBeUndefined();

    const registration = { redirect_uris: ['https://stranger.example/callback'] };
    const basic = { authorization: `Basic ${btoa('01a20468-0e99-74ab-beba-094daeddd226:x')}` };
    const answers = await Promise.all([
      ...['token', 'revoke', 'introspect'].map((path) =>
        fetch(`${forgetful.url}/oauth2/${path}`, {
          method: 'POST',
          headers: { ...FORM, ...basic },
          body: 'token=x&grant_type=refresh_token&refresh_token=x',
        }),
      ),
      fetch(`${forgetful.url}/oauth2/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(registration),
      }),
    ]);
    for (const answer of answers) {
      expect([answer.url, answer.status, await answer.json()]).toMatchObject([
        answer.url,
        503,
        { error: 'temporarily_unavailable' },
      ]);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }

    await proxy.reopen();
    expect(await sessions()).toEqual(before);
    expect((await there.get('/account')).status).toBe(200);
    await forgetful.close();
  });
});
