import { PasswordHasher } from '../../src/sign-in/passwords/password-hasher';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { PageBrowser } from '../support/page-browser';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';

const WRONG = 'The e-mail address or the password is wrong.';

describe('The page for signing in', () => {
  let test: TestApp;
  let clock: FakeClock;

  beforeEach(async () => {
    clock = new FakeClock();
    test = await createTestApp({ clock, env: { TRUSTED_PROXIES: '127.0.0.1/32,10.0.0.0/8' } });
  });

  afterEach(() => test.close());

  const query = <T>(sql: string, parameters: unknown[] = []) => test.dataSource.query<T[]>(sql, parameters);
  const signIn = (browser: PageBrowser, email: string, password = PASSWORD, from = '203.0.113.7') =>
    browser.submit('/sign-in', { email, password }, { 'X-Forwarded-For': from });

  it('signs in, with a cookie that no script and no other site gets', async () => {
    const userId = await createLocalAccount(test, 'ada@example.com');
    const browser = new PageBrowser(test.url);
    const agent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0 Safari/537.36';
    browser.headers = { 'User-Agent': agent };
    const done = await signIn(browser, ' Ada@Example.com ');
    expect([done.status, done.headers.location, done.headers['cache-control']]).toEqual([303, '/', 'no-store']);
    const set = String(done.headers['set-cookie']);
    expect(set).toMatch(/__Host-toolyard=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=604800/);
    expect((await browser.get('/v1/session')).body).toMatchObject({
      user_id: userId,
      email: 'ada@example.com',
      methods: ['pwd'],
    });
    expect((await browser.get('/v1/users/me/sessions')).body).toMatchObject([
      { name: 'Chrome on Linux', device: agent, address: '203.0.113.7', is_current: true },
    ]);
    expect(await query(`SELECT issuer, subject FROM identities WHERE user_id = $1`, [userId])).toEqual([
      { issuer: 'https://toolyard.test', subject: userId },
    ]);
    const again = await browser.get('/sign-in?return_to=/docs');
    expect([again.status, again.headers.location]).toEqual([303, '/docs']);
  });

  it('leads to a path of ours afterwards, and never to another site', async () => {
    await createLocalAccount(test, 'ada@example.com');
    const targets = [
      ['/v1/users/me?x=1&y=%20', '/v1/users/me?x=1&y=%20'],
      ['https://evil.example/', '/'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['/\t/evil.example', '/'],
      ['/..//evil.example', '/'],
      ['/.//evil.example', '/'],
      ['javascript:alert(1)', '/'],
      ['evil', '/'],
      [`/${'x'.repeat(5_000)}`, '/'],
    ];
    for (const [returnTo = '', expected] of targets) {
      const browser = new PageBrowser(test.url);
      const page = await browser.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
      expect(page.status).toBe(200);
      const done = await browser.submit('/sign-in', {
        email: 'ada@example.com',
        password: PASSWORD,
        return_to: returnTo,
      });
      expect([returnTo, done.status, done.headers.location]).toEqual([returnTo, 303, expected]);
    }
  });

  it('answers the same for an unknown account, a wrong password, a closed account and one without a password', async () => {
    await createLocalAccount(test, 'ada@example.com');
    const closed = await createLocalAccount(test, 'closed@example.com');
    await query(`UPDATE users SET closed_at = now() WHERE id = $1`, [closed]);
    await (await test.as('tokens')).get('/v1/users/me');
    const answers: unknown[] = [];
    const computed = jest.spyOn(test.app.get(PasswordHasher), 'verify');
    for (const [email, password] of [
      ['nobody@example.com', PASSWORD],
      ['ada@example.com', 'not the password at all'],
      ['closed@example.com', PASSWORD],
      ['tokens@example.com', PASSWORD],
      ['provisioned@example.com', PASSWORD],
    ] as const) {
      const browser = new PageBrowser(test.url);
      await browser.get('/sign-in');
      computed.mockClear();
      const answer = await signIn(browser, email, password);
      expect(answer.text).toContain(WRONG);
      // The time is that of the hash, whether there is one or not.
      expect(computed).toHaveBeenCalledTimes(1);
      const { date: _, 'x-request-id': __, ...headers } = answer.headers as Record<string, string>;
      answers.push([
        answer.status,
        // Their length is that of the address.
        { ...headers, 'content-length': '', etag: '' },
        answer.text.replace(/value="[\w-]{43}"/g, 'value="<token>"').replace(email, '<email>'),
      ]);
      expect(browser.session).toBeUndefined();
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(test.log.join('\n')).not.toMatch(/nobody@|ada@|closed@/);
  });

  it('replaces the session of the browser, so that none can be planted', async () => {
    await createLocalAccount(test, 'ada@example.com');
    await createLocalAccount(test, 'eve@example.com');
    const eve = await signedIn(test, 'eve@example.com');
    const victim = new PageBrowser(test.url);
    const planted = 'A'.repeat(43);
    victim.cookies.set('__Host-toolyard', planted);
    await signIn(victim, 'ada@example.com');
    expect(victim.session).not.toBe(planted);
    expect((await new PageBrowser(test.url).get('/v1/session', { Cookie: `__Host-toolyard=${planted}` })).status).toBe(
      401,
    );
    expect((await eve.get('/v1/session')).body).toMatchObject({ email: 'eve@example.com' });
    // Nor one that works: Eve plants her own session in Ada's browser, and loses it when Ada signs in there.
    const robbed = new PageBrowser(test.url);
    robbed.cookies.set('__Host-toolyard', eve.session ?? '');
    const fields = { email: 'ada@example.com', password: PASSWORD };
    expect((await robbed.submit('/sign-in?again=1', fields)).status).toBe(303);
    expect((await robbed.get('/v1/session')).body).toMatchObject({ email: 'ada@example.com' });
    expect(robbed.session).not.toBe(eve.session);
    expect((await eve.get('/v1/session')).status).toBe(401);
  });

  it('accepts only a form that it showed to this browser', async () => {
    await createLocalAccount(test, 'ada@example.com');
    const fields = { email: 'ada@example.com', password: PASSWORD };
    const browser = new PageBrowser(test.url);
    const other = new PageBrowser(test.url);
    const shown = (await other.get('/sign-in')).text;
    const foreign = /name="csrf_token" value="([^"]+)"/.exec(shown)?.[1] ?? '';
    const refused = [
      await browser.post('/sign-in', fields),
      await browser.post('/sign-in', { ...fields, csrf_token: foreign }),
      await browser.submit('/sign-in', fields, { Origin: 'https://evil.example' }),
      await browser.submit('/sign-in', fields, { 'Sec-Fetch-Site': 'cross-site' }),
      await browser.submit('/sign-in', fields, { 'Sec-Fetch-Site': 'same-site' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(browser.session).toBeUndefined();
    const [row] = await query<object>(`SELECT count(*)::int AS tries FROM account_tries`);
    expect(row).toEqual({ tries: 0 });
  });

  it.each([
    ['a field twice', 'email=a%40b&email=c%40d', 400],
    ['NUL', 'email=a%00b', 400],
    ['bytes that are not text', 'email=%ff', 400],
    ['64 KiB', `email=${'x'.repeat(66_000)}`, 413],
  ])('refuses a form with %s', async (_, body, status) => {
    const answer = await new PageBrowser(test.url).post('/sign-in', {}, {});
    expect(answer.status).toBe(400);
    const sent = await fetch(`${test.url}/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect([sent.status, sent.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  });

  it('signs out by a button, and not by a link or a form of another site', async () => {
    await createLocalAccount(test, 'ada@example.com');
    const browser = await signedIn(test, 'ada@example.com');
    expect((await browser.get('/sign-out')).text).toContain('Stay signed in');
    expect((await browser.post('/sign-out', {})).status).toBe(400);
    expect((await browser.post('/sign-out', { csrf_token: 'x' })).status).toBe(403);
    expect((await browser.get('/v1/session')).status).toBe(200);
    const cookie = browser.cookie;
    const done = await browser.submit('/sign-out', {});
    expect([done.status, browser.session]).toEqual([303, undefined]);
    expect((await browser.get('/sign-out')).text).toContain('You are signed out');
    expect((await browser.get('/v1/session', { Cookie: cookie })).status).toBe(401);
    expect(await query(`SELECT 1 FROM sessions`)).toEqual([]);
  });

  it('makes an account wait from the fifth failure on, twice as long each time, and forgets them at a success', async () => {
    await createLocalAccount(test, 'ada@example.com');
    const browser = new PageBrowser(test.url);
    for (let failure = 1; failure <= 5; failure++)
      expect((await signIn(browser, 'ada@example.com', 'wrong')).status).toBe(422);
    for (const seconds of [1, 2, 4, 8]) {
      const blocked = await signIn(browser, 'ada@example.com');
      expect([blocked.status, blocked.headers['retry-after']]).toEqual([429, String(seconds)]);
      clock.advance(seconds * 1_000);
      if (seconds < 8) expect((await signIn(browser, 'ada@example.com', 'wrong')).status).toBe(422);
    }
    expect((await signIn(browser, 'ada@example.com')).status).toBe(303);
    expect(await query(`SELECT 1 FROM account_tries`)).toEqual([]);
  });

  describe('when strangers try wrong passwords', () => {
    const flood = async (email = 'ada@example.com') => {
      const browser = new PageBrowser(test.url);
      for (let n = 1; n <= 10; n++) {
        await signIn(browser, email, 'wrong', `198.51.100.${n}`);
        clock.advance(100);
      }
      expect((await signIn(new PageBrowser(test.url), email, PASSWORD, '192.0.2.1')).status).toBe(429);
    };

    it('signs in a person from a browser, and from a network, that they have used before', async () => {
      await createLocalAccount(test, 'ada@example.com');
      const browser = new PageBrowser(test.url);
      expect((await signIn(browser, 'ada@example.com')).status).toBe(303);
      await browser.submit('/sign-out', {});
      await flood();
      expect((await signIn(browser, 'ADA@example.com', PASSWORD, '192.0.2.44')).status).toBe(303);
      await flood();
      expect((await signIn(new PageBrowser(test.url), 'ada@example.com')).status).toBe(303);
    });

    it('still makes such a browser wait for its own wrong ones', async () => {
      await createLocalAccount(test, 'ada@example.com');
      const browser = new PageBrowser(test.url);
      await signIn(browser, 'ada@example.com');
      await browser.submit('/sign-out', {});
      for (let n = 0; n < 5; n++)
        expect((await signIn(browser, 'ada@example.com', 'wrong', `192.0.2.${n}`)).status).toBe(422);
      expect((await signIn(browser, 'ada@example.com', 'wrong', '192.0.2.9')).status).toBe(429);
      // Neither the others, nor another account in the same browser.
      expect((await signIn(new PageBrowser(test.url), 'ada@example.com', PASSWORD, '192.0.2.77')).status).toBe(303);
      expect((await signIn(browser, 'bob@example.com', 'wrong', '192.0.2.10')).status).toBe(422);
    });

    it('does not let such a browser wait for others in its network', async () => {
      await createLocalAccount(test, 'ada@example.com');
      const browser = new PageBrowser(test.url);
      await signIn(browser, 'ada@example.com');
      await browser.submit('/sign-out', {});
      const other = new PageBrowser(test.url);
      for (let n = 0; n < 30; n++) await signIn(other, `nobody${n}@example.com`, 'wrong');
      expect((await signIn(other, 'ada@example.com')).status).toBe(429);
      expect((await signIn(browser, 'bob@example.com', 'wrong')).status).toBe(429);
      expect((await signIn(browser, 'ada@example.com')).status).toBe(303);
    });

    it('lets a person confirm with their password in a session that they have', async () => {
      await createLocalAccount(test, 'ada@example.com');
      const browser = new PageBrowser(test.url);
      await signIn(browser, 'ada@example.com');
      await query(`DELETE FROM sign_in_places`);
      await flood();
      clock.advance(6 * 60_000);
      await flood();
      expect((await browser.submit('/account/confirm', { current_password: PASSWORD })).status).toBe(303);
    });

    it('remembers 20 places of an account, by digests', async () => {
      await createLocalAccount(test, 'ada@example.com');
      for (let n = 0; n < 15; n++) {
        await signIn(new PageBrowser(test.url), 'ada@example.com', PASSWORD, `192.0.2.${n}`);
        clock.advance(1_000);
      }
      expect(await query(`SELECT count(*)::int AS count FROM sign_in_places`)).toEqual([{ count: 20 }]);
      expect(JSON.stringify(await query(`SELECT * FROM sign_in_places`))).not.toMatch(/ada|192\.0/);
    });
  });

  it('never makes an account wait for more than 15 minutes, and makes unknown ones wait, too', async () => {
    const browser = new PageBrowser(test.url);
    const waits: number[] = [];
    for (let failure = 1; failure <= 18; failure++) {
      expect((await signIn(browser, 'nobody@example.com', 'wrong', `198.51.100.${failure}`)).status).toBe(422);
      const blocked = await signIn(browser, 'NOBODY@example.com', 'wrong', '192.0.2.1');
      waits.push(Number(blocked.headers['retry-after'] ?? 0));
      clock.advance(900_000);
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBe(900);
  });

  it('does not let a race of 50 requests have 50 tries', async () => {
    await createLocalAccount(test, 'ada@example.com');
    const browser = new PageBrowser(test.url);
    await browser.get('/sign-in');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => signIn(browser, 'ada@example.com', 'wrong', `198.51.100.${index + 1}`)),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
  });
});
