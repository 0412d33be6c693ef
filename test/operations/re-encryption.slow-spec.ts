import { DataSource } from 'typeorm';
import { KeyHolders } from '../../src/operations/secrets-keys/key-holders';
import { type ColumnCount, ReEncryption } from '../../src/operations/secrets-keys/re-encryption';
import { Secrets } from '../../src/config/secrets';
import { ArtifactCipher } from '../../src/auth/authorization-server/artifact-cipher';
import { sealText } from '../../src/config/sealed-text';
import { newId } from '../../src/database/id';
import { CredentialSeal } from '../../src/gateway/credentials/credential-seal';
import { MailSeal } from '../../src/mail/mail-seal';
import { Mails } from '../../src/mail/mails.service';
import { inTransaction } from '../../src/database/transaction';
import { SEALED_COLUMNS } from '../../src/schema';
import { start } from '../../src/start';
import { WebhookSecrets } from '../../src/webhooks/endpoints/webhook-secrets';
import { createTestApp, type TestApp } from '../support/app';
import { createDatabase } from '../support/database';
import { createBundle } from '../support/factories';
import { eventually } from '../support/eventually';
import { SmtpServer } from '../support/smtp-server';
import { freePort } from '../support/toolyard-process';

const [OLD, NEW, STRANGE] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
const SEEDED = 700;

let test: TestApp;
let ownerId: string;

beforeAll(async () => {
  test = await createTestApp();
  ({ id: ownerId } = (await (await test.as('owner')).get('/v1/users/me')).body);
});

afterAll(() => test.close());

beforeEach(async () => {
  await test.dataSource.query(`DELETE FROM webhook_endpoints`);
  // The app of the suite seals with OLD; here it is as if it had been switched a while ago.
  await test.dataSource.query(`UPDATE secrets_key_holders SET seen_at = now() - interval '61 seconds'`);
  await new ReEncryption(test.dataSource, new Secrets(OLD, [NEW]), SEALED_COLUMNS).run(() => undefined);
});

/** @returns ids in their order */
async function seed(secrets: WebhookSecrets, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await test.dataSource.query(
    `INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret)
     SELECT id, $2, 'https://hooks.example.com/in', '{bundle.created}', secret FROM unnest($1::uuid[], $3::bytea[]) AS seeds (id, secret)`,
    [ids, ownerId, ids.map((id) => secrets.encrypt(id, `whsec_${id}`))],
  );
  return ids;
}

async function secretsIn(secrets: WebhookSecrets): Promise<string[]> {
  const rows = await test.dataSource.query<{ id: string; encrypted_secret: Buffer }[]>(
    `SELECT id, encrypted_secret FROM webhook_endpoints ORDER BY id`,
  );
  return rows.map(({ id, encrypted_secret }) => secrets.decrypt(id, encrypted_secret));
}

const sealedBy = (key: Buffer) => new WebhookSecrets(new Secrets(key));
const work = (secrets = new Secrets(NEW, [OLD])) => new ReEncryption(test.dataSource, secrets, SEALED_COLUMNS);
const ofSecrets = (counts: readonly ColumnCount[]) =>
  counts.find(({ column }) => column.table === 'webhook_endpoints' && column.column === 'encrypted_secret');
const keysInUse = () => test.dataSource.query<{ id: string }[]>(`SELECT id FROM secrets_keys ORDER BY id`);

describe('Re-encryption', () => {
  it('seals everything with the new key in batches, and does nothing a second time', async () => {
    const ids = await seed(sealedBy(OLD), SEEDED);
    expect(ofSecrets(await work().check())).toMatchObject({ current: 0, other: SEEDED, resealed: 0, unreadable: 0 });
    const passes: (ColumnCount | undefined)[] = [];
    await work().run((counts) => void passes.push(ofSecrets(counts)));
    expect(passes).toMatchObject([
      { current: 0, other: SEEDED, resealed: SEEDED },
      { current: SEEDED, other: 0, resealed: 0 },
    ]);
    expect(await secretsIn(sealedBy(NEW))).toEqual(ids.map((id) => `whsec_${id}`));
    const [before] = await test.dataSource.query<object[]>(`SELECT array_agg(xmin::text) FROM webhook_endpoints`);
    await work().run(() => undefined);
    const [after] = await test.dataSource.query<object[]>(`SELECT array_agg(xmin::text) FROM webhook_endpoints`);
    expect(after).toEqual(before);
    expect(await keysInUse()).toEqual([{ id: new Secrets(NEW).ids[0] }]);
  });

  it('opens every sealed column as the code that sealed it does', async () => {
    const secrets = new Secrets(OLD);
    const [id = ''] = await seed(new WebhookSecrets(secrets));
    const endpoints = new WebhookSecrets(secrets);
    await test.dataSource.query(
      `UPDATE webhook_endpoints SET encrypted_headers = $2, encrypted_query = $3 WHERE id = $1`,
      [id, endpoints.encryptHeaders(id, { 'X-Team': 'pagers' }), endpoints.encryptQuery(id, '?key=1')],
    );
    await test.dataSource.query(
      `INSERT INTO webhook_former_secrets (id, endpoint_id, encrypted_secret, expires_at) VALUES ($1, $2, $3, now())`,
      [newId(), id, endpoints.encrypt(id, 'whsec_former')],
    );
    const cipher = new ArtifactCipher(secrets);
    const digest = cipher.digest('Grant', 'x');
    await test.dataSource.query(
      `INSERT INTO oauth_artifacts (digest, id, model, payload, expires_at) VALUES ($1, $2, 'Grant', $3, now())`,
      [digest, newId(), cipher.seal(digest, { scope: 'openid' })],
    );
    const mailId = newId();
    const content = { to: 'eve@example.com', subject: 'Hello', body: ['Text'] };
    await test.dataSource.query(
      `INSERT INTO mails (id, kind, recipient, sealed, status, attempt_count, next_attempt_at, expires_at, created_at)
       VALUES ($1, 'PASSWORD_RESET', '\\x00', $2, 'PENDING', 0, now(), now(), now())`,
      [mailId, new MailSeal(secrets).seal(mailId, content)],
    );
    const { id: bundleId } = await createBundle(await test.as('owner'));
    const [credentialId, clientId] = [newId(), newId()];
    await test.dataSource.query(
      `INSERT INTO credentials (id, kind, owner, bundle_id, entry_id, origin)
       VALUES ($1, 'SECRETS', 'BUNDLE', $2, $3, 'https://mcp.example.com')`,
      [credentialId, bundleId, newId()],
    );
    await test.dataSource.query(
      `INSERT INTO credential_values (id, credential_id, name, sealed) VALUES ($1, $2, 'X-Api-Key', $3)`,
      [newId(), credentialId, new CredentialSeal(secrets).seal(credentialId, 'X-Api-Key', 'key')],
    );
    await test.dataSource.query(
      `INSERT INTO oauth_client_registrations (id, issuer, redirect_uri, client_id, encrypted_secret)
       VALUES ($1, 'https://as.example.com', 'https://tools.example.com/connect/callback', 'c', $2)`,
      [clientId, sealText(secrets.derive('oauth client registrations'), `oauth client ${clientId}`, 'secret')],
    );
    const counts = await work().run(() => undefined);
    expect(
      counts.map(({ column: { table, column }, other, unreadable }) => [table, column, other, unreadable]),
    ).toEqual(SEALED_COLUMNS.map(({ table, column }) => [table, column, 0, 0]));
    expect(counts.filter(({ current }) => current === 0)).toEqual([]);
    const [mail] = await test.dataSource.query<{ sealed: Buffer }[]>(`SELECT sealed FROM mails WHERE id = $1`, [
      mailId,
    ]);
    expect(new MailSeal(new Secrets(NEW)).open(mailId, mail?.sealed ?? Buffer.alloc(0))).toEqual(content);
    await test.dataSource.query(`DELETE FROM mails`);
    await test.dataSource.query(`DELETE FROM oauth_artifacts`);
  });

  it('neither waits for a locked row nor forgets it', async () => {
    const [id = ''] = await seed(sealedBy(OLD), 3);
    const other = test.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [id]);
    const passes: (ColumnCount | undefined)[] = [];
    const counts = await work().run((pass) => {
      passes.push(ofSecrets(pass));
      if (passes.length === 2) void other.rollbackTransaction().then(() => other.release());
    });
    expect(passes[0]).toMatchObject({ other: 3, resealed: 2 });
    expect(ofSecrets(counts)).toMatchObject({ current: 3, other: 0 });
    expect(await secretsIn(sealedBy(NEW))).toHaveLength(3);
  });

  it('does not overwrite what changes meanwhile', async () => {
    const [id = ''] = await seed(sealedBy(OLD));
    const other = test.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`UPDATE webhook_endpoints SET encrypted_secret = $2 WHERE id = $1`, [
      id,
      sealedBy(NEW).encrypt(id, 'whsec_newer'),
    ]);
    let passes = 0;
    await work().run(() => {
      passes += 1;
      if (passes === 1) void other.commitTransaction().then(() => other.release());
    });
    expect(await secretsIn(sealedBy(NEW))).toEqual(['whsec_newer']);
  });

  it('counts and names rows of an unknown key, does the others, and does not call the former key superfluous', async () => {
    const [strange] = await seed(sealedBy(STRANGE));
    await seed(sealedBy(OLD), 2);
    const counts = await work().run(() => undefined);
    expect(ofSecrets(counts)).toMatchObject({ current: 2, other: 0, unreadable: 1, unreadableKeys: [strange] });
    expect(await keysInUse()).toEqual([{ id: new Secrets(OLD).ids[0] }]);
  });

  it('is refused while a process seals with another key', async () => {
    await seed(sealedBy(OLD));
    await test.app.get(KeyHolders).renew();
    await expect(work().run(() => undefined)).rejects.toThrow(
      new RegExp(
        `^1 running process\\(es\\) still encrypt with another SECRETS_KEY \\(id ${new Secrets(OLD).ids[0]}\\)`,
      ),
    );
    expect(await secretsIn(sealedBy(OLD))).toHaveLength(1);
  });
});

describe('A process that starts', () => {
  const environment = async (key: Buffer, accepted: Buffer[] = []) => ({
    DATABASE_URL: test.database.url,
    SECRETS_KEY: key.toString('base64'),
    SECRETS_KEYS_ACCEPTED: accepted.map((one) => one.toString('base64')).join(),
    PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
  });

  it('is refused if others run that could not read what it seals', async () => {
    await test.app.get(KeyHolders).renew();
    await expect(start(await environment(NEW, [OLD]))).rejects.toThrow(
      new RegExp(`^SECRETS_KEY \\(id ${new Secrets(NEW).ids[0]}\\) is not known to 1 running process`),
    );
    const running = await start(await environment(OLD, [NEW]));
    await running.stop();
    const holders = await test.dataSource.query<object[]>(`SELECT FROM secrets_key_holders`);
    expect(holders).toHaveLength(1);
  });

  it('says that the database may have values of keys that it does not know', async () => {
    const database = await createDatabase();
    const env = { SECRETS_KEY: OLD.toString('base64') };
    const first = await createTestApp({ database, env });
    await first.close();
    const accepted = { SECRETS_KEY: NEW.toString('base64'), SECRETS_KEYS_ACCEPTED: OLD.toString('base64') };
    const second = await createTestApp({ database, env: accepted });
    await second.close();
    await second.database.dataSource.query(`DELETE FROM signing_keys`);
    const third = await createTestApp({ database, env: { SECRETS_KEY: NEW.toString('base64') } });
    await third.close();
    await database.drop();
    const warnings = (app: TestApp) => app.log.filter((line) => line.includes('keys that this process does not know'));
    expect([first, second, third].map((app) => warnings(app).length)).toEqual([0, 0, 1]);
    expect(warnings(third)[0]).toContain(new Secrets(OLD).ids[0]);
    expect(third.log.join()).not.toContain(OLD.toString('base64'));
  });
});

describe('Mail while SECRETS_KEY changes', () => {
  it('is sent by a replica that has switched, and counts for the limit of its recipient', async () => {
    const [server, database] = [await SmtpServer.start(), await createDatabase()];
    const mail = { SMTP_URL: server.url, MAIL_FROM: 'toolyard@example.com' };
    const replica = (RUN: string, SECRETS_KEY: Buffer, accepted: Buffer) =>
      createTestApp({
        database,
        env: {
          ...mail,
          RUN,
          SECRETS_KEY: SECRETS_KEY.toString('base64'),
          SECRETS_KEYS_ACCEPTED: accepted.toString('base64'),
        },
      });
    const to = 'eve@example.com';
    const post = ({ app }: TestApp) =>
      inTransaction(app.get(DataSource), (manager) =>
        app.get(Mails).post(manager, {
          ...{ kind: 'PASSWORD_RESET', to, subject: 'Hello', body: ['Text'], aboutId: newId() },
          expiresAt: new Date(Date.now() + 3_600_000),
        }),
      );
    // Without a worker, so that the mails wait.
    const before = await replica('api', OLD, NEW);
    const posted: boolean[] = [];
    for (let count = 1; count <= 6; count++) posted.push(await post(before));
    const after = await replica('api,worker', NEW, OLD);
    for (let count = 1; count <= 6; count++) posted.push(await post(after));
    // At most ten in 24 hours, by both keys together.
    expect(posted.filter(Boolean)).toHaveLength(10);
    await before.close();
    await eventually(
      () => server.mailsTo(to).length,
      (count) => count === 10,
      20_000,
    );
    await after.close();
    await database.drop();
    await server.close();
  });
});
