import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { SCOPE_NAMES } from '../../src/auth/scopes';
import { newId } from '../../src/database/id';
import { type Answer, Api } from '../support/api';
import type { Error as ErrorBody, Me } from '../support/api-types';
import { createTestApp, FakeClock, PUBLIC_URL, TestApp } from '../support/app';
import { createCast, idOf } from '../support/factories';
import { newKey } from '../support/issuer';

/** The challenge names the scope of the operation too. */
const METADATA = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource", scope="organisations:read"`;
const ME = '/v1/users/me';

describe('Our own issuer', () => {
  const clock = new FakeClock(new Date());
  const tokens: string[] = [];
  let test: TestApp;

  beforeAll(async () => {
    // Two connections only, to detect code that asks for a second one while holding one.
    const env = { PLATFORM_ADMINS: 'root-subject, Chief@Example.com', DATABASE_POOL_SIZE: '2' };
    test = await createTestApp({ clock, env });
  });

  afterAll(async () => {
    await test.close();
    const log = test.log.join('');
    expect(tokens.filter((token) => log.includes(token.split('.')[2] ?? token))).toEqual([]);
  });

  const bearing = (token: string): Api => {
    tokens.push(token);
    return new Api(test.url, test.document, token);
  };
  const as = async (...args: Parameters<TestApp['token']>): Promise<Api> => bearing(await test.token(...args));
  const me = async (api: Api): Promise<Me> => (await api.get(ME)).body;
  const provision = async (email: string): Promise<string> => {
    const id = newId();
    await test.dataSource.query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [id, email]);
    return id;
  };
  const refusal = async (authorization: string | undefined, path = ME) => {
    const call = test.anonymous.raw('get', path);
    const response: Answer<Partial<ErrorBody>> = await (authorization === undefined
      ? call
      : call.set('Authorization', authorization));
    const { detail, code } = response.body;
    return { status: response.status, challenge: response.headers['www-authenticate'], detail, code };
  };

  describe('the account', () => {
    it('is created once, even if many first requests arrive at the same time', async () => {
      const token = await test.token('crowd', { name: 'Crowd' });
      const answers = await Promise.all(Array.from({ length: 20 }, () => me(bearing(token))));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers[0]).toMatchObject({ email: 'crowd@example.com', name: 'Crowd', is_platform_admin: false });
      const rows = await test.dataSource.query<object[]>(`SELECT 1 FROM users WHERE email = 'crowd@example.com'`);
      expect(rows).toHaveLength(1);
    });

    it('is created once, even if concurrent tokens give the person different names', async () => {
      const apis = await Promise.all(
        Array.from({ length: 30 }, (_, index) => as('many-names', { name: `Name ${index}` })),
      );
      const answers = await Promise.all(apis.map(me));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    });

    it('is the one provisioned for the address, whatever its case', async () => {
      const provisioned = await provision('Bob@Example.com');
      const token = await test.token('bob', { email: 'bob@example.com', name: 'Bob' });
      const answers = await Promise.all(Array.from({ length: 30 }, () => me(bearing(token))));
      for (const answer of answers) {
        expect(answer).toMatchObject({ id: provisioned, email: 'bob@example.com', name: 'Bob' });
      }
    });

    it('is a new one for a second identity with the same address', async () => {
      const provisioned = await provision('shared@example.com');
      const first = await me(await as('shared-1', { email: 'shared@example.com' }));
      const second = await me(await as('shared-2', { email: 'shared@example.com' }));
      expect(first.id).toBe(provisioned);
      expect(second.id).not.toBe(provisioned);
    });

    it('is claimed by only one of two identities that arrive at the same time', async () => {
      const provisioned = await provision('race@example.com');
      const apis = await Promise.all(['race-1', 'race-2'].map((subject) => as(subject, { email: 'race@example.com' })));
      const ids = (await Promise.all(apis.map(me))).map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      expect(ids).toContain(provisioned);
    });

    it('stays with the identity when the issuer changes the name or address', async () => {
      const before = await me(await as('changing', { name: 'Old' }));
      const after = await me(await as('changing', { name: 'New', email: 'new@example.com' }));
      expect(after).toMatchObject({ id: before.id, name: 'New', email: 'new@example.com' });
    });
  });

  describe('a token', () => {
    it('is accepted until 30 seconds after it expires, cached or not', async () => {
      clock.time = new Date(); // the time at which tokens are issued
      const remembered = await as('short', { ttl: 600 });
      const fresh = await as('short', { ttl: 600 });
      await remembered.get(ME);
      clock.advance(625_000);
      await remembered.get(ME);
      await fresh.get(ME);
      clock.advance(10_000);
      await remembered.get(ME, 401);
      await fresh.get(ME, 401);
      clock.time = new Date();
    });

    it.each([
      [
        'another key',
        async () => (await newKey('ES256')).privateKey,
        {},
        'The signature of the access token is wrong.',
      ],
      [
        'another key and its kid',
        async () => (await newKey('ES256')).privateKey,
        { kid: 'another' },
        'The access token is signed with an unknown key.',
      ],
    ])('is rejected when signed with %s', async (_, key, header, detail) => {
      const { kid } = decodeProtectedHeader(await test.token('forger'));
      const forged = await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .setIssuer(PUBLIC_URL)
        .setAudience('toolyard')
        .setSubject('forger')
        .setExpirationTime('1h')
        .sign(await key());
      tokens.push(forged);
      expect(await refusal(`Bearer ${forged}`)).toMatchObject({ status: 401, code: 'invalid_token', detail });
    });

    it('does not cache roles: a removed member is an outsider at the next request', async () => {
      const { orgId, owner, member } = await createCast(test);
      const memberId = await idOf(member);
      await member.get(`/v1/organisations/${orgId}`);
      await owner.delete(`/v1/organisations/${orgId}/members/${memberId}`);
      await member.get(`/v1/organisations/${orgId}`, 404);
    });
  });

  describe('verify_locally=false', () => {
    it('rejects an account that has never signed in, and does not create it', async () => {
      const api = await as('asked-at-once');
      await api.get(`${ME}?verify_locally=false`, 401);
      expect(await test.dataSource.query(`SELECT 1 FROM identities WHERE subject = 'asked-at-once'`)).toEqual([]);
    });

    it('accepts a valid token of a known account, cached or not', async () => {
      await me(await as('known'));
      const api = await as('known');
      await api.get(`${ME}?verify_locally=false`);
      await api.get(`${ME}?verify_locally=false`);
    });

    it.each(['false', 'FALSE', '0', 'no', 'Off'])('rejects a closed account at once when written as %s', async (no) => {
      const api = await as(`closed-${no}`);
      const { id } = await me(api);
      await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [id]);
      const response = await api.get(`${ME}?verify_locally=${no}`, 401);
      expect(response.body).toEqual({
        detail: 'The access token was revoked, or its account is closed or unknown.',
        code: 'invalid_token',
      });
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
      await api.get(ME, 401); // the cached verification was dropped
    });

    it('cannot be hidden with percent-encoding', async () => {
      const api = await as('hidden');
      const { id } = await me(api);
      await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [id]);
      await api.get(`${ME}?%76erify_locally=f%61lse`, 401);
    });

    it('rejects an account that was deleted', async () => {
      const api = await as('gone');
      const { id } = await me(api);
      await test.dataSource.query(`DELETE FROM users WHERE id = $1`, [id]);
      await api.get(`${ME}?verify_locally=false`, 401);
    });
  });

  describe('an error response', () => {
    it.each([
      ['no header', undefined],
      ['the scheme Basic', 'Basic YWxpY2U6c2VjcmV0'],
      ['a scheme that only starts like Bearer', 'Bearers abc.def.ghi'],
    ])('asks for a token, without an error code, if there is %s', async (_, authorization) => {
      const { status, code, challenge } = await refusal(authorization);
      expect({ status, code }).toEqual({ status: 401, code: 'authentication_required' });
      expect(challenge).toBe(`Bearer realm="toolyard", ${METADATA}`);
    });

    it('asks for a token if it is only in the query', async () => {
      const token = await test.token('in-the-query');
      tokens.push(token);
      expect(await refusal(undefined, `${ME}?access_token=${token}`)).toMatchObject({
        code: 'authentication_required',
      });
    });

    it.each([
      ['an empty token', 'Bearer'],
      ['an empty token after a space', 'Bearer '],
      ['garbage', 'Bearer garbage'],
      ['dots', 'Bearer ...'],
      ['four parts', 'Bearer a.b.c.d'],
      ['parts that are not JSON', 'Bearer YQ.YQ.YQ'],
      ['two tokens', 'Bearer abc def'],
      ['quotes', 'Bearer "abc"'],
    ])('gives the error invalid_token if there is %s', async (_, authorization) => {
      expect(await refusal(authorization)).toEqual({
        status: 401,
        code: 'invalid_token',
        detail: 'The access token is malformed.',
        challenge: `Bearer realm="toolyard", error="invalid_token", error_description="The access token is malformed.", ${METADATA}`,
      });
    });

    it('gives invalid_token for an unsigned token', async () => {
      const claims = { iss: PUBLIC_URL, aud: 'toolyard', sub: 'nobody' };
      const unsigned = new UnsecuredJWT(claims).setExpirationTime('1h').encode();
      expect(await refusal(`Bearer ${unsigned}`)).toMatchObject({ status: 401, code: 'invalid_token' });
    });

    it('is not given for a lower-case scheme', async () => {
      const token = await test.token('lower');
      tokens.push(token);
      expect((await refusal(`bearer ${token}`)).status).toBe(200);
    });
  });

  describe('a platform administrator', () => {
    it.each([
      ['root-subject', undefined, true],
      ['ROOT-SUBJECT', undefined, false],
      ['chief', 'chief@example.com', true],
      ['chief@example.com', 'somebody@example.com', false],
      ['Chief@Example.com', 'somebody-else@example.com', false],
      ['not-root', 'root-subject', false],
    ])('is matched by subject or verified address: %s, %s: %s', async (subject, email, expected) => {
      expect((await me(await as(subject, { email }))).is_platform_admin).toBe(expected);
    });

    it('can be made by a claim of our own issuer, for that token only', async () => {
      expect((await me(await as('attested', { isAdmin: true }))).is_platform_admin).toBe(true);
      expect((await me(await as('attested'))).is_platform_admin).toBe(false);
    });
  });

  describe('the discovery documents', () => {
    it('say that the service issues its own tokens', async () => {
      const response = await test.anonymous.get('/.well-known/oauth-protected-resource');
      expect(response.body).toEqual({
        resource: PUBLIC_URL,
        resource_name: 'Toolyard',
        resource_documentation: `${PUBLIC_URL}/docs`,
        authorization_servers: [PUBLIC_URL],
        bearer_methods_supported: ['header'],
        scopes_supported: SCOPE_NAMES,
      });
    });

    it.each(['oauth-authorization-server', 'openid-configuration'])(
      'name the issuer and its keys: %s',
      async (name) => {
        const response = await test.anonymous.get(`/.well-known/${name}`);
        expect(response.body).toMatchObject({ issuer: PUBLIC_URL, jwks_uri: `${PUBLIC_URL}/oauth2/jwks` });
      },
    );

    it('contain the public key to verify tokens with, and nothing private', async () => {
      const jwks = (await test.anonymous.get('/oauth2/jwks')).body;
      expect(jwks.keys).toEqual([
        {
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          x: expect.any(String) as string,
          y: expect.any(String) as string,
          kid: expect.any(String) as string,
        },
      ]);
      const token = await test.token('verified-elsewhere');
      const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
        issuer: PUBLIC_URL,
        audience: 'toolyard',
        typ: 'at+jwt',
      });
      expect(protectedHeader.kid).toBe(jwks.keys[0]?.kid);
      expect(payload).toMatchObject({ sub: 'verified-elsewhere', client_id: 'toolyard', email_verified: true });
    });
  });
});
