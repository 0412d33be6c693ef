import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/migrations';
import { signToken } from '../auth/own-issuer';
import { currentKey, LONGEST_TOKEN_MS } from '../auth/signing-keys/key-rotation';
import type { SigningKey } from '../auth/signing-keys/signing-key';
import { StoredSigningKey } from '../auth/signing-keys/signing-key.entity';
import { SigningKeyStore } from '../auth/signing-keys/signing-key-store';
import { storableText } from '../auth/storable-text';
import { LONGEST_SUBJECT } from '../auth/issuer';
import { LONGEST_ADDRESS } from '../auth/verified-address';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { createDataSource } from '../database/data-source';
import { migrate } from '../database/migrate';
import { inTransaction } from '../database/transaction';
import { EmbeddedPostgres, runningServerUrl } from '../embedded/embedded-postgres';
import { messageOf } from '../errors/message-of';
import { Identity } from '../users/identity.entity';
import { localSubject } from '../users/local-sign-in';
import { User } from '../users/user.entity';

const USAGE = `Usage: npm run token -- --email alice@example.com [--sub <subject>] [--name <name>] [--ttl 1h] [--admin]

Prints an access token signed with the service's own key, from its database: that of DATABASE_URL with its SECRETS_KEY, or
the embedded one in DATA_DIR, whether the service is running or not.
  --email   the (verified) address of the account
  --sub     the subject (default: that of the account with the address, which is created if it does not exist)
  --name    the user's name
  --ttl     how long the token is valid: 30m, 12h, 7d … (default 1h, at most 30d)
  --admin   make the account a platform administrator when it uses this token
`;

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const MAX_SECONDS = LONGEST_TOKEN_MS / 1_000;

/** @returns seconds */
function ttlSeconds(text: string): number {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? NaN);
  if (!(seconds >= 1 && seconds <= MAX_SECONDS))
    throw new Error(`--ttl ${text} is not a duration such as 30m, 12h or 7d (at most 30d).`);
  return seconds;
}

async function main(): Promise<string> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      sub: { type: 'string' },
      name: { type: 'string' },
      ttl: { type: 'string', default: '1h' },
      admin: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return USAGE.trimEnd();
  const environment = new Environment(process.env);
  if (environment.externalIssuer) {
    throw new Error(
      `OIDC_ISSUER is set, so access tokens are issued by ${environment.externalIssuer.issuer}; this service does not sign any.`,
    );
  }
  const { publicUrl: issuer, audience } = environment;
  const [email, subject] = [values.email || undefined, values.sub || undefined];
  if (email === undefined && subject === undefined) throw new Error(`Provide --email or --sub.\n\n${USAGE}`);
  if (email !== undefined && !(/^[^@\s]+@[^@\s]+$/.test(email) && storableText(email, LONGEST_ADDRESS)))
    throw new Error(`--email ${email} is not an e-mail address.`);
  if (subject !== undefined && storableText(subject, LONGEST_SUBJECT) === undefined)
    throw new Error(`--sub must have at most ${LONGEST_SUBJECT} characters.`);
  const ttl = ttlSeconds(values.ttl);
  return withDatabase(environment, async (dataSource) => {
    const key = await currentKeyOf(dataSource, environment);
    const sub =
      email === undefined
        ? (subject as string)
        : await inTransaction(dataSource, (manager) => localSubject(manager, { email, issuer, subject }));
    return signToken(key, { issuer, audience, subject: sub, email, name: values.name, isAdmin: values.admin, ttl });
  });
}

/** Uses the database of the running service, or else starts the embedded one for as long as the work takes. */
async function withDatabase<T>(environment: Environment, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, preparesStatements } = environment;
  const running = databaseUrl ?? runningServerUrl(dataDir);
  const embedded = running === undefined ? await EmbeddedPostgres.start(dataDir, warn) : undefined;
  const dataSource = createDataSource({
    url: running ?? embedded?.url ?? '',
    poolSize: 1,
    preparesStatements,
    // Not those of the whole program, which take longer to load than all the rest.
    entities: [StoredSigningKey, User, Identity],
    migrations: MIGRATIONS,
  });
  try {
    await connect(dataSource, databaseUrl === undefined ? 'DATA_DIR' : 'DATABASE_URL');
    await migrate(dataSource);
    return await work(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.stop();
  }
}

async function currentKeyOf(dataSource: DataSource, environment: Environment): Promise<SigningKey> {
  const clock = new Clock();
  const store = new SigningKeyStore(dataSource, Secrets.of(environment), clock);
  // The file in the DATA_DIR of the embedded database is that of its service; another DATA_DIR may be anyone's.
  const keys = await store.maintain(environment.databaseUrl === undefined ? environment.dataDir : undefined);
  const key = currentKey(keys, clock.now())?.private;
  if (key === undefined) throw new Error('The signing keys were deleted meanwhile. Run the command again.');
  return key;
}

async function connect(dataSource: DataSource, setting: string): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new Error(`${setting}: the database cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

// Standard output is for the token alone.
Logger.overrideLogger(false);
main().then(
  (token) => process.stdout.write(`${token}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
