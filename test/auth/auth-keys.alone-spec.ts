import { Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { newKey, TestIssuer, TestIssuerOptions } from '../support/issuer';
import { crowding } from '../support/eventually';

const ME = '/v1/users/me';
const CROWD = 200;

describe('The keys of an external issuer', () => {
  const opened: { issuer: TestIssuer; test: TestApp }[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterEach(async () => {
    for (const { issuer, test } of opened.splice(0)) {
      await test.close();
      await issuer.stop();
      const log = test.log.join('');
      expect(issuer.issued.filter((token) => log.includes(token.split('.')[2] ?? token))).toEqual([]);
    }
  });

  afterAll(() => database.drop());

  /** An application that has not called its issuer yet. */
  async function open(options: TestIssuerOptions & { env?: (issuer: TestIssuer) => Record<string, string> } = {}) {
    const clock = new FakeClock();
    const { env, ...rest } = options;
    const issuer = await TestIssuer.start({ now: () => clock.now(), ...rest });
    const test = await createTestApp({ clock, database, env: { ...issuer.env, ...env?.(issuer) } });
    opened.push({ issuer, test });
    const call = (token: string, status = 200, path = ME) => new Api(test.url, test.document, token).get(path, status);
    /** Concurrent requests, each with a token of another unknown key. */
    const crowd = async (status: number): Promise<number> => {
      const before = issuer.requests.jwks;
      const strange = await newKey('ES256');
      const tokens = await Promise.all(
        Array.from({ length: CROWD }, (_, index) => issuer.token({}, { ...strange, kid: `unknown-${index}` })),
      );
      await Promise.all(tokens.map((token) => call(token, status)));
      return issuer.requests.jwks - before;
    };
    return { clock, issuer, test, call, crowd };
  }

  it('are fetched once, on first use, however many requests need them', async () => {
    const { issuer, call } = await open();
    expect(issuer.requests).toEqual({ metadata: 0, jwks: 0, introspection: 0 });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.token()));
    await Promise.all(tokens.map((token) => call(token)));
    expect(issuer.requests).toEqual({ metadata: 1, jwks: 1, introspection: 0 });
  });

  it('are fetched again for an unknown kid; tokens of a removed key are then rejected, even if verified before', async () => {
    const { clock, issuer, call } = await open();
    const [remembered, unseen] = [await issuer.token(), await issuer.token()];
    await call(remembered);
    await issuer.rotate();
    clock.advance(30_000);
    await call(await issuer.token());
    expect(issuer.requests.jwks).toBe(2);
    await call(remembered, 401);
    await call(unseen, 401);
  });

  it('are fetched at most once in 30 seconds, however many bad tokens arrive', async () => {
    const { clock, issuer, call, crowd } = await open();
    await call(await issuer.token());
    clock.advance(29_999);
    expect(await crowd(401)).toBe(0);
    clock.advance(1);
    expect(await crowd(401)).toBe(1);
    expect(await crowd(401)).toBe(0);
    clock.advance(3_600_000);
    expect(await crowd(401)).toBe(1);
  });

  it('are fetched at most once in 30 seconds even while the issuer fails', async () => {
    const { clock, issuer, call, crowd } = await open();
    await call(await issuer.token());
    issuer.behaviour = 'fail';
    clock.advance(30_000);
    const metadata = issuer.requests.metadata;
    expect(await crowd(503)).toBe(1);
    clock.advance(29_999);
    expect(await crowd(503)).toBe(0);
    issuer.behaviour = 'answer';
    clock.advance(1);
    expect(await crowd(401)).toBe(1);
    expect(issuer.requests.metadata - metadata).toBe(1);
  });

  it('are not guessed when a token has no kid and several keys fit', async () => {
    const { issuer, call } = await open();
    issuer.keys.push(await newKey('ES256'));
    const response = await call(await issuer.token({}, { ...issuer.key('ES256'), kid: undefined }), 401);
    expect(response.body).toEqual({
      detail: 'The access token does not name the key that signed it, and several are possible.',
      code: 'invalid_token',
    });
  });

  it('stop counting within ten minutes after the issuer withdraws them', async () => {
    const { clock, issuer, call } = await open();
    const [before, after] = [await issuer.token(), await issuer.token()];
    const withdrawn = issuer.key('ES256');
    await call(before);
    issuer.keys = issuer.keys.filter((key) => key !== withdrawn);
    clock.advance(600_001);
    await call(after, 401);
  });

  it('keep verifying tokens while the issuer is down', async () => {
    const { clock, issuer, call } = await open();
    await call(await issuer.token());
    await issuer.stop();
    clock.advance(3_600_000);
    await call(await issuer.token());
    await call(await issuer.token({}, issuer.key('RS256')));
  });

  it('are fetched as soon as an issuer that was down answers; until then requests get 503', async () => {
    const { clock, issuer, call } = await open();
    const token = await issuer.token();
    await issuer.stop();
    const response = await call(token, 503);
    expect(response.body).toEqual({
      detail: 'The authorization server did not answer. Try again shortly.',
      code: 'authorization_server_unavailable',
    });
    expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    await issuer.resume();
    clock.advance(Number(response.headers['retry-after']) * 1_000);
    await call(token);
  });

  it('cost one wait when the issuer hangs: further requests get 503 without waiting again', async () => {
    const { issuer, call } = await open();
    issuer.behaviour = 'hang';
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issuer.token()));
    const began = Date.now();
    await Promise.all(tokens.map((token) => call(token, 503)));
    await call(await issuer.token(), 503);
    expect(Date.now() - began).toBeLessThan(9_000 * crowding());
  });

  it('are found through the metadata of an authorization server that is not an OpenID provider (RFC 8414)', async () => {
    const { issuer, call } = await open({ metadata: 'oauth', path: '/tenants/1' });
    await call(await issuer.token(), 200, `${ME}?verify_locally=false`);
    expect(issuer.requests).toEqual({ metadata: 1, jwks: 1, introspection: 1 });
  });

  it('can be configured together with the introspection endpoint, so that no metadata is needed', async () => {
    const { issuer, call } = await open({
      env: ({ url }) => ({ OIDC_JWKS_URI: `${url}/keys`, OIDC_INTROSPECTION_URL: `${url}/introspect` }),
    });
    await call(await issuer.token(), 200, `${ME}?verify_locally=false`);
    expect(issuer.requests).toEqual({ metadata: 0, jwks: 1, introspection: 1 });
  });

  it('are not taken from metadata that names another issuer', async () => {
    const { issuer, call } = await open({ env: ({ url }) => ({ OIDC_ISSUER: `${url}/` }) });
    const response = await call(await issuer.token(), 503);
    expect(response.body).toMatchObject({ code: 'authorization_server_unavailable' });
  });

  it('do not replace introspection: an issuer without it gives 503 with verify_locally=false', async () => {
    const { issuer, call } = await open({ introspects: false });
    const token = await issuer.token();
    await call(token);
    const response = await call(token, 503, `${ME}?verify_locally=false`);
    expect(response.body).toMatchObject({ code: 'authorization_server_unavailable' });
  });

  it('do not replace introspection: wrong client credentials give 503 with verify_locally=false', async () => {
    const { issuer, call } = await open({ env: () => ({ OIDC_CLIENT_SECRET: 'wrong' }) });
    await call(await issuer.token(), 503, `${ME}?verify_locally=false`);
  });
});
