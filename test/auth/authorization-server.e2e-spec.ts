import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { Api } from '../support/api';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { growth } from '../support/metrics';
import { allowed, authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, forgetRegistrations, knownClient, refusal, stranger } from '../support/stranger';

const CALLBACK = 'https://stranger.example/callback';

let test: TestApp;
let admin: Api;
let ada: SignedIn;

beforeAll(async () => {
  test = await createTestApp({ env: { OAUTH_REGISTRATION: 'open' } });
  admin = new Api(test.url, test.document, await test.token('root', { isAdmin: true }));
  ada = await signIn(test, 'ada');
});

afterAll(() => test.close());

beforeEach(() => forgetRegistrations(test));

/** A public client that has registered itself. */
const register = () => stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger' });

/** A client of an administrator, with its secret. */
async function created(body: Record<string, unknown>) {
  const response = await admin.call('post', '/v1/oauth-clients', 201, body);
  const { id, client_secret: secret } = response.body as { id: string; client_secret: string };
  return { id, secret, config: await knownClient(test, id, client.ClientSecretBasic(secret)) };
}

async function tokensOf(config: client.Configuration, parameters: Record<string, string> = {}) {
  const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'organisations:read', ...parameters });
  return finish(config, begun, await authorize(ada.browser, begun.address));
}

function call(token: string, path = '/v1/users/me?verify_locally=false') {
  return fetch(`${test.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

describe('Discovery', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])('%s says what is supported', async (name) => {
    const metadata = (await test.anonymous.get(`/.well-known/${name}`)).body as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer: PUBLIC_URL,
      authorization_endpoint: `${PUBLIC_URL}/oauth2/authorize`,
      token_endpoint: `${PUBLIC_URL}/oauth2/token`,
      pushed_authorization_request_endpoint: `${PUBLIC_URL}/oauth2/par`,
      revocation_endpoint: `${PUBLIC_URL}/oauth2/revoke`,
      introspection_endpoint: `${PUBLIC_URL}/oauth2/introspect`,
      registration_endpoint: `${PUBLIC_URL}/oauth2/register`,
      device_authorization_endpoint: `${PUBLIC_URL}/oauth2/device_authorization`,
      userinfo_endpoint: `${PUBLIC_URL}/oauth2/userinfo`,
      end_session_endpoint: `${PUBLIC_URL}/oauth2/logout`,
      jwks_uri: `${PUBLIC_URL}/oauth2/jwks`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
    });
    expect(metadata.grant_types_supported).toEqual(
      expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
    );
    expect(metadata.grant_types_supported).not.toContain('implicit');
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining(['catalog:read', 'offline_access', 'openid']));
  });

  it('names this service, whatever the Host of the request', async () => {
    const response = await test.anonymous
      .raw('get', '/.well-known/oauth-authorization-server')
      .set({ host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' });
    expect(response.text).toContain(`"${PUBLIC_URL}/oauth2/token"`);
    expect(response.text).not.toContain('evil');
  });
});

describe('A stranger with a library of its own', () => {
  it('signs a person in with PKCE on a loopback port, and calls the API', async () => {
    const config = await stranger(test, { redirect_uris: ['http://127.0.0.1/callback'], client_name: 'Stranger' });
    const redirect_uri = 'http://127.0.0.1:51234/callback';
    const begun = await begin(config, {
      redirect_uri,
      scope: 'organisations:read email openid',
      resource: `${PUBLIC_URL}/`,
    });
    const back = await authorize(ada.browser, begun.address);
    expect(back.href).toContain(redirect_uri);
    expect(back.searchParams.get('iss')).toBe(PUBLIC_URL);
    const tokens = await finish(config, begun, back);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ iss: PUBLIC_URL, aud: `${PUBLIC_URL}/`, sub: ada.userId });
    expect(tokens.claims()).toMatchObject({ sub: ada.userId, email: ada.email, email_verified: true });
    const response = await call(tokens.access_token);
    expect([response.status, await response.json()]).toMatchObject([200, { id: ada.userId, email: ada.email }]);
  });

  it('gives tokens of ten minutes for this service if it names no resource', async () => {
    const { exp = 0, iat = 0, aud, gid, client_id, scope } = decodeJwt((await tokensOf(await register())).access_token);
    expect([exp - iat, aud, scope]).toEqual([600, PUBLIC_URL, 'organisations:read']);
    expect([typeof gid, typeof client_id]).toEqual(['string', 'string']);
  });

  it('asks for all scopes to read if it names none', async () => {
    const config = await register();
    const begun = await begin(config, { redirect_uri: CALLBACK });
    const tokens = await finish(config, begun, await authorize(ada.browser, begun.address));
    expect(tokens.scope).toBe('catalog:read bundles:read organisations:read webhooks:read');
  });

  it('pushes its request (RFC 9126), which works once', async () => {
    const config = await register();
    const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()];
    const address = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: 'catalog:read',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await authorize(ada.browser, address);
    const tokens = await finish(config, { address, verifier, state }, back);
    expect(tokens.scope).toBe('catalog:read');
    const again = await ada.browser.open(address);
    expect(again.url.searchParams.get('code')).toBeNull();
  });

  it('is counted, by the kind of the tokens that were issued', async () => {
    const config = await register();
    const work = async () => {
      const { refresh_token } = await tokensOf(config);
      await client.refreshTokenGrant(config, refresh_token ?? '');
    };
    expect(await growth(test, ['toolyard_tokens_issued_total'], work)).toEqual({
      'toolyard_tokens_issued_total{kind="access"}': 2,
      'toolyard_tokens_issued_total{kind="refresh"}': 2,
    });
    const { config: machine } = await created({
      name: 'Machine',
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const asItself = () => client.clientCredentialsGrant(machine, { scope: 'catalog:read' });
    expect(await growth(test, ['toolyard_tokens_issued_total'], asItself)).toEqual({
      'toolyard_tokens_issued_total{kind="client"}': 1,
    });
  });

  it('refreshes; a refresh token that is used again ends the grant and everything from it', async () => {
    const config = await register();
    const first = await tokensOf(config);
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await call(second.access_token)).status).toBe(200);
    expect(await refusal(client.refreshTokenGrant(config, first.refresh_token ?? ''))).toBe('invalid_grant');
    expect(await refusal(client.refreshTokenGrant(config, second.refresh_token ?? ''))).toBe('invalid_grant');
    expect((await call(second.access_token)).status).toBe(401);
    expect(await client.tokenIntrospection(config, second.access_token)).toEqual({ active: false });
  });

  it('introspects and revokes its access tokens, which are JWTs', async () => {
    const config = await register();
    const { access_token } = await tokensOf(config);
    expect(await client.tokenIntrospection(config, access_token)).toMatchObject({
      active: true,
      sub: ada.userId,
      scope: 'organisations:read',
      token_type: 'Bearer',
    });
    await client.tokenRevocation(config, access_token);
    expect(await client.tokenIntrospection(config, access_token)).toEqual({ active: false });
    expect((await call(access_token)).status).toBe(401);
  });

  it('introspects and revokes refresh tokens', async () => {
    const config = await register();
    const { refresh_token = '' } = await tokensOf(config);
    expect(await client.tokenIntrospection(config, refresh_token)).toMatchObject({ active: true });
    await client.tokenRevocation(config, refresh_token);
    expect(await refusal(client.refreshTokenGrant(config, refresh_token))).toBe('invalid_grant');
  });

  it("cannot revoke or introspect another client's token", async () => {
    const [owner, other] = [await register(), await register()];
    const { access_token } = await tokensOf(owner);
    expect(await client.tokenIntrospection(other, access_token)).toEqual({ active: false });
    await client.tokenRevocation(other, access_token);
    expect((await call(access_token)).status).toBe(200);
  });

  it('may only introspect its own tokens, also with a secret', async () => {
    const own = await register();
    const { access_token, refresh_token = '' } = await tokensOf(own);
    const secretive = await stranger(
      test,
      { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_basic' },
      client.ClientSecretBasic(),
    );
    const { config: checked } = await created({ name: 'Gateway', grant_types: ['client_credentials'] });
    for (const token of [access_token, refresh_token]) {
      expect(await client.tokenIntrospection(secretive, token)).toEqual({ active: false });
      expect(await client.tokenIntrospection(checked, token)).toMatchObject({ active: true, sub: ada.userId });
    }
    const tokens = await tokensOf(secretive);
    expect(await client.tokenIntrospection(secretive, tokens.access_token)).toMatchObject({ active: true });
  });

  it.each([
    ['\u202Eevil\u202C\u200B Name', 'evil Name'],
    ['\u3164\u200B', 'A program without a name'],
    [`Z${'\u0301'.repeat(40)}algo`, 'Ź\u0301\u0301\u0301algo'],
    ['Toolyard', 'A program that calls itself “Toolyard”'],
    ['<i>Tооlyard', 'A program that calls itself “&lt;i&gt;Tооlyard”'],
  ])('cannot deceive by its name %j', async (client_name, shown) => {
    const config = await stranger(test, { redirect_uris: [CALLBACK], client_name });
    const { address } = await begin(config, { redirect_uri: CALLBACK, scope: 'organisations:read' });
    const page = await ada.browser.open(address);
    expect(page.text).toContain(`<strong><bdi>${shown}</bdi></strong> wants to use Toolyard`);
    await allowed(ada.browser, page);
    const id = config.clientMetadata().client_id;
    const named = shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    const grants = (
      await new Api(test.url, test.document, await test.token(ada.userId, { email: ada.email })).get(
        '/v1/users/me/grants',
      )
    ).body;
    expect(grants.find((grant) => grant.client_id === id)?.client_name).toBe(named);
    expect((await ada.browser.open('/account')).text).toContain(`<bdi>${shown}</bdi>`);
    expect((await admin.get(`/v1/oauth-clients/${id}`)).body.name).not.toMatch(/[\u202A-\u202E\u200B\u3164]/);
  });

  it('reads who the person is at the userinfo endpoint', async () => {
    const config = await register();
    const tokens = await tokensOf(config, { scope: 'openid email' });
    const info = await client.fetchUserInfo(config, tokens.access_token, ada.userId);
    expect(info).toEqual({ sub: ada.userId, email: ada.email, email_verified: true });
    const posted = await new Api(test.url, test.document, tokens.access_token).post('/oauth2/userinfo', undefined, 200);
    expect(posted.body).toEqual(info);
  });

  it('signs a device in (RFC 8628)', async () => {
    const config = await stranger(test, {
      redirect_uris: [],
      response_types: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      client_name: 'Television',
    });
    const device = await client.initiateDeviceAuthorization(config, { scope: 'catalog:read' });
    expect(device.verification_uri).toBe(`${PUBLIC_URL}/device`);
    const asked = await ada.browser.open(device.verification_uri_complete ?? '');
    expect(asked.text).toContain(`value="${device.user_code}"`);
    const confirmed = await ada.browser.submit(asked, { user_code: device.user_code });
    expect(confirmed.text).toContain('Television');
    const consent = await ada.browser.submit(confirmed, { confirm: 'yes' });
    const done = await allowed(ada.browser, consent);
    expect(done.text).toContain('The device is connected');
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: ada.userId, scope: 'catalog:read' });
  });

  it('is told to slow down when a device asks too often (RFC 8628, section 3.5)', async () => {
    const config = await stranger(test, {
      redirect_uris: [],
      response_types: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    });
    const device = await client.initiateDeviceAuthorization(config, { scope: 'catalog:read' });
    const poll = async (device_code = device.device_code) =>
      (await (
        await fetch(`${test.url}/oauth2/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
            device_code,
            client_id: config.clientMetadata().client_id,
          }),
        })
      ).json()) as { error: string };
    expect([await poll(), await poll(), await poll()].map(({ error }) => error)).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
    ]);
    const other = await client.initiateDeviceAuthorization(config, { scope: 'catalog:read' });
    expect((await poll(other.device_code)).error).toBe('authorization_pending');
  });

  it('gets 401 for a token of a part of this service everywhere else', async () => {
    const config = await register();
    const resource = `${PUBLIC_URL}/mcp/bundles/019a9f63-5b20-7d73-9e86-4f3da09cd265`;
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'mcp:read', resource });
    const { access_token } = await finish(config, begun, await authorize(ada.browser, begun.address), resource);
    for (const path of ['/v1/users/me', '/v1/mcp/categories', '/v1/users/me?verify_locally=false']) {
      const response = await call(access_token, path);
      expect([response.status, await response.json()]).toMatchObject([
        401,
        { code: 'invalid_token', detail: 'The access token is for another audience.' },
      ]);
    }
    const own = new Api(test.url, test.document, access_token);
    expect((await own.call('post', '/v1/users/me/access-tokens', undefined, {})).status).toBe(401);
  });

  it('signs out at the end', async () => {
    const person = await signIn(test, 'leaving');
    const config = await stranger(test, {
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: ['https://stranger.example/bye'],
    });
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'openid organisations:read' });
    const tokens = await finish(config, begun, await authorize(person.browser, begun.address));
    const asked = await person.browser.open(
      client.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: 'https://stranger.example/bye',
        state: 'there',
      }),
    );
    expect(asked.text).toContain('Sign out?');
    const gone = await person.browser.submit(asked, { logout: 'yes' });
    expect(gone.url.href).toBe('https://stranger.example/bye?state=there');
    expect((await person.browser.request('GET', new URL('/v1/users/me', PUBLIC_URL))).status).toBe(401);
    expect(await refusal(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  });
});

describe('Clients of an administrator', () => {
  it('get tokens for themselves, and have an account of their own', async () => {
    const { config, id } = await created({ name: 'Nightly report', grant_types: ['client_credentials'] });
    const tokens = await client.clientCredentialsGrant(config, { scope: 'catalog:read organisations:read' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: id, client_id: id, aud: PUBLIC_URL });
    const response = await call(tokens.access_token);
    expect([response.status, await response.json()]).toMatchObject([200, { name: 'Nightly report', email: null }]);
  });

  it('have two secrets while one is being rotated', async () => {
    const { config, id, secret } = await created({ name: 'Rotating', grant_types: ['client_credentials'] });
    const rotated = await admin.post(`/v1/oauth-clients/${id}/rotate-secret`, {}, 200);
    const second = (rotated.body as { client_secret: string }).client_secret;
    expect(second).not.toBe(secret);
    const newer = await knownClient(test, id, client.ClientSecretBasic(second));
    await client.clientCredentialsGrant(config, { scope: 'catalog:read' });
    await client.clientCredentialsGrant(newer, { scope: 'catalog:read' });
    const last = await admin.post(`/v1/oauth-clients/${id}/rotate-secret`, { grace_seconds: 60 }, 200);
    expect((last.body as { secrets: unknown[] }).secrets).toHaveLength(2);
    expect(await refusal(client.clientCredentialsGrant(config, {}))).toBe('invalid_client');
    await client.clientCredentialsGrant(newer, { scope: 'catalog:read' });
  });

  it('need no consent if they are trusted', async () => {
    const { config } = await created({ name: 'Trusted', redirect_uris: [CALLBACK], is_trusted: true });
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'catalog:read' });
    const back = await ada.browser.open(begun.address);
    expect((await finish(config, begun, back.url)).scope).toBe('catalog:read');
  });

  it('can be listed, read, changed and deleted, with what they were allowed', async () => {
    const { id, config } = await created({ name: 'Short-lived', redirect_uris: [CALLBACK] });
    const tokens = await tokensOf(config);
    const changed = await admin.patch(`/v1/oauth-clients/${id}`, { name: 'Renamed', scope: 'catalog:read' });
    expect(changed.body).toMatchObject({ id, name: 'Renamed', scope: 'catalog:read', redirect_uris: [CALLBACK] });
    const page = await admin.get('/v1/oauth-clients?limit=1');
    expect(page.body).toMatchObject([{ id, name: 'Renamed' }]);
    expect(page.headers.link).toContain('rel="next"');
    await admin.delete(`/v1/oauth-clients/${id}`);
    await admin.get(`/v1/oauth-clients/${id}`, 404);
    expect((await call(tokens.access_token)).status).toBe(401);
    expect(await refusal(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_client');
  });

  it.each([
    [{ name: 'x', redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
    [{ name: 'x', redirect_uris: ['https://a.example/#fragment'] }, 'redirect_uris'],
    [{ name: 'x', redirect_uris: [] }, 'redirect_uris'],
  ])('are checked: %j', async (body, field) => {
    const response = await admin.call('post', '/v1/oauth-clients', 422, body);
    expect(response.body).toMatchObject({ detail: [{ loc: ['body', field] }] });
  });

  it('are for administrators only', async () => {
    const bob = await test.as('bob');
    await bob.get('/v1/oauth-clients', 403);
    await bob.post('/v1/oauth-clients', { name: 'x' }, 403);
  });
});

describe('What a person has allowed', () => {
  it('can be seen and taken back', async () => {
    const config = await register();
    const tokens = await tokensOf(config, { scope: 'organisations:read organisations:admin' });
    const own = new Api(test.url, test.document, tokens.access_token);
    const grants = (await own.get('/v1/users/me/grants')).body as { id: string; client_id: string }[];
    const { client_id } = decodeJwt(tokens.access_token);
    const grant = grants.find((candidate) => candidate.client_id === client_id);
    expect(grant).toMatchObject({ client_name: 'Stranger', scopes: ['organisations:read', 'organisations:admin'] });
    await own.delete(`/v1/users/me/grants/${grant?.id}`);
    expect((await call(tokens.access_token)).status).toBe(401);
    expect(await refusal(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'organisations:read' });
    expect((await ada.browser.open(begun.address)).text).toContain('Allow access?');
  });

  it('is remembered per client and scopes, in every browser', async () => {
    const person = await signIn(test, 'remembering');
    const config = await register();
    const ask = async (scope: string) => {
      const { address } = await begin(config, { redirect_uri: CALLBACK, scope });
      return person.browser.open(address);
    };
    await allowed(person.browser, await ask('catalog:read bundles:read'));
    expect((await ask('catalog:read')).url.searchParams.get('code')).not.toBeNull();
    expect((await ask('catalog:read webhooks:read')).text).toContain('Allow access?');
  });

  it('is asked every time for a client that has registered itself with a loopback redirect only', async () => {
    const config = await stranger(test, { redirect_uris: ['http://localhost:3118/callback'] });
    const ask = async () => {
      const begun = await begin(config, { redirect_uri: 'http://localhost:3118/callback', scope: 'catalog:read' });
      return ada.browser.open(begun.address);
    };
    const page = await ask();
    expect(page.text).toContain('Any program on this');
    await allowed(ada.browser, page);
    expect((await ask()).text).toContain('Allow access?');
  });

  it('can be refused', async () => {
    const config = await register();
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'catalog:read' });
    const back = await ada.browser.submit(await ada.browser.open(begun.address), { decision: 'deny' });
    expect(Object.fromEntries(back.url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: begun.state,
      iss: PUBLIC_URL,
    });
  });
});
