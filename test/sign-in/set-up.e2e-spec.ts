import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { Api } from '../support/api';
import { PageBrowser } from '../support/page-browser';
import { PASSWORD, setUpToken } from '../support/local-accounts';

const FIELDS = {
  organisation: 'Analytical Engines',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: PASSWORD,
};

describe('The set-up page', () => {
  let test: TestApp;
  let clock: FakeClock;

  beforeEach(async () => {
    clock = new FakeClock();
    test = await createTestApp({ clock });
  });

  afterEach(() => test.close());

  it('makes the first account, its organisation and its session, and is then not found', async () => {
    const token = await setUpToken(test);
    const browser = new PageBrowser(test.url);
    const page = await browser.get('/setup');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const done = await browser.submit('/setup', { ...FIELDS, token });
    expect([done.status, done.headers.location]).toEqual([303, '/']);
    const home = await browser.get('/');
    expect(home.text).toMatch(/You are signed in as\s+<strong>ada@example.com<\/strong>/);

    const me = await browser.get('/v1/users/me', { Accept: 'application/json' });
    expect(me.body).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      is_platform_admin: true,
      organisations: [{ name: 'Analytical Engines', slug: 'analytical-engines', role: 'OWNER' }],
    });
    for (const response of [await browser.get('/setup'), await browser.post('/setup', { ...FIELDS, token })])
      expect([response.status, response.text]).toEqual([
        404,
        expect.stringContaining('There is nothing to set up here'),
      ]);
    expect(await test.dataSource.query(`SELECT * FROM set_up_tokens`)).toEqual([]);
  });

  it('makes a platform administrator with access tokens of our own issuer, too', async () => {
    await test.token('ada@example.com', { email: 'ada@example.com' });
    const before = new Api(test.url, test.document, await test.token('ada@example.com', { email: 'ada@example.com' }));
    const { id } = (await before.get('/v1/users/me')).body;
    await new PageBrowser(test.url).submit('/setup', { ...FIELDS, token: await setUpToken(test) });
    const after = (await before.get('/v1/users/me')).body;
    expect(after).toMatchObject({ id, is_platform_admin: true });
    const [row] = await test.dataSource.query<object[]>(`SELECT count(*)::int AS users FROM users`);
    expect(row).toEqual({ users: 1 });
  });

  it('does not open the account of somebody who signs in elsewhere', async () => {
    await test.dataSource.query(
      `WITH person AS (INSERT INTO users (id, email, claimed_at) VALUES (uuid_v7(), 'ada@example.com', now()) RETURNING id)
       INSERT INTO identities (issuer, subject, user_id) SELECT 'https://login.example.com', 'ada', id FROM person`,
    );
    const browser = new PageBrowser(test.url);
    const refused = await browser.submit('/setup', { ...FIELDS, token: await setUpToken(test) });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('signs in elsewhere')]);
    expect(browser.session).toBeUndefined();
    expect((await browser.get('/setup')).status).toBe(200);
  });

  it.each([
    [{ token: '' }, 'Paste the token'],
    [{ token: 'x'.repeat(32) }, 'wrong or older than 24 hours'],
    [{ organisation: '!!!' }, 'at least one letter or digit'],
    [{ name: ' ' }, 'Enter a name'],
    [{ email: 'ada' }, 'Enter an e-mail address'],
    [{ password: 'too short' }, 'at least 15 characters'],
    [{ password: 'toolyardtoolyard' }, 'made of your address'],
  ])('says what is wrong with %j', async (wrong, text) => {
    const token = await setUpToken(test);
    const answer = await new PageBrowser(test.url).submit('/setup', { ...FIELDS, token, ...wrong });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(text)]);
    expect(answer.text).not.toContain(PASSWORD);
    expect(await test.dataSource.query(`SELECT * FROM users`)).toEqual([]);
  });

  it('takes a link for 24 hours, and no longer', async () => {
    const token = await setUpToken(test);
    clock.advance(24 * 3_600_000);
    const late = await new PageBrowser(test.url).submit('/setup', { ...FIELDS, token });
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('older than 24 hours')]);
  });

  it('gives one administrator to a race of 50 requests', async () => {
    const token = await setUpToken(test);
    const browsers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const browser = new PageBrowser(test.url);
        await browser.get('/setup');
        return browser;
      }),
    );
    const pages = await Promise.all(browsers.map((browser) => browser.get('/setup')));
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.post('/setup', {
          ...FIELDS,
          email: `ada${index}@example.com`,
          organisation: `Engines ${index}`,
          token,
          csrf_token: /name="csrf_token" value="([^"]+)"/.exec(pages[index]?.text ?? '')?.[1] ?? '',
        }),
      ),
    );
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(counts.get(303)).toBe(1);
    expect(answers.every(({ status }) => [303, 404, 429, 503].includes(status))).toBe(true);
    expect(browsers.filter(({ session }) => session !== undefined)).toHaveLength(1);
    const [row] = await test.dataSource.query<object[]>(
      `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM organisations) AS organisations,
              (SELECT count(*)::int FROM sessions) AS sessions`,
    );
    expect(row).toEqual({ users: 1, organisations: 1, sessions: 1 });
  });

  it('stores and logs digests of tokens only', async () => {
    const token = await setUpToken(test);
    await new PageBrowser(test.url).submit('/setup', { ...FIELDS, token });
    const rows = await test.dataSource.query<object[]>(`SELECT * FROM passwords, sessions, users`);
    const everything = `${test.log.join('\n')} ${JSON.stringify(rows)}`;
    for (const secret of [token, PASSWORD]) expect(everything).not.toContain(secret);
  });
});

describe('Without anything to set up, the set-up page', () => {
  it.each<Record<string, string>>([
    { PLATFORM_ADMINS: 'root@example.com' },
    { OIDC_ISSUER: 'https://login.example.com' },
  ])('is not found with %j', async (env) => {
    const test = await createTestApp({ env });
    const browser = new PageBrowser(test.url);
    expect((await browser.get('/setup')).status).toBe(404);
    expect((await browser.post('/setup', {})).status).toBe(404);
    await test.close();
  });

  it('takes SETUP_TOKEN, which is not stored', async () => {
    const secret = 'unattended-installation-3f1c2a9b7d';
    const test = await createTestApp({ env: { SETUP_TOKEN: secret } });
    const done = await new PageBrowser(test.url).submit('/setup', { ...FIELDS, token: secret });
    expect(done.status).toBe(303);
    expect(test.log.join('\n')).not.toContain(secret);
    await test.close();
  });
});
