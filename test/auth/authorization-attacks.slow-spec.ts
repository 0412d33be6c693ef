import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import * as client from 'openid-client';
import { many } from '../../src/database/statements';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { FollowingBrowser } from '../support/following-browser';
import { authorize, signIn, type SignedIn, startSession } from '../support/sign-in';
import { begin, finish, forgetRegistrations, refusal, stranger } from '../support/stranger';

const CALLBACK = 'https://stranger.example/callback';

let test: TestApp;
let replica: TestApp;
let ada: SignedIn;

beforeAll(async () => {
  test = await createTestApp({ env: { OAUTH_REGISTRATION: 'open' } });
  replica = await createTestApp({
    env: { OAUTH_REGISTRATION: 'open' },
    database: test.database,
    dataDir: test.dataDir,
  });
  ada = await signIn(test, 'ada');
});

afterAll(async () => {
  await replica.close();
  await test.close();
});

beforeEach(() => forgetRegistrations(test));

const register = () => stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger' });
const ask = (config: client.Configuration, more: Record<string, string> = {}) =>
  begin(config, { redirect_uri: CALLBACK, scope: 'catalog:read', ...more });

/** Any request to an endpoint of the protocol. */
function post(path: string, body: string, headers: Record<string, string> = {}, url = test.url) {
  return fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

const call = (token: string) => fetch(`${test.url}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });

describe('A code', () => {
  it('works once; when it is replayed, everything that came from it ends', async () => {
    const config = await register();
    const begun = await ask(config);
    const back = await authorize(ada.browser, begun.address);
    const tokens = await finish(config, begun, back);
    expect(await refusal(finish(config, begun, back))).toBe('invalid_grant');
    expect(await refusal(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  });

  it('works for the client, verifier and redirect that it was issued for', async () => {
    const [config, other] = [await register(), await register()];
    const begun = await ask(config);
    const code = (await authorize(ada.browser, begun.address)).searchParams.get('code') ?? '';
    const exchange = async (client_id: string, verifier: string, redirect_uri: string) => {
      const form = { grant_type: 'authorization_code', code, client_id, code_verifier: verifier, redirect_uri };
      const response = await post('/oauth2/token', new URLSearchParams(form).toString());
      return [response.status, ((await response.json()) as { error?: string }).error];
    };
    const { client_id } = config.clientMetadata();
    const verifier = client.randomPKCECodeVerifier();
    expect(await exchange(other.clientMetadata().client_id, begun.verifier, CALLBACK)).toEqual([400, 'invalid_grant']);
    expect(await exchange(client_id, verifier, CALLBACK)).toEqual([400, 'invalid_grant']);
    expect(await exchange(client_id, begun.verifier, `${CALLBACK}/other`)).toEqual([400, 'invalid_grant']);
    expect(await exchange(client_id, begun.verifier, CALLBACK)).toEqual([200, undefined]);
  });
});

describe('A refresh token', () => {
  it('is used by one of two processes; the other ends the grant', async () => {
    const config = await register();
    const begun = await ask(config);
    const tokens = await finish(config, begun, await authorize(ada.browser, begun.address));
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
      client_id: config.clientMetadata().client_id,
    }).toString();
    const urls = [test.url, replica.url, test.url, replica.url];
    const answers = await Promise.all(urls.map((url) => post('/oauth2/token', form, {}, url)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const answer of answers.filter(({ status }) => status === 200)) {
      const { refresh_token } = (await answer.json()) as { refresh_token: string };
      expect(await refusal(client.refreshTokenGrant(config, refresh_token))).toBe('invalid_grant');
    }
  });
});

describe('An authorization request', () => {
  it.each([
    ['an unknown client', { client_id: '01a20468-0e99-74ab-beba-094daeddd226' }],
    ['a client id that is nothing', { client_id: "' OR 1=1" }],
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect URI with more at its end', { redirect_uri: `${CALLBACK}?more` }],
    ['another scheme', { redirect_uri: 'http://stranger.example/callback' }],
    ['a javascript URI', { redirect_uri: 'javascript:alert(1)' }],
  ])('with %s is answered by a page, never by a redirect', async (_what, parameters) => {
    const { address } = await ask(await register());
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    for (const browser of [ada.browser, new FollowingBrowser([test])]) {
      const shown = await browser.open(address);
      expect([shown.status, shown.url.origin]).toEqual([400, PUBLIC_URL]);
      expect(shown.text).toContain('You cannot sign in this way');
      expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  it.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['a foreign resource', { resource: 'https://api.example.com' }, 'invalid_target'],
    ['a resource that only begins like ours', { resource: `${PUBLIC_URL}.evil.example` }, 'invalid_target'],
    ['a path of ours that is no resource', { resource: `${PUBLIC_URL}/v1/users` }, 'invalid_target'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ])('with %s goes back with error, state and iss', async (_what, parameters, error) => {
    const { address, state } = await ask(await register());
    for (const [name, value] of Object.entries(parameters)) {
      if (value === '') address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    const { url } = await ada.browser.open(address);
    expect(url.href).toContain(CALLBACK);
    expect(Object.fromEntries(new URLSearchParams(url.search || url.hash.slice(1)))).toMatchObject({
      error,
      state,
      iss: PUBLIC_URL,
    });
  });

  it('without a session goes to the sign-in page and stores nothing', async () => {
    const { address } = await ask(await register());
    const count = () => many(test.dataSource, `SELECT digest FROM oauth_artifacts`);
    const before = (await count()).length;
    const response = await new FollowingBrowser([test]).request('GET', address);
    const location = new URL(response.headers.get('location') ?? '');
    expect([response.status, location.origin, location.pathname]).toEqual([303, PUBLIC_URL, '/sign-in']);
    expect(location.searchParams.get('return_to')).toBe(`${address.pathname}${address.search}`);
    expect((await count()).length).toBe(before);
  });

  it('with prompt=none and no session comes back with login_required', async () => {
    const { address } = await ask(await register(), { prompt: 'none' });
    const { url } = await new FollowingBrowser([test]).open(address);
    expect(url.searchParams.get('error')).toBe('login_required');
  });

  it('that asks for a new sign-in gets one, if the session is older than five minutes', async () => {
    const person = await signIn(test, `again-${Date.now()}`);
    const config = await register();
    const begun = await ask(config, { prompt: 'login' });
    const aged = `UPDATE sessions SET signed_in_at = now() - interval '1 hour' WHERE user_id = $1`;
    await test.dataSource.query(aged, [person.userId]);
    const response = await person.browser.request('GET', begun.address);
    const location = new URL(response.headers.get('location') ?? '');
    expect([location.pathname, location.searchParams.get('again')]).toEqual(['/sign-in', '1']);
    expect((await person.browser.open(location)).text).toContain('<h1>Sign in</h1>');
    await startSession(test, person.browser, person.userId);
    const back = await authorize(person.browser, begun.address);
    expect((await finish(config, begun, back)).scope).toBe('catalog:read');
  });

  it.each([
    ['a NUL character', 'state=%00'],
    ['bytes that are no text', 'state=%ED%A0%80'],
    ['a scope of more than 1,000 characters', `scope=${'catalog:read+'.repeat(90)}`],
  ])('with %s is not accepted', async (_what, more) => {
    const { address } = await ask(await register());
    address.searchParams.delete('state');
    address.searchParams.delete('scope');
    const response = await ada.browser.request('GET', new URL(`${address.href}&${more}`));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('invalid_request')]);
  });

  it('is answered with the issuer that the client compares (mix-up)', async () => {
    const config = await register();
    const begun = await ask(config);
    const back = await authorize(ada.browser, begun.address);
    back.searchParams.set('iss', 'https://evil.example');
    await expect(finish(config, begun, back)).rejects.toThrow();
  });
});

describe('The consent page', () => {
  it('accepts only the form that it showed to this browser in this session', async () => {
    const config = await register();
    const begun = await ask(config, { prompt: 'consent' });
    const page = await ada.browser.open(begun.address);
    expect(page.text).toContain('Allow access?');
    const forged = new URLSearchParams({ decision: 'allow', csrf_token: 'A'.repeat(43) });
    expect((await ada.browser.request('POST', page.url, forged)).status).toBe(403);
    const foreign = await ada.browser.request('POST', page.url, forged, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(foreign.status).toBe(403);
    const other = await signIn(test, `other-${Date.now()}`);
    expect((await other.browser.submit(page, { decision: 'allow' })).status).toBe(403);
  });

  it('names the client as text, the host of the redirect, and lets the form lead there', async () => {
    const config = await stranger(test, { redirect_uris: [CALLBACK], client_name: '<script>alert(1)</script>' });
    const page = await ada.browser.open((await ask(config)).address);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain('<strong>stranger.example</strong>');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://stranger.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
  });

  it('is for the person who began, in the same browser', async () => {
    const page = await ada.browser.open((await ask(await register(), { prompt: 'consent' })).address);
    const thief = await signIn(test, `thief-${Date.now()}`);
    expect((await thief.browser.open(page.url)).status).toBe(404);
    await startSession(test, ada.browser, thief.userId);
    expect((await ada.browser.open(page.url)).status).toBe(404);
    await startSession(test, ada.browser, ada.userId);
  });
});

describe("The library's session", () => {
  it('ends with the session of the console, and with it refresh tokens without offline_access', async () => {
    const person = await signIn(test, `ending-${Date.now()}`);
    const config = await register();
    const stay = async (more: Record<string, string>) => {
      const begun = await ask(config, more);
      const tokens = await finish(config, begun, await authorize(person.browser, begun.address));
      return tokens.refresh_token ?? '';
    };
    const bound = await stay({});
    const offline = await stay({ scope: 'catalog:read offline_access', prompt: 'consent' });
    await many(test.dataSource, `DELETE FROM sessions WHERE user_id = $1`, [person.userId]);
    expect(await refusal(client.refreshTokenGrant(config, bound))).toBe('invalid_grant');
    expect((await client.refreshTokenGrant(config, offline)).scope).toContain('catalog:read');
  });

  it('is not used for another person in the same browser', async () => {
    const [one, two] = [await signIn(test, `one-${Date.now()}`), await signIn(test, `two-${Date.now()}`)];
    const config = await register();
    await authorize(one.browser, (await ask(config)).address);
    await startSession(test, one.browser, two.userId);
    const begun = await ask(config);
    const tokens = await finish(config, begun, await authorize(one.browser, begun.address));
    expect(decodeJwt(tokens.access_token).sub).toBe(two.userId);
  });
});

describe('An access token', () => {
  it('with another algorithm or audience is not accepted', async () => {
    const [key] = (await test.anonymous.get('/oauth2/jwks')).body.keys;
    const config = await register();
    const begun = await ask(config);
    const { access_token } = await finish(config, begun, await authorize(ada.browser, begun.address));
    const claims = decodeJwt(access_token);
    const secret = new TextEncoder().encode(JSON.stringify(key));
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(key?.kid) })
      .sign(secret);
    expect((await call(confused)).status).toBe(401);
    expect((await call(new UnsecuredJWT(claims).encode())).status).toBe(401);
    const [header, , signature] = access_token.split('.');
    const foreign = Buffer.from(JSON.stringify({ ...claims, aud: 'https://api.example.com' })).toString('base64url');
    expect((await call(`${header}.${foreign}.${signature}`)).status).toBe(401);
    for (const token of [confused, `${header}.${foreign}.${signature}`])
      expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
  });

  it('for the registry of an organisation opens nothing else', async () => {
    const api = await test.as('keeper');
    const { id } = (await api.post('/v1/organisations', { name: 'Keepers' })).body;
    const config = await register();
    const registry = `${PUBLIC_URL}/v1/organisations/${id}/registry`;
    const begun = await ask(config, { resource: registry, scope: 'catalog:read organisations:read' });
    const tokens = await finish(config, begun, await authorize(ada.browser, begun.address), registry);
    expect(decodeJwt(tokens.access_token).aud).toBe(registry);
    const response = await call(tokens.access_token);
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { detail: 'The access token is for another audience.' },
    ]);
    const own = await fetch(`${test.url}/v1/organisations/${id}/registry/v0.1/servers`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    // Accepted; its person is not a member.
    expect(own.status).toBe(404);
  });
});

describe('Bad input', () => {
  const TOKEN = 'grant_type=refresh_token&refresh_token=x&client_id=x';

  it.each([
    ['a repeated parameter', `${TOKEN}&client_id=y`, {}],
    ['a NUL character', `${TOKEN}&scope=%00`, {}],
    ['a body of more than 64 KiB', `${TOKEN}&x=${'y'.repeat(65_536)}`, {}],
    ['a long scope', `${TOKEN}&scope=${'x'.repeat(1_001)}`, {}],
    ['an Authorization that does not decode', 'grant_type=client_credentials', { authorization: 'Basic !!!' }],
    ['an Authorization without a colon', 'grant_type=client_credentials', { authorization: 'Basic YWJj' }],
    ['another content type', '{}', { 'content-type': 'application/json' }],
  ])('%s is 400 invalid_request', async (_what, body, headers) => {
    const response = await post('/oauth2/token', body, headers);
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  it.each([
    ['javascript:alert(1)', 'invalid_redirect_uri'],
    ['data:text/html,x', 'invalid_redirect_uri'],
    ['file:///etc/passwd', 'invalid_redirect_uri'],
    ['vbscript:x', 'invalid_redirect_uri'],
    ['blob:https://a.example/x', 'invalid_redirect_uri'],
    ['not a uri', 'invalid_redirect_uri'],
  ])('a registration with %s is refused', async (uri, error) => {
    expect(await refusal(stranger(test, { redirect_uris: [uri] }))).toBe(error);
  });

  it('a network registers at most 20 clients an hour, on all replicas together', async () => {
    const registrations = Array.from({ length: 24 }, (_, index) =>
      refusal(stranger(index % 2 ? test : replica, { redirect_uris: [CALLBACK] })).catch(() => 'registered'),
    );
    const results = await Promise.all(registrations);
    expect(results.filter((result) => result === 'registered')).toHaveLength(20);
    const response = await post('/oauth2/register', JSON.stringify({ redirect_uris: [CALLBACK] }), {
      'content-type': 'application/json',
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3600']);
  });

  it('all networks together register at most 200 clients an hour', async () => {
    await test.dataSource.query(
      `INSERT INTO oauth_clients (id, name, source, metadata, registered_from, last_used_at)
       SELECT gen_random_uuid(), 'Another', 'REGISTRATION', '{}', sha256(n::text::bytea), now() FROM generate_series(1, 199) AS n`,
    );
    const register = () =>
      post('/oauth2/register', JSON.stringify({ redirect_uris: [CALLBACK] }), { 'content-type': 'application/json' });
    const answers = await Promise.all(Array.from({ length: 3 }, register));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 429, 429]);
    expect((await register()).headers.get('retry-after')).toBe('3600');
  });

  it('a registration has at most 10 redirect URIs, and no client credentials', async () => {
    const redirect_uris = Array.from({ length: 11 }, (_, index) => `${CALLBACK}/${index}`);
    expect(await refusal(stranger(test, { redirect_uris }))).toBe('invalid_redirect_uri');
    const machine = { redirect_uris: [CALLBACK], grant_types: ['client_credentials'] };
    expect(await refusal(stranger(test, machine))).toBe('invalid_client_metadata');
  });
});

describe('A dump of the database', () => {
  it('holds no code, token, secret or cookie, and nothing in it grants access', async () => {
    const config = await stranger(test, {
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const begun = await ask(config, { scope: 'openid catalog:read' });
    const page = await ada.browser.open(begun.address);
    const back = page.text.includes('Allow access?')
      ? (await ada.browser.submit(page, { decision: 'allow' })).url
      : page.url;
    const config2 = config.clientMetadata();
    const values = [
      back.searchParams.get('code') ?? '',
      ...Object.values(ada.browser.jar),
      String(config2.client_secret),
    ];
    const tables = ['oauth_artifacts', 'oauth_clients', 'oauth_client_secrets', 'sessions'];
    const dump = JSON.stringify(
      await Promise.all(tables.map((table) => many(test.dataSource, `SELECT ${table}::text AS row FROM ${table}`))),
    );
    for (const value of values.filter((text) => text.length > 20)) {
      expect(dump).not.toContain(value);
      expect(dump).not.toContain(Buffer.from(value).toString('hex'));
    }
    expect(test.log.join('')).not.toContain(back.searchParams.get('code'));
    // What is in the rows is not accepted in place of what it was made from.
    const rows = await many<{ digest: Buffer; id: string }>(test.dataSource, `SELECT digest, id FROM oauth_artifacts`);
    for (const { digest, id } of rows.slice(-5)) {
      for (const token of [digest.toString('hex'), digest.toString('base64url'), id])
        expect((await call(token)).status).toBe(401);
    }
  });
});

describe('Two replicas', () => {
  it('share every step of a flow', async () => {
    const person = await signIn(test, `two-replicas-${Date.now()}`, [test, replica]);
    const config = await register();
    const begun = await ask(config, { scope: 'openid organisations:read' });
    const back = await authorize(person.browser, begun.address);
    const other = await client.discovery(new URL(PUBLIC_URL), config.clientMetadata().client_id, {}, client.None(), {
      [client.customFetch]: (url, options) => fetch(`${replica.url}${new URL(url).pathname}`, options),
    });
    const tokens = await finish(other, begun, back);
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).toBeDefined();
    expect((await call(tokens.access_token)).status).toBe(200);
  });
});
