import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { CookieBrowser, csrfToken, type Shown, targetOf } from '../support/cookie-browser';
import { type Forgery, ForgedProvider } from '../support/forged-provider';
import { generateKeyPair } from 'jose';
import { eventually } from '../support/eventually';
import { CLIENT_SECRET } from '../support/identity-providers';
import { growth } from '../support/metrics';
import { providersFile } from '../support/sso';

const NONE = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');

describe('Attacks on company sign-in', () => {
  let provider: ForgedProvider;
  let other: ForgedProvider;
  let test: TestApp;

  beforeAll(async () => {
    [provider, other] = await Promise.all([ForgedProvider.start(), ForgedProvider.start()]);
    test = await createTestApp({
      env: {
        SSO_PROVIDERS_FILE: providersFile(
          { id: 'forged', issuer: provider.issuer },
          { id: 'other', issuer: other.issuer },
        ),
      },
    });
  });

  afterAll(async () => {
    await test.close();
    await Promise.all([provider.close(), other.close()]);
  });

  beforeEach(() => {
    provider.forgery = {};
    provider.tokenAnswer = undefined;
    provider.tokenRequests.length = 0;
  });

  /** Begins a sign-in, and tells the provider who signs in. */
  const begin = async (forgery: Forgery = {}, browser = new CookieBrowser(test.url), start = '/sso/forged/start') => {
    const target = targetOf(await browser.request(start));
    const { searchParams } = target;
    const nonce = searchParams.get('nonce') ?? '';
    provider.nextIdToken(nonce, {}, forgery);
    return { browser, target, state: searchParams.get('state') ?? '', nonce };
  };
  const callback = (browser: CookieBrowser, parameters: Record<string, string>, id = 'forged') =>
    browser.request(`/sso/${id}/callback?${new URLSearchParams({ iss: provider.issuer, ...parameters }).toString()}`);
  const sessions = async (): Promise<number> => {
    const [row]: { count: number }[] = await test.dataSource.query(`SELECT count(*)::int AS count FROM sessions`);
    return row?.count ?? NaN;
  };
  const expectRefusal = async (shown: Shown, browser: CookieBrowser, title: string, before: number) => {
    expect(/<h1>([^<]*)/.exec(shown.text)?.[1]).toBe(title);
    expect(browser.cookie(PUBLIC_URL, '__Host-toolyard')).toBeUndefined();
    expect(await sessions()).toBe(before);
  };

  it('is not refused if nothing is wrong', async () => {
    const { browser, state, target } = await begin();
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'toolyard',
      scope: 'openid profile email',
      redirect_uri: `${PUBLIC_URL}/sso/forged/callback`,
      code_challenge_method: 'S256',
    });
    const shown = await callback(browser, { code: 'c', state });
    expect([shown.status, shown.headers.get('location')]).toEqual([303, '/']);
    expect(browser.cookie(PUBLIC_URL, '__Host-toolyard')).toHaveLength(43);
    const [body] = provider.tokenRequests;
    expect(body?.get('code_verifier')).toHaveLength(43);
    expect(body?.get('redirect_uri')).toBe(`${PUBLIC_URL}/sso/forged/callback`);
  });

  it('is counted by its result', async () => {
    const work = async () => {
      for (const forgery of [{}, { without: ['nonce'] }]) {
        const { browser, state } = await begin(forgery);
        await callback(browser, { code: 'c', state });
      }
    };
    expect(await growth(test, ['toolyard_sign_ins_total'], work)).toEqual({
      'toolyard_sign_ins_total{way="company",result="succeeded"}': 1,
      'toolyard_sign_ins_total{way="company",result="failed"}': 1,
    });
  });

  const OTHER_KEY = new TextEncoder().encode(CLIENT_SECRET);
  it.each<[string, Forgery, string]>([
    ['without a nonce', { without: ['nonce'] }, 'You are not signed in'],
    ['with the nonce of another sign-in', { claims: { nonce: 'x'.repeat(43) } }, 'You are not signed in'],
    ['for another client', { claims: { aud: 'another' } }, 'You are not signed in'],
    [
      'for us and another client, given to that',
      { claims: { aud: ['toolyard', 'another'], azp: 'another' } },
      'You are not signed in',
    ],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'You are not signed in'],
    ['without a subject', { without: ['sub'] }, 'You are not signed in'],
    ['with a subject that cannot be stored', { claims: { sub: 'a\0b' } }, 'You are not signed in'],
    ['with a subject that is too long', { claims: { sub: 'x'.repeat(256) } }, 'You are not signed in'],
    ['signed with the client secret (HS256)', { header: { alg: 'HS256' }, key: OTHER_KEY }, 'You are not signed in'],
    ['with a key id that the provider does not have', { header: { kid: 'k2' } }, 'You are not signed in'],
    ['that expired an hour ago', { claims: { iat: 1_700_000_000, exp: 1_700_000_100 } }, 'The clocks differ'],
    ['that is no JWT', { raw: 'x.y' }, 'You are not signed in'],
  ])('refuses an ID token %s', async (_what, forgery, title) => {
    const before = await sessions();
    const { browser, state } = await begin(forgery);
    const shown = await callback(browser, { code: 'c', state });
    await expectRefusal(shown, browser, title, before);
  });

  it('refuses an ID token without a signature (alg none), and one signed with another key', async () => {
    const before = await sessions();
    for (const make of [
      (nonce: string): Forgery => {
        const now = Math.floor(Date.now() / 1_000);
        const claims = { iss: provider.issuer, aud: 'toolyard', sub: 'x', nonce, iat: now, exp: now + 60 };
        return { raw: `${NONE}.${encoded(claims)}.` };
      },
      async (): Promise<Forgery> => ({ key: (await generateKeyPair('RS256')).privateKey }),
    ]) {
      const { browser, state, nonce } = await begin();
      provider.nextIdToken(nonce, {}, await make(nonce));
      await expectRefusal(await callback(browser, { code: 'c', state }), browser, 'You are not signed in', before);
    }
  });

  it('refuses an answer with the issuer of another provider, or none (mix-up)', async () => {
    const before = await sessions();
    const { browser, state } = await begin();
    await expectRefusal(
      await callback(browser, { code: 'c', state, iss: other.issuer }),
      browser,
      'You are not signed in',
      before,
    );
    const without = await browser.request(`/sso/forged/callback?code=c&state=${state}`);
    await expectRefusal(without, browser, 'You are not signed in', before);
    // The code of one provider is never sent to another.
    const elsewhere = await callback(browser, { code: 'c', state, iss: other.issuer }, 'other');
    await expectRefusal(elsewhere, browser, 'This sign-in is over', before);
    expect([provider.tokenRequests, other.tokenRequests]).toEqual([[], []]);
  });

  it('refuses the state of another browser, a changed one, and none', async () => {
    const before = await sessions();
    const { state } = await begin();
    const { browser: victim } = await begin();
    const changed = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`;
    const lost: Record<string, string>[] = [{ state }, { state: changed }, { state: '' }, { state: 'x' }, {}];
    for (const parameters of lost)
      await expectRefusal(await callback(victim, { code: 'c', ...parameters }), victim, 'This sign-in is over', before);
    const stranger = new CookieBrowser(test.url);
    await expectRefusal(await callback(stranger, { code: 'c', state }), stranger, 'This sign-in is over', before);
    expect(provider.tokenRequests).toEqual([]);
  });

  it('refuses repeated parameters', async () => {
    const before = await sessions();
    const { browser, state } = await begin();
    const query = new URLSearchParams({ iss: provider.issuer, code: 'c', state });
    query.append('code', 'd');
    await expectRefusal(
      await browser.request(`/sso/forged/callback?${query.toString()}`),
      browser,
      'You are not signed in',
      before,
    );
    query.delete('code');
    query.append('state', state);
    await expectRefusal(
      await browser.request(`/sso/forged/callback?${query.toString()}`),
      browser,
      'This sign-in is over',
      before,
    );
    expect(provider.tokenRequests).toEqual([]);
  });

  it('shows what the provider reports, as text', async () => {
    const before = await sessions();
    const { browser, state } = await begin();
    const cancelled = await callback(browser, { error: 'access_denied', state });
    await expectRefusal(cancelled, browser, 'You are not signed in', before);
    expect(cancelled.text).toContain('was cancelled');
    const refused = await callback(browser, { error: '<script>alert(1)</script>', state });
    await expectRefusal(refused, browser, 'You are not signed in', before);
    expect(refused.text).toContain('&lt;script&gt;');
    expect(refused.text).not.toContain('<script>alert');
  });

  it('says that a code that was used before is over', async () => {
    const before = await sessions();
    const { browser, state } = await begin();
    provider.tokenAnswer = (response) =>
      void response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}');
    await expectRefusal(await callback(browser, { code: 'c', state }), browser, 'This sign-in is over', before);
  });

  it.each<[string, NonNullable<ForgedProvider['tokenAnswer']>]>([
    ['redirects', (response) => void response.writeHead(307, { Location: `${PUBLIC_URL}/token` }).end()],
    [
      'answers with HTML',
      (response) => void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway'),
    ],
    ['closes the connection', (response) => void response.destroy()],
    [
      'sends more than a megabyte',
      (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('x'.repeat(1_100_000)),
    ],
  ])('says so if the token endpoint %s', async (_what, tokenAnswer) => {
    const before = await sessions();
    const { browser, state } = await begin();
    provider.tokenAnswer = tokenAnswer;
    const shown = await callback(browser, { code: 'c', state });
    await expectRefusal(shown, browser, 'forged does not answer', before);
    expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '30']);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/.//evil.example', 'javascript:alert(1)'])(
    'never returns to %s',
    async (address) => {
      const start = `/sso/forged/start?${new URLSearchParams({ return_to: address }).toString()}`;
      const { browser, state } = await begin({}, new CookieBrowser(test.url), start);
      expect((await callback(browser, { code: 'c', state })).headers.get('location')).toBe('/');
    },
  );

  it('asks before a sign-in that another site began', async () => {
    const browser = new CookieBrowser(test.url);
    const shown = await browser.request('/sso/forged/start', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([shown.status, shown.headers.get('location')]).toEqual([200, null]);
    expect(shown.text).toContain('href="/sso/forged/start"');
  });

  it('links only by a form that it showed to this browser', async () => {
    const { browser, state } = await begin();
    await callback(browser, { code: 'c', state });
    const page = await browser.request('/sso/other/start?link=1');
    expect([page.status, targetOf({ ...page, headers: new Headers() }).href]).toEqual([200, page.url]);
    const refused = await browser.request('/sso/other/start', { form: { csrf_token: 'x' } });
    expect(refused.status).toBe(403);
    const elsewhere = { form: { csrf_token: csrfToken(page) }, headers: { origin: 'https://evil.example' } };
    expect((await browser.request('/sso/other/start', elsewhere)).status).toBe(403);
    const accepted = await browser.request('/sso/other/start', { form: { csrf_token: csrfToken(page) } });
    expect(accepted.status).toBe(200);
    expect(targetOf(accepted).origin).toBe(other.issuer);
  });

  it('gives a new session at every sign-in, and ends the former one (fixation)', async () => {
    const { browser, state } = await begin();
    await callback(browser, { code: 'c', state });
    const fixed = browser.cookie(PUBLIC_URL, '__Host-toolyard');
    const again = await begin({}, browser);
    await callback(browser, { code: 'c', state: again.state });
    expect(browser.cookie(PUBLIC_URL, '__Host-toolyard')).not.toBe(fixed);
    const thief = new CookieBrowser(test.url);
    thief.setCookie(PUBLIC_URL, '__Host-toolyard', fixed ?? '');
    await eventually(
      async () => (await thief.request('/v1/users/me')).status,
      (status) => status === 401,
      2_000,
    );
  });

  it('knows no other provider', async () => {
    for (const path of ['/sso/nobody/start', '/sso/nobody/callback?code=c&state=s', '/sso/..%2Fforged/start'])
      expect((await new CookieBrowser(test.url).request(path)).status).toBe(404);
  });

  it('logs neither codes nor states nor tokens nor secrets', async () => {
    const { browser, state, nonce } = await begin();
    await callback(browser, { code: 'very-secret-code', state });
    await callback(browser, { error: 'server_error', code: 'very-secret-code', state });
    const log = test.log.join('');
    expect(log).toContain('"route":"/sso/{provider}/callback"');
    for (const secret of ['very-secret-code', state, nonce, CLIENT_SECRET, 'eyJ']) expect(log).not.toContain(secret);
  });
});
