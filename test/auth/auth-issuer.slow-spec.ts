import { SignJWT, UnsecuredJWT } from 'jose';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import type { Me } from '../support/api-types';
import { createTestApp, FakeClock, PUBLIC_URL, TestApp } from '../support/app';
import { newKey, TestIssuer } from '../support/issuer';

const ME = '/v1/users/me';

describe('Tokens of an external issuer', () => {
  const clock = new FakeClock();
  let issuer: TestIssuer;
  let test: TestApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start({ now: () => clock.now(), path: '/realms/acme' });
    test = await createTestApp({ clock, env: { ...issuer.env, PLATFORM_ADMINS: 'root,chief@example.com' } });
  });

  afterAll(async () => {
    await test.close();
    await issuer.stop();
    const log = test.log.join('');
    expect(issuer.issued.filter((token) => log.includes(token.split('.')[2] ?? token))).toEqual([]);
  });

  const bearing = (token: string): Api => new Api(test.url, test.document, token);
  const me = async (token: string): Promise<Me> => (await bearing(token).get(ME)).body;
  const seconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  const refused = async (token: string): Promise<string> => {
    const response = await bearing(token).get(ME, 401);
    expect(response.body).toMatchObject({ code: 'invalid_token' });
    expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
    return response.body.detail;
  };

  describe('are accepted', () => {
    it.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)('when signed with %s', async (alg) => {
      await me(await issuer.token({}, issuer.key(alg)));
    });

    it('when the audience is one of several', async () => {
      await me(await issuer.token({ aud: ['another', 'toolyard'] }));
    });

    it.each([PUBLIC_URL, `${PUBLIC_URL}/`])('when the audience is our resource identifier: %s', async (aud) => {
      const token = await issuer.token({ aud });
      await me(token);
      await bearing(token).get(`${ME}?verify_locally=false`);
    });

    it('within 30 seconds after they expire or before they become valid, to allow for clock skew', async () => {
      await me(await issuer.token({ exp: seconds() - 29 }));
      await me(await issuer.token({ nbf: seconds() + 30 }));
    });

    it('without a kid, as long as only one key fits', async () => {
      await me(await issuer.token({}, { ...issuer.key('ES256'), kid: undefined }));
    });

    it('and map each subject to one account', async () => {
      const [first, again, other] = [
        await me(await issuer.token({ sub: 'alice' })),
        await me(await issuer.token({ sub: 'alice' })),
        await me(await issuer.token({ sub: 'bob' })),
      ];
      expect(again.id).toBe(first.id);
      expect(other.id).not.toBe(first.id);
    });
  });

  describe('are rejected', () => {
    it.each([
      ['they are for another audience', { aud: 'another' }, 'The access token is for another audience.'],
      ['they are for something below us', { aud: `${PUBLIC_URL}/v1` }, 'The access token is for another audience.'],
      ['they have no audience', { aud: undefined }, 'The access token is for another audience.'],
      ['another issuer is named', { iss: 'http://127.0.0.1:1' }, 'The access token was issued by another issuer.'],
      ['no issuer is named', { iss: undefined }, 'The access token was issued by another issuer.'],
      ['they never expire', { exp: undefined }, 'The access token has no usable "exp".'],
      ['they have no subject', { sub: undefined }, 'The access token has no usable "sub".'],
      ['the subject is empty', { sub: '' }, 'The access token has no usable "sub".'],
      ['the subject is not a string', { sub: 7 as unknown as string }, 'The access token has no usable "sub".'],
      ['the subject contains a NUL', { sub: 'a\0b' }, 'The access token has no usable "sub".'],
      ['the subject contains a lone surrogate', { sub: 'a\ud800' }, 'The access token has no usable "sub".'],
      ['the subject is too long', { sub: 'x'.repeat(256) }, 'The access token has no usable "sub".'],
    ])('when %s', async (_, claims, detail) => {
      expect(await refused(await issuer.token(claims))).toBe(detail);
    });

    it('when the issuer differs by its path or a trailing slash', async () => {
      expect(await refused(await issuer.token({ iss: issuer.url.replace('acme', 'other') }))).toContain('issuer');
      expect(await refused(await issuer.token({ iss: `${issuer.url}/` }))).toContain('issuer');
    });

    it('when they have expired or are not valid yet', async () => {
      expect(await refused(await issuer.token({ exp: seconds() - 30 }))).toBe('The access token has expired.');
      expect(await refused(await issuer.token({ nbf: seconds() + 31 }))).toBe('The access token is not valid yet.');
    });

    it('when they are unsigned', async () => {
      expect(await refused(new UnsecuredJWT(issuer.claims()).encode())).toContain('algorithm');
    });

    it.each(['RS256', 'ES256'] as const)(
      'when they are signed with HMAC and the public %s key as the secret',
      async (alg) => {
        const { kid, pem } = issuer.key(alg);
        for (const secret of [pem, pem.trim(), JSON.stringify(issuer.key(alg).jwk)]) {
          const forged = await new SignJWT(issuer.claims())
            .setProtectedHeader({ alg: 'HS256', kid })
            .sign(new TextEncoder().encode(secret));
          expect(await refused(forged)).toBe('The access token is signed with an algorithm that is not allowed.');
        }
      },
    );

    it('when an attacker signs them with another key under the kid of a known one', async () => {
      const { kid } = issuer.key('ES256');
      const forged = await issuer.token({}, { ...(await newKey('ES256')), kid });
      expect(await refused(forged)).toBe('The signature of the access token is wrong.');
    });

    it('when they carry their own key in the header', async () => {
      const { privateKey, jwk } = await newKey('ES256');
      const forged = await new SignJWT(issuer.claims())
        .setProtectedHeader({ alg: 'ES256', jwk, jku: 'http://127.0.0.1:1/keys' })
        .sign(privateKey);
      expect(await refused(forged)).toContain('signature');
    });

    it('when the claims were changed after signing', async () => {
      const [header, , signature] = (await issuer.token()).split('.');
      const claims = Buffer.from(JSON.stringify({ ...issuer.claims(), sub: 'root' })).toString('base64url');
      expect(await refused(`${header}.${claims}.${signature}`)).toBe('The signature of the access token is wrong.');
    });
  });

  describe('are checked by type', () => {
    it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt'])('typ %s is rejected', async (typ) => {
      expect(await refused(await issuer.token({}, undefined, { typ }))).toContain('"typ"');
    });

    it.each(['JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT'])('typ %s is accepted', async (typ) => {
      await me(await issuer.token({}, undefined, { typ }));
    });

    it.each([
      ['a nonce', { nonce: 'n' }],
      ['a hash of the access token', { at_hash: 'h' }],
      ['a token_use of "id"', { token_use: 'id' }],
      ['a typ claim of "ID"', { typ: 'ID' }],
      ['the client as its audience', { azp: 'toolyard' }],
    ])('an ID token is recognised by %s and rejected', async (_, claims) => {
      expect(await refused(await issuer.token(claims))).toContain('ID token');
    });

    it('a token that expires more than 400 days from now is rejected', async () => {
      await me(await issuer.token({ exp: seconds() + 400 * 86_400 }));
      expect(await refused(await issuer.token({ exp: seconds() + 400 * 86_400 + 1 }))).toContain('400 days');
      expect(await refused(await issuer.token({ exp: 1e15 }))).toContain('400 days');
    });
  });

  describe('carry an address', () => {
    const provision = async (email: string): Promise<string> => {
      const id = newId();
      await test.dataSource.query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [id, email]);
      return id;
    };

    it('that claims the account provisioned for it if the issuer verified it', async () => {
      const id = await provision('carol@example.com');
      expect(await me(await issuer.token({ email: 'carol@example.com', email_verified: true }))).toMatchObject({ id });
    });

    it.each([false, undefined, 'true', 1])('that is ignored with email_verified %p', async (email_verified) => {
      const email = `dave-${String(email_verified)}@example.com`;
      const id = await provision(email);
      const answer = await me(await issuer.token({ email, email_verified }));
      expect(answer.id).not.toBe(id);
      expect(answer.email).toBeNull();
    });

    it('that makes its user a platform administrator only if verified; a listed subject always does', async () => {
      const claims = { email: 'Chief@example.com', email_verified: true };
      expect(await me(await issuer.token(claims))).toMatchObject({ is_platform_admin: true });
      const unverified = await issuer.token({ ...claims, email_verified: false });
      expect(await me(unverified)).toMatchObject({ is_platform_admin: false });
      expect(await me(await issuer.token({ sub: 'root' }))).toMatchObject({ is_platform_admin: true });
    });

    it.each([
      ['contains a NUL', 'a\0@example.com'],
      ['is too long', `${'x'.repeat(5_000)}@example.com`],
      ['is not a string', 7],
    ])('that is ignored if it %s', async (_, email) => {
      expect((await me(await issuer.token({ email, email_verified: true, name: 'a\0b' }))).email).toBeNull();
    });
  });

  it('do not make anyone a platform administrator with the claim that only our own issuer may set', async () => {
    expect(await me(await issuer.token({ toolyard_admin: true }))).toMatchObject({ is_platform_admin: false });
  });

  it('do not match a listed address by their sub, nor a listed sub by their address', async () => {
    expect(await me(await issuer.token({ sub: 'chief@example.com' }))).toMatchObject({ is_platform_admin: false });
    const claims = { email: 'root', email_verified: true };
    expect(await me(await issuer.token(claims))).toMatchObject({ is_platform_admin: false });
  });

  it.each([
    [{ email_verified: true }, 'email_verified', true],
    [{ xms_edov: '1' }, 'xms_edov', true],
    [{ xms_edov: true, email_verified: false }, 'not_verified', false],
    [{}, 'not_verified', false],
  ])('show in GET /v1/users/me why an address counts or not: %j', async (claims, state, counts) => {
    const email = `why-${JSON.stringify(claims).replace(/\W/g, '')}@example.com`;
    const answer = (await bearing(await issuer.token({ sub: email, email, ...claims })).get(ME)).body;
    expect(answer.email).toBe(counts ? email : null);
    expect(answer.sign_in).toMatchObject({ issuer: issuer.url, subject: email, email, email_state: state });
    expect(answer.sign_in?.detail).toMatch(counts ? /so you have the access/ : /so it is ignored/);
  });

  describe('with verify_locally=false', () => {
    const asked = `${ME}?verify_locally=false`;

    afterEach(async () => {
      issuer.behaviour = 'answer';
      issuer.introspection = undefined;
      await issuer.resume();
    });

    it('are accepted while the issuer says they are active, and the issuer is asked each time', async () => {
      const api = bearing(await issuer.token());
      const before = issuer.requests.introspection;
      await api.get(asked);
      await api.get(asked);
      await api.get(ME);
      expect(issuer.requests.introspection - before).toBe(2);
    });

    it('are rejected as soon as the issuer has revoked them', async () => {
      const token = await issuer.token();
      await bearing(token).get(asked);
      issuer.revoke(token);
      const response = await bearing(token).get(asked, 401);
      expect(response.body).toMatchObject({ code: 'invalid_token' });
    });

    it("are rejected when the issuer's answer names another subject", async () => {
      issuer.introspection = { active: true, sub: 'somebody-else' };
      await bearing(await issuer.token()).get(asked, 401);
    });

    it.each([
      ['has expired', { exp: 1 }],
      ['is from another issuer', { iss: 'https://elsewhere.example.com' }],
      ['is for another audience', { aud: 'another' }],
      ['is about a refresh token', { token_type: 'refresh_token' }],
    ])('are rejected when the introspection answer %s', async (_, introspection) => {
      issuer.introspection = { active: true, ...introspection };
      await bearing(await issuer.token()).get(asked, 401);
    });

    it.each([
      ['has no "active"', {}],
      ['has the string "true" as "active"', { active: 'true' }],
      ['is a list', []],
    ])('are never accepted when the introspection answer %s', async (_, introspection) => {
      issuer.introspection = introspection;
      const response = await bearing(await issuer.token()).get(asked, 503);
      expect(response.body).toMatchObject({ code: 'authorization_server_unavailable' });
    });

    it('are never accepted when the issuer fails', async () => {
      const api = bearing(await issuer.token());
      await api.get(asked);
      issuer.behaviour = 'fail';
      const response = await api.get(asked, 503);
      expect(response.body).toMatchObject({ code: 'authorization_server_unavailable' });
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    });

    it('are never accepted when the issuer is down', async () => {
      const api = bearing(await issuer.token());
      await api.get(asked);
      await issuer.stop();
      const response = await api.get(asked, 503);
      expect(response.body).toMatchObject({ code: 'authorization_server_unavailable' });
      await issuer.resume();
      await api.get(asked);
    });

    it('are never accepted when the issuer hangs, and other requests are served meanwhile', async () => {
      const api = bearing(await issuer.token());
      await api.get(asked);
      issuer.behaviour = 'hang';
      const waiting = api.get(asked, 503);
      await api.get(ME);
      expect((await waiting).body).toMatchObject({ code: 'authorization_server_unavailable' });
    });

    it('are not introspected if local verification already fails', async () => {
      const before = issuer.requests.introspection;
      await bearing(await issuer.token({ aud: 'another' })).get(asked, 401);
      expect(issuer.requests.introspection).toBe(before);
    });
  });

  describe('and the discovery documents', () => {
    it('the protected-resource metadata names that issuer', async () => {
      const response = await test.anonymous.get('/.well-known/oauth-protected-resource');
      expect(response.body).toMatchObject({ resource: PUBLIC_URL, authorization_servers: [issuer.url] });
    });

    it.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/oauth2/jwks'])(
      'this service does not pose as an issuer: %s is not found',
      async (path) => {
        const response = await test.anonymous.get(path, 404);
        expect(response.body).toMatchObject({ code: 'not_found' });
      },
    );

    it('nor do its endpoints exist, whatever is sent to them', async () => {
      const send = (method: string, path: string, headers = {}) =>
        fetch(`${test.url}/oauth2/${path}`, { method, headers, ...(method === 'POST' && { body: 'x' }) });
      const caller = { authorization: `Bearer ${await issuer.token({})}` };
      const answers = [
        ...(await Promise.all(['authorize', 'logout'].map((path) => send('GET', path)))),
        ...(await Promise.all(
          ['par', 'token', 'revoke', 'introspect', 'device_authorization', 'register'].map((path) =>
            send('POST', path),
          ),
        )),
        await send('GET', 'userinfo', caller),
      ];
      for (const answer of answers)
        expect([answer.url, answer.status, await answer.json()]).toEqual([
          answer.url,
          404,
          { error: 'not_found', error_description: expect.stringContaining(issuer.url) as string },
        ]);
    });
  });
});
