import { decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { KeyRotation } from '../../src/auth/signing-keys/key-rotation.schedule';
import { SigningKeyStore } from '../../src/auth/signing-keys/signing-key-store';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { Api } from '../support/api';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { newFolder, removeFolders } from '../support/embedded';
import { eventually } from '../support/eventually';
import { createBundle, unique } from '../support/factories';
import { authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, stranger } from '../support/stranger';
import { runCommand, runToken } from '../support/toolyard-process';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');
const CALLBACK = 'https://stranger.example/callback';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Within this time all replicas use a new key set (issue "Signing in", "Keys"). */
const SPREAD_MS = 5_000;
const CREATED = /^Created the signing key ([\w-]{43}); it signs from (\S+)\.\n/;

/** What people and programs got before a rotation. */
interface Issued {
  kid: string;
  token: string;
  cursor: string;
  config: client.Configuration;
  refreshToken: string;
}

describe('The command rotate-signing-key', () => {
  let database: TestDatabase;
  let clock: FakeClock;
  let replicas: readonly [TestApp, TestApp];
  let ada: SignedIn;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    // The command has the clock of this machine.
    clock = new FakeClock(new Date());
    env = { DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: newFolder(), PUBLIC_URL };
    const start = () => createTestApp({ database, clock, env: { OAUTH_REGISTRATION: 'open' } });
    replicas = [await start(), await start()];
  });

  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await database.drop();
    removeFolders();
  });

  async function rotate(...args: string[]) {
    const result = await runCommand('rotate-signing-key', env, ...args);
    clock.time = new Date();
    return result;
  }

  const apiOf = ({ url, document }: TestApp, token: string) => new Api(url, document, token);
  const jwksOf = async ({ anonymous }: TestApp) =>
    (await anonymous.get('/oauth2/jwks')).body.keys.map(({ kid }) => String(kid)).sort();
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;

  /** Waits until every replica publishes these keys, and signs with that one. */
  async function spread(signing: string, published: string[]): Promise<void> {
    for (const replica of replicas) {
      await eventually(
        async () => [replica.app.get(SigningKeys).current().kid, await jwksOf(replica)],
        (state) => JSON.stringify(state) === JSON.stringify([signing, published.toSorted()]),
        SPREAD_MS,
      );
    }
  }

  async function issue(): Promise<Issued> {
    const [test] = replicas;
    const token = await test.token('olga', { ttl: 30 * 86_400 });
    const olga = apiOf(test, token);
    for (const name of ['One', 'Two']) await createBundle(olga, { name: unique(name) });
    const { link } = (await olga.get('/v1/bundles?limit=1')).headers as { link: string };
    const cursor = /[?&]cursor=([^&>]+)/.exec(link)?.[1] ?? '';
    ada = await signIn(test, unique('ada'), replicas);
    const config = await stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger' });
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'organisations:read offline_access' });
    const { refresh_token = '' } = await finish(config, begun, await authorize(ada.browser, begun.address));
    return { kid: kidOf(token) ?? '', token, cursor, config, refreshToken: refresh_token };
  }

  /** One request for each replica. */
  async function useSession(): Promise<void> {
    for (const replica of replicas) {
      expect([replica.url, (await ada.browser.open('/account')).status]).toEqual([replica.url, 200]);
    }
  }

  /** Uses the refresh token until its access tokens are signed with that key. @returns the last one */
  function refreshed(issued: Issued, kid: string): Promise<string> {
    return eventually(
      async () => {
        const tokens = await client.refreshTokenGrant(issued.config, issued.refreshToken);
        issued.refreshToken = tokens.refresh_token ?? issued.refreshToken;
        return tokens.access_token;
      },
      (token) => kidOf(token) === kid,
      SPREAD_MS,
    );
  }

  async function useToken({ token, cursor }: Issued): Promise<void> {
    for (const replica of replicas) {
      await apiOf(replica, token).get('/v1/users/me');
      await apiOf(replica, token).get('/v1/users/me?verify_locally=false');
      expect((await apiOf(replica, token).get(`/v1/bundles?limit=1&cursor=${cursor}`)).body).toHaveLength(1);
    }
  }

  it.each([
    [['--at-once', '--revoke'], {}, /^--at-once keeps the tokens of before, and --revoke ends them: choose one\./],
    [['--now'], {}, /^Unknown option '--now'[^]*Usage: npm run rotate-signing-key/],
    [[], { OIDC_ISSUER: 'https://login.example.com' }, /^OIDC_ISSUER is set: tokens are signed by https:\/\/login/],
    [[], { SECRETS_KEY: OTHER_KEY }, /^SECRETS_KEY is not the one with which the signing key/],
    // It could read everything, but the replicas not what it would seal.
    [
      [],
      { SECRETS_KEY: OTHER_KEY, SECRETS_KEYS_ACCEPTED: SECRETS_KEY },
      /^SECRETS_KEY \(id \S{12}\) is not known to 2 running process\(es\)/,
    ],
  ])('changes nothing and says why: %j, %j', async (args, more, message) => {
    const before = await jwksOf(replicas[0]);
    const { code, stdout, stderr } = await runCommand('rotate-signing-key', { ...env, ...more }, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
    const stored = await database.dataSource.query<{ kid: string }[]>(`SELECT kid FROM signing_keys ORDER BY kid`);
    expect(stored.map(({ kid }) => kid)).toEqual(before);
  });

  it('publishes the next key for 25 hours before it signs, and creates no second one meanwhile', async () => {
    const before = await issue();
    const began = Date.now();
    const { code, stdout, stderr } = await rotate();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, next = '', signsFrom = ''] = CREATED.exec(stdout) ?? [];
    expect(Date.parse(signsFrom)).toBeGreaterThanOrEqual(began + 25 * HOUR_MS);
    expect(Date.parse(signsFrom)).toBeLessThanOrEqual(Date.now() + 25 * HOUR_MS);
    await spread(before.kid, [before.kid, next]);
    const second = await rotate();
    expect(second).toMatchObject({
      code: 0,
      stdout: `The next key ${next} exists already; it signs from ${signsFrom}.\n`,
    });

    clock.advance(26 * HOUR_MS);
    await spread(next, [before.kid, next]);
    await useToken(before);
    await refreshed(before, next);
  });

  it('--revoke: tokens of before are refused at once on all replicas, while sessions and refresh tokens go on', async () => {
    const before = await issue();
    await useToken(before);
    const published = await jwksOf(replicas[0]);
    const { code, stdout, stderr } = await rotate('--revoke');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, next = ''] = CREATED.exec(stdout) ?? [];
    expect(stdout).toContain(
      `Removed all other keys (${published.length}): the tokens that they signed are refused from now on.\n`,
    );
    await spread(next, [next]);
    for (const replica of replicas) {
      expect((await apiOf(replica, before.token).get('/v1/users/me', 401)).body).toMatchObject({
        code: 'invalid_token',
      });
    }
    await useSession();
    await refreshed(before, next);
    const after = { ...before, token: await replicas[1].token('olga') };
    await useToken(after);
  });

  it('keeps at most ten keys, as everyone who reads the JWKS loads all of them', async () => {
    const store = replicas[0].app.get(SigningKeyStore);
    for (let count = (await store.read()).length; count < 10; count++) await store.rotate('at once');
    expect(await rotate('--at-once')).toMatchObject({
      code: 1,
      stderr: 'There are 10 signing keys already, each of which is kept until its last token has expired.\n',
    });
    expect((await rotate('--revoke')).stdout).toContain('Removed all other keys (10)');
  });

  // The last one, as it ends a month later.
  it('--at-once: the new key signs on all replicas, and what was issued before stays valid until it expires', async () => {
    const before = await issue();
    const published = await jwksOf(replicas[0]);
    const { code, stdout, stderr } = await rotate('--at-once');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, next = ''] = CREATED.exec(stdout) ?? [];
    await spread(next, [...published, next]);
    await useToken(before);
    await useSession();
    const ofCommand = (await runToken(env, '--email', 'eve@example.com')).stdout.trim();
    expect(kidOf(ofCommand)).toBe(next);
    const ofProgram = await refreshed(before, next);
    for (const replica of replicas) {
      for (const token of [ofProgram, ofCommand]) await apiOf(replica, token).get('/v1/users/me');
    }

    // The longest token that there is, on its last day, and an hour after its end.
    const rotateMonthly = () => Promise.all(replicas.map(({ app }) => app.get(KeyRotation).run()));
    clock.advance(30 * DAY_MS - HOUR_MS);
    await rotateMonthly();
    await useToken(before);
    clock.advance(3 * HOUR_MS);
    await rotateMonthly();
    for (const replica of replicas) {
      await apiOf(replica, before.token).get('/v1/users/me', 401);
      await eventually(
        () => jwksOf(replica),
        (kids) => !kids.includes(before.kid),
        SPREAD_MS,
      );
    }
  });
});
