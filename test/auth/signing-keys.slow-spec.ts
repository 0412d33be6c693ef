import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { signToken } from '../../src/auth/own-issuer';
import { currentKey } from '../../src/auth/signing-keys/key-rotation';
import { KeyRotation } from '../../src/auth/signing-keys/key-rotation.schedule';
import { generateSigningKey, keyPairOf, type SigningKey } from '../../src/auth/signing-keys/signing-key';
import { SigningKeyStore } from '../../src/auth/signing-keys/signing-key-store';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { Environment } from '../../src/config/environment';
import { Secrets } from '../../src/config/secrets';
import { createDataSource } from '../../src/database/data-source';
import { Notifications } from '../../src/database/notifications';
import { ENTITIES } from '../../src/schema';
import { start as startProcess } from '../../src/start';
import { Api } from '../support/api';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp, type TestAppOptions } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { freePort } from '../support/toolyard-process';

const ME = '/v1/users/me';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Within this time all replicas use a new key set (issue "Signing in", "Keys"). */
const SPREAD_MS = 5_000;
const KEY = Buffer.alloc(32, 7);
const SECRETS = new Secrets(KEY);

interface Row {
  kid: string;
  public_jwk: JWK | null;
  encrypted_private_jwk: Buffer | null;
  is_imported: boolean;
  created_at: Date;
  signs_from: Date | null;
}

describe('The signing keys', () => {
  const folders: string[] = [];
  const open: { close: () => Promise<void> }[] = [];
  let database: TestDatabase;
  let clock: FakeClock;
  let store: SigningKeyStore;

  beforeAll(() => void Logger.overrideLogger(false));

  beforeEach(async () => {
    database = await createDatabase();
    clock = new FakeClock();
    store = new SigningKeyStore(database.dataSource, SECRETS, clock);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await database.drop();
  });
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

  const rows = () => database.dataSource.query<Row[]>(`SELECT * FROM signing_keys ORDER BY created_at, kid`);
  const current = async (from: SigningKeyStore = store) => currentKey(await from.read(), clock.now())?.kid;
  const tokenOf = (key: SigningKey, audience = 'toolyard', ttl = 3_600) =>
    signToken(key, { issuer: PUBLIC_URL, audience, subject: 'alice', ttl, from: clock.now() });
  const call = (test: TestApp, token: string, status = 200, path = ME) =>
    new Api(test.url, test.document, token).get(path, status);

  /** A replica on the database of the test. */
  async function start(options: Pick<TestAppOptions, 'dataDir' | 'env'> = {}): Promise<TestApp> {
    const test = await createTestApp({ database, clock, ...options });
    open.push(test);
    return test;
  }

  /** @returns DATA_DIR of the former release */
  async function formerDataDir(content?: string): Promise<{ dataDir: string; kid: string; key: SigningKey }> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const dataDir = mkdtempSync(join(tmpdir(), 'toolyard-keys-'));
    folders.push(dataDir);
    writeFileSync(join(dataDir, 'signing-key.json'), content ?? JSON.stringify(jwk));
    const { kid } = await keyPairOf(jwk);
    return { dataDir, kid, key: { kid, privateKey, privateJwk: jwk } };
  }

  /** A replica without the rest of the application. */
  async function replica({ hears }: { hears: boolean }) {
    const environment = new Environment({ DATABASE_URL: database.url, SECRETS_KEY: KEY.toString('base64') });
    const notifications = new Notifications(database.url);
    const counting = new CountingStore(database.dataSource, SECRETS, clock);
    const keys = new SigningKeys(environment, counting, notifications, clock);
    const close = async () => {
      keys.onApplicationShutdown();
      await notifications.onApplicationShutdown();
    };
    open.push({ close });
    const changes: string[] = [];
    keys.onChange(() => changes.push(keys.current().kid));
    await keys.onModuleInit();
    if (hears) await notifications.onApplicationBootstrap();
    return { keys, store: counting, changes };
  }

  describe('at the first start', () => {
    it('are one key, even if five processes start at once', async () => {
      const sources = Array.from({ length: 5 }, () =>
        createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES, migrations: [] }),
      );
      await Promise.all(sources.map((source) => source.initialize()));
      const stores = sources.map((source) => new SigningKeyStore(source, SECRETS, clock));
      const seen = await Promise.all(stores.map((one) => one.maintain()));
      await Promise.all(sources.map((source) => source.destroy()));
      const [row, ...others] = await rows();
      expect(others).toEqual([]);
      expect(seen.map((keys) => keys.map(({ kid }) => kid))).toEqual(Array.from({ length: 5 }, () => [row?.kid]));
    });

    it('are that of the former release, whose tokens stay valid', async () => {
      const { dataDir, kid, key } = await formerDataDir();
      const test = await start({ dataDir });
      expect(test.app.get(SigningKeys).current().kid).toBe(kid);
      await call(test, await tokenOf(key));
      await call(test, await test.token('bob'));
      expect(existsSync(join(dataDir, 'signing-key.json'))).toBe(true);
    });

    it('are that of the former release, even if five processes import it at once', async () => {
      const { dataDir, kid } = await formerDataDir();
      await Promise.all(
        Array.from({ length: 5 }, () => new SigningKeyStore(database.dataSource, SECRETS, clock).maintain(dataDir)),
      );
      expect(await rows()).toMatchObject([{ kid, is_imported: true }]);
    });

    it('are not created for an external issuer', async () => {
      const { dataDir } = await formerDataDir();
      const env = { OIDC_ISSUER: 'https://login.example.com' };
      const test = await start({ dataDir, env });
      await test.app.get(KeyRotation).run();
      expect(await rows()).toEqual([]);
    });
  });

  describe('of a file that comes later', () => {
    it('verify until the last token has expired, do not sign, and are not imported again', async () => {
      await store.maintain();
      const first = await current();
      const { dataDir, kid, key } = await formerDataDir();
      const test = await start({ dataDir });
      expect(test.app.get(SigningKeys).current().kid).toBe(first);
      await call(test, await tokenOf(key));

      clock.advance(30 * DAY);
      await store.maintain(dataDir);
      expect((await store.read()).map((one) => one.kid)).toContain(kid);
      clock.advance(2 * HOUR);
      const token = await tokenOf(key);
      await store.maintain(dataDir);
      await eventually(
        () => test.app.get(SigningKeys).find(kid),
        (found) => found === undefined,
        SPREAD_MS,
      );
      await call(test, token, 401);

      await store.maintain(dataDir);
      expect((await rows()).filter((row) => row.kid === kid)).toMatchObject([
        { public_jwk: null, encrypted_private_jwk: null, signs_from: null },
      ]);
      await call(test, token, 401);
    });

    it.each([
      ['no JSON', '{"kty":'],
      ['not an object', 'null'],
      ['a public key', '{"kty":"EC","crv":"P-256","x":"A","y":"B"}'],
      ['a key on another curve', '{"kty":"EC","crv":"P-384","x":"A","y":"B","d":"C"}'],
      ['a point that is not on the curve', '{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA","d":"c2VjcmV0LTA4MTU"}'],
    ])('stop the start if it is %s', async (_, content) => {
      const { dataDir } = await formerDataDir(content);
      await expect(store.maintain(dataDir)).rejects.toThrow(
        /signing-key\.json is not a signing key\. Restore it from a backup, or remove it\.$/,
      );
      expect(await rows()).toEqual([]);
      expect(readFileSync(join(dataDir, 'signing-key.json'), 'utf8')).toBe(content);
    });
  });

  describe('with another SECRETS_KEY', () => {
    it('stop the start with a clear error, and nothing is overwritten', async () => {
      await store.maintain();
      clock.advance(29 * DAY);
      const before = await rows();
      const { dataDir } = await formerDataDir();
      const env = {
        DATABASE_URL: database.url,
        SECRETS_KEY: Buffer.alloc(32, 8).toString('base64'),
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
        LOG_LEVEL: 'silent',
      };
      await expect(startProcess(env)).rejects.toThrow(
        /^SECRETS_KEY is not the one with which the signing key \S{43} in the database was encrypted; nothing was changed\./,
      );
      expect(await rows()).toEqual(before);
    });
  });

  it('cannot sign with what is in a dump of the database', async () => {
    await store.maintain();
    clock.advance(29 * DAY);
    const keys = await store.maintain();
    const stored = await rows();
    expect(stored).toHaveLength(2);
    const [dump] = await database.dataSource.query<{ text: string }[]>(
      `SELECT string_agg(signing_keys::text || encode(encrypted_private_jwk, 'escape'), E'\n') AS text FROM signing_keys`,
    );
    for (const { private: key } of keys) {
      const secret = key?.privateJwk.d ?? '';
      expect(secret).toHaveLength(43);
      expect(dump?.text).not.toContain(secret);
      for (const row of stored) {
        expect(row.encrypted_private_jwk?.includes(Buffer.from(secret, 'base64url'))).toBe(false);
        expect(Object.keys(row.public_jwk ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      }
    }
    // The ciphertext of one row is of no use in another.
    await database.dataSource.query(`
      UPDATE signing_keys AS row SET encrypted_private_jwk = other.encrypted_private_jwk
      FROM signing_keys AS other WHERE other.kid <> row.kid`);
    const reading = new SigningKeyStore(database.dataSource, SECRETS, clock).read();
    await expect(reading).rejects.toThrow(/^SECRETS_KEY is not the one/);
  });

  describe('that change', () => {
    it('reach every replica by notification, which refuses even remembered tokens of a deleted key', async () => {
      const [test, other] = await Promise.all([start(), start()]);
      const token = await test.token('alice');
      for (const one of [test, other]) await call(one, token);
      // What an operator does whose key leaked.
      await database.dataSource.query(`DELETE FROM signing_keys`);
      for (const one of [test, other]) {
        await eventually(
          () => one.app.get(SigningKeys).current().kid,
          (kid) => kid !== decodeProtectedHeader(token).kid,
          SPREAD_MS,
        );
        const response = await call(one, token, 401);
        expect(response.body).toEqual({
          detail: 'The access token is signed with an unknown key.',
          code: 'invalid_token',
        });
      }
      expect(await rows()).toHaveLength(1);
      await call(other, await test.token('alice'));
    });

    it('reach a replica within five seconds while notifications are lost', async () => {
      const { keys } = await replica({ hears: false });
      clock.advance(29 * DAY);
      await store.maintain();
      await eventually(
        () => keys.published(),
        ({ length }) => length === 2,
        SPREAD_MS,
      );
    });

    it('are announced: another key is published, and later signs', async () => {
      const { keys, changes } = await replica({ hears: true });
      const first = keys.current().kid;
      expect(changes).toEqual([first]);
      clock.advance(29 * DAY);
      await store.maintain();
      await eventually(
        () => changes,
        ({ length }) => length === 2,
        SPREAD_MS,
      );
      expect(keys.keystore().map(({ kid }) => kid)[0]).toBe(first);
      clock.advance(2 * DAY);
      await eventually(
        () => changes,
        ({ length }) => length === 3,
        SPREAD_MS,
      );
      const second = keys.current().kid;
      expect(changes).toEqual([first, first, second]);
      expect(keys.keystore().map(({ kid }) => kid)).toEqual([second, first]);
      const late: string[] = [];
      keys.onChange(() => late.push(keys.current().kid));
      expect(late).toEqual([second]);
    });
  });

  describe('that a process does not know yet', () => {
    const silently = async (work: () => Promise<unknown>) => {
      await database.dataSource.query(`ALTER TABLE signing_keys DISABLE TRIGGER signing_keys_notify`);
      await work();
      await database.dataSource.query(`ALTER TABLE signing_keys ENABLE TRIGGER signing_keys_notify`);
    };

    it('are read when a token names one, so the token is accepted', async () => {
      const test = await start();
      await silently(async () => {
        await database.dataSource.query(`DELETE FROM signing_keys`);
        await store.maintain();
      });
      const key = currentKey(await store.read(), clock.now())?.private as SigningKey;
      expect(test.app.get(SigningKeys).find(key.kid)).toBeUndefined();
      await call(test, await tokenOf(key));
    });

    it('are read at most once a second, however many tokens name unknown keys, and not for what is no kid', async () => {
      const { keys, store: counting } = await replica({ hears: true });
      const unknown = await Promise.all(Array.from({ length: 20 }, async () => (await generateSigningKey()).kid));
      await eventually(
        () => counting.reads,
        (reads) => reads >= 1,
        SPREAD_MS,
      );
      const before = counting.reads;
      const began = performance.now();
      for (let round = 0; round < 5; round++) {
        const found = await Promise.all(
          Array.from({ length: 10 }, () => unknown.map((kid) => keys.lookUp(kid))).flat(),
        );
        expect(new Set(found)).toEqual(new Set([undefined]));
      }
      const seconds = (performance.now() - began) / 1_000;
      expect(counting.reads - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
      const read = counting.reads;
      for (const kid of ['', 'another', 'a'.repeat(42), `${'a'.repeat(42)}/`, 'a'.repeat(10_000)])
        expect(await keys.lookUp(kid)).toBeUndefined();
      expect(counting.reads).toBe(read);
    });

    it('are not guessed: a token without a kid counts only while there is one key', async () => {
      const test = await start();
      const { privateJwk, kid } = test.app.get(SigningKeys).current();
      const privateKey = (await importJWK(privateJwk, 'ES256')) as SigningKey['privateKey'];
      const nameless = await tokenOf({ kid: undefined as unknown as string, privateKey, privateJwk });
      await call(test, nameless);
      clock.advance(29 * DAY);
      await store.maintain();
      await eventually(
        () => test.app.get(SigningKeys).published(),
        ({ length }) => length === 2,
        SPREAD_MS,
      );
      const another = await tokenOf({ kid: undefined as unknown as string, privateKey, privateJwk });
      await call(test, another, 401);
      await call(test, await tokenOf({ kid, privateKey, privateJwk }));
    });
  });
});

class CountingStore extends SigningKeyStore {
  reads = 0;

  override read() {
    this.reads++;
    return super.read();
  }
}
