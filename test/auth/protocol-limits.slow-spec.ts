import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { signToken } from '../../src/auth/own-issuer';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { many } from '../../src/database/statements';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { FollowingBrowser } from '../support/following-browser';
import { authorize, signIn, type SignedIn, startSession } from '../support/sign-in';
import { begin, finish, forgetRegistrations, refusal, stranger } from '../support/stranger';

const CALLBACK = 'https://stranger.example/callback';
const FORM = 'application/x-www-form-urlencoded';

let test: TestApp;
let ada: SignedIn;

beforeAll(async () => {
  test = await createTestApp({ env: { OAUTH_REGISTRATION: 'open', TRUSTED_PROXIES: '127.0.0.1/32' } });
  ada = await signIn(test, 'ada');
});

afterAll(() => test.close());

beforeEach(() => forgetRegistrations(test));

const register = (metadata: object = {}) =>
  stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger', ...metadata });
const ask = (config: client.Configuration, more: Record<string, string> = {}) =>
  begin(config, { redirect_uri: CALLBACK, scope: 'catalog:read', ...more });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${test.url}${path}`, { method: 'POST', body, headers: { 'content-type': FORM, ...headers } });
const call = (token: string, path = '/v1/users/me') =>
  fetch(`${test.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

/** @returns the tokens of a client that Ada has allowed this */
async function tokensOf(config: client.Configuration, more: Record<string, string>) {
  const begun = await ask(config, more);
  return finish(config, begun, await authorize(ada.browser, begun.address), more.resource);
}

describe('Every endpoint for programs answers 400 invalid_request to', () => {
  const ENDPOINTS = ['token', 'par', 'revoke', 'introspect', 'device_authorization'].map((name) => `/oauth2/${name}`);

  it.each<[string, string, Record<string, string>]>([
    ['a repeated parameter', 'client_id=x&client_id=y', {}],
    ['NUL', 'client_id=x&token=%00', {}],
    ['a lone surrogate', 'client_id=x&token=%ED%A0%80', {}],
    ['a body of more than 64 KiB', `client_id=x&y=${'z'.repeat(65_536)}`, {}],
    ['a scope of more than 1,000 characters', `client_id=x&scope=${'y'.repeat(1_001)}`, {}],
    ['an Authorization: Basic that does not decode', 'token=x', { authorization: 'Basic !!!' }],
    ['an Authorization: Basic without a colon', 'token=x', { authorization: 'Basic YWJj' }],
  ])('%s', async (_what, body, headers) => {
    for (const path of ENDPOINTS) {
      const response = await post(path, body, headers);
      expect([path, response.status, await response.json()]).toMatchObject([path, 400, { error: 'invalid_request' }]);
    }
  });

  it.each([
    ['a lone surrogate', String.raw`{"redirect_uris":["https://a.example"],"client_name":"\ud800"}`],
    ['NUL', String.raw`{"redirect_uris":["https://a.example"],"client_name":"\u0000"}`],
    ['a body of more than 64 KiB', JSON.stringify({ redirect_uris: [CALLBACK], x: 'y'.repeat(65_536) })],
    ['a list', '[]'],
    ['what is no JSON', '{'],
  ])('a registration with %s', async (_what, body) => {
    const response = await post('/oauth2/register', body, { 'content-type': 'application/json' });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });
});

describe('An authorization request', () => {
  it.each(['client_id', 'redirect_uri'])('with two parameters %s is answered by a page', async (name) => {
    const { address } = await ask(await register());
    address.searchParams.append(name, 'https://evil.example/');
    const shown = await ada.browser.open(address);
    expect([shown.status, shown.url.origin]).toEqual([400, PUBLIC_URL]);
    expect(shown.text).toContain('invalid_request');
  });

  it.each(['state', 'scope', 'response_type', 'code_challenge'])('with two parameters %s goes back', async (name) => {
    const { address } = await ask(await register());
    address.searchParams.append(name, 'x');
    const { url } = await ada.browser.open(address);
    expect(url.href.startsWith(CALLBACK)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: 'invalid_request', iss: PUBLIC_URL });
  });

  it('pushed by one client is of no use to another, and is checked as the others are', async () => {
    const [owner, thief] = [await register(), await register()];
    const code_challenge = await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier());
    const good = { redirect_uri: CALLBACK, scope: 'catalog:read', code_challenge, code_challenge_method: 'S256' };
    const address = await client.buildAuthorizationUrlWithPAR(owner, good);
    address.searchParams.set('client_id', String(thief.clientMetadata().client_id));
    expect((await ada.browser.open(address)).status).toBe(400);
    for (const wrong of [
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge_method: 'plain' },
      { redirect_uri: 'https://evil.example/callback' },
    ])
      expect(await refusal(client.buildAuthorizationUrlWithPAR(owner, { ...good, ...wrong }))).toBe('invalid_request');
  });

  it('shows no scope that does not exist, and gives none', async () => {
    const config = await register();
    const begun = await ask(config, { scope: 'catalog:read This_program_is_safe' });
    const page = await ada.browser.open(begun.address);
    expect(page.text).toContain('See the catalogue');
    expect(page.text).not.toContain('This_program_is_safe');
    const back = await ada.browser.submit(page, { decision: 'allow' });
    expect((await finish(config, begun, back.url)).scope).toBe('catalog:read');
    // It is remembered, although the program asks for the same words again.
    const again = await signInElsewhere();
    const second = await ask(config, { scope: 'catalog:read This_program_is_safe' });
    expect((await again.open(second.address)).url.searchParams.get('code')).not.toBeNull();
  });

  async function signInElsewhere(): Promise<FollowingBrowser> {
    const browser = new FollowingBrowser([test]);
    await startSession(test, browser, ada.userId);
    return browser;
  }
});

describe('A redirect URI', () => {
  it.each(['http://stranger.example/callback', 'http://10.0.0.1/callback', 'http://localhost.evil.example/'])(
    'without encryption is for this computer only: %s',
    async (uri) => {
      expect(await refusal(register({ redirect_uris: [uri] }))).toBe('invalid_redirect_uri');
      expect(await refusal(register({ redirect_uris: ['http://127.0.0.1/', uri] }))).toBe('invalid_redirect_uri');
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,x'])('to return to after signing out is not %s', async (uri) => {
    const native = { redirect_uris: ['http://127.0.0.1/'], application_type: 'native' };
    expect(await refusal(register({ ...native, post_logout_redirect_uris: [uri] }))).toBe('invalid_client_metadata');
  });
});

describe('A token', () => {
  const signed = (audience: string) =>
    signToken(test.app.get(SigningKeys).current(), { issuer: PUBLIC_URL, audience, subject: ada.userId, ttl: 60 });

  it('that we signed for another audience opens nothing', async () => {
    for (const audience of ['https://api.example.com', `${PUBLIC_URL}.evil.example`, `${PUBLIC_URL}/v1`, '']) {
      const response = await call(await signed(audience));
      const { detail } = (await response.json()) as { detail?: string };
      expect([audience, response.status, detail]).toEqual([audience, 401, 'The access token is for another audience.']);
    }
    expect((await call(await signed(PUBLIC_URL))).status).toBe(200);
  });

  it('that says who somebody is (ID token) opens nothing', async () => {
    const { id_token = '' } = await tokensOf(await register(), { scope: 'openid organisations:read' });
    for (const path of ['/v1/users/me', '/oauth2/userinfo']) expect((await call(id_token, path)).status).toBe(401);
  });

  it('for the registry of an organisation does not say who its person is', async () => {
    const api = await test.as('keeper');
    const { id } = (await api.post('/v1/organisations', { name: 'Keepers' })).body;
    const resource = `${PUBLIC_URL}/v1/organisations/${id}/registry`;
    const { access_token } = await tokensOf(await register(), { scope: 'openid email catalog:read', resource });
    expect(decodeJwt(access_token).aud).toBe(resource);
    const response = await call(access_token, '/oauth2/userinfo');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('from a code that is replayed ends at once where that is asked', async () => {
    const config = await register();
    const begun = await ask(config, { scope: 'organisations:read' });
    const back = await authorize(ada.browser, begun.address);
    const { access_token } = await finish(config, begun, back);
    const status = async () => (await call(access_token, '/v1/users/me?verify_locally=false')).status;
    expect(await status()).toBe(200);
    expect(await refusal(finish(config, begun, back))).toBe('invalid_grant');
    expect(await status()).toBe(401);
  });
});

describe('The cookie of a session that has ended', () => {
  it.each(['/', '/sign-in', '/sign-out', '/account', '/device', '/sign-in/consent/x', '/v1/users/me', '/v1/session'])(
    'counts as none at %s, and is cleared',
    async (path) => {
      const browser = new FollowingBrowser([test]);
      browser.setCookie('__Host-toolyard', 'A'.repeat(43));
      const response = await browser.request('GET', new URL(path, PUBLIC_URL));
      const expected = path.startsWith('/v1') ? 401 : path === '/account' || path.endsWith('/x') ? 303 : 200;
      expect([response.status, browser.jar['__Host-toolyard']]).toEqual([expected, undefined]);
      expect(response.headers.getSetCookie().join()).toContain('__Host-toolyard=; Path=/; HttpOnly; Secure');
    },
  );

  it('counts as none in an authorization request, which leads to the sign-in page', async () => {
    const browser = new FollowingBrowser([test]);
    browser.setCookie('__Host-toolyard', 'A'.repeat(43));
    const shown = await browser.open((await ask(await register())).address);
    expect([shown.url.pathname, browser.jar['__Host-toolyard']]).toEqual(['/sign-in', undefined]);
  });
});

describe('What anybody can have stored', () => {
  it('is bounded for each network', async () => {
    const stored = async () => (await many(test.dataSource, `SELECT digest FROM oauth_artifacts`)).length;
    const before = await stored();
    const visit = (path: string, network: string) =>
      fetch(`${test.url}${path}`, { headers: { 'x-forwarded-for': network, accept: 'text/html' } });
    const attempts = Array.from({ length: 620 }, (_, index) => index);
    const statuses = new Map<number, number>();
    for (const start of [0, 155, 310, 465]) {
      const answers = await Promise.all(
        attempts.slice(start, start + 155).map((index) => visit('/device', `2001:db8::${index.toString(16)}`)),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([statuses.get(200), statuses.get(429)]).toEqual([600, 20]);
    expect((await stored()) - before).toBe(600);
    const refused = await visit('/oauth2/logout', '2001:db8::ffff');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
    expect(await refused.text()).toContain('Too many requests');
    expect((await visit('/device', '2001:db8:0:1::1')).status).toBe(200);
  });
});
