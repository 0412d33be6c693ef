import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { signToken } from '../../src/auth/own-issuer';
import { KeyRotation } from '../../src/auth/signing-keys/key-rotation.schedule';
import type { SigningKey } from '../../src/auth/signing-keys/signing-key';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { Api } from '../support/api';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp, type TestAppOptions } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';

const DAY = 86_400_000;
/** Within this time all replicas use a new key set (issue "Signing in", "Keys"). */
const SPREAD_MS = 5_000;

describe('The signing keys', () => {
  const open: TestApp[] = [];
  let database: TestDatabase;
  let clock: FakeClock;

  beforeEach(async () => {
    database = await createDatabase();
    clock = new FakeClock();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((test) => test.close()));
    await database.drop();
  });

  /** A replica on the database of the test. */
  async function start(options: Pick<TestAppOptions, 'env'> = {}): Promise<TestApp> {
    const test = await createTestApp({ database, clock, ...options });
    open.push(test);
    return test;
  }

  const count = async () => {
    const rows = await database.dataSource.query<object[]>(`SELECT FROM signing_keys`);
    return rows.length;
  };
  const tokenOf = (key: SigningKey, audience = 'toolyard', ttl = 3_600) =>
    signToken(key, { issuer: PUBLIC_URL, audience, subject: 'alice', ttl, from: clock.now() });
  const call = (test: TestApp, token: string) => new Api(test.url, test.document, token).get('/v1/users/me');

  describe('in the JWKS', () => {
    it('are published a day before they sign, and verify tokens without anything else of ours', async () => {
      const test = await start();
      const jwks = async () => (await test.anonymous.get('/oauth2/jwks')).body;
      const [first] = (await jwks()).keys;
      clock.advance(28 * DAY);
      await test.app.get(KeyRotation).run();
      await eventually(
        async () => (await jwks()).keys,
        ({ length }) => length === 2,
        SPREAD_MS,
      );
      clock.advance(DAY);
      expect(test.app.get(SigningKeys).current().kid).toBe(first?.kid);
      const cached = createLocalJWKSet(await jwks());
      clock.advance(DAY);
      const token = await tokenOf(test.app.get(SigningKeys).current());
      expect(decodeProtectedHeader(token).kid).not.toBe(first?.kid);
      await jwtVerify(token, cached, { issuer: PUBLIC_URL, currentDate: clock.now() });
      expect(JSON.stringify(await jwks())).not.toContain('"d"');
    });

    it('are not rotated by a process that only runs the API', async () => {
      const test = await start({ env: { RUN: 'api' } });
      clock.advance(60 * DAY);
      await test.app.get(KeyRotation).run();
      expect(await count()).toBe(1);
    });
  });

  it('rotate under load without a refused token, on two replicas', async () => {
    const replicas = await Promise.all([start(), start()]);
    const kids = new Set<string>();
    const tokens: { token: string; until: number }[] = [];
    let isOver = false;
    let calls = 0;
    const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;
    /** Signs on one replica and calls the other, and uses the oldest token that is valid for another day. */
    const client = async (number: number) => {
      for (let index = number; !isOver; index++) {
        const key = pick(replicas, index).app.get(SigningKeys).current();
        kids.add(key.kid);
        const audience = pick(['toolyard', PUBLIC_URL, `${PUBLIC_URL}/`], index);
        // As `npm run token -- --ttl 30d`: the longest that there is.
        const token = await tokenOf(key, audience, 30 * 86_400);
        tokens.push({ token, until: clock.now().getTime() + 30 * DAY });
        await call(pick(replicas, index + 1), token);
        const old = tokens.find(({ until }) => until > clock.now().getTime() + DAY);
        await call(pick(replicas, index >> 1), old?.token ?? token);
        calls++;
      }
    };
    const clients = Promise.all(Array.from({ length: 6 }, (_, number) => client(number)));
    const oneHundredDays = async () => {
      for (let day = 0; day < 100; day++) {
        await Promise.all(replicas.map(({ app }) => app.get(KeyRotation).run()));
        const enough = calls + 6;
        const used = eventually(
          () => calls,
          (count) => count >= enough,
          60_000,
        );
        await Promise.race([clients, used]);
        clock.advance(DAY);
      }
    };
    await oneHundredDays().finally(() => (isOver = true));
    await clients;
    // It signed from the days 0, 30, 60 and 90; the tokens of the first two have expired.
    expect(kids.size).toBe(4);
    expect(await count()).toBe(2);
  });
});
