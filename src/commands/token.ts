import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/migrations';
import { signToken } from '../auth/own-issuer';
import { currentKey, LONGEST_TOKEN_MS } from '../auth/signing-keys/key-rotation';
import type { SigningKey } from '../auth/signing-keys/signing-key';
import { StoredSigningKey } from '../auth/signing-keys/signing-key.entity';
import { SigningKeyStore } from '../auth/signing-keys/signing-key-store';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { createDataSource } from '../database/data-source';
import { migrate } from '../database/migrate';
import { inTransaction } from '../database/transaction';
import { EmbeddedPostgres, runningServerUrl } from '../embedded/embedded-postgres';
import { Identity } from '../users/identity.entity';
import { localSubject } from '../users/local-sign-in';
import { User } from '../users/user.entity';

const USAGE = `Usage: npm run token -- --email alice@example.com [--sub <subject>] [--name <name>] [--ttl 1h] [--admin]

Prints an access token signed with the service's own key.
  --email   the (verified) address of the account
  --sub     the subject (default: the address)
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
  if (email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(email))
    throw new Error(`--email ${email} is not an e-mail address.`);
  const ttl = ttlSeconds(values.ttl);
  return withDatabase(environment, async (dataSource) => {
    const keys = await keysOf(dataSource, environment);
    const sub = await subjectOf(dataSource, issuer, email, subject);
    return signToken(keys, { issuer, audience, subject: sub, email, name: values.name, isAdmin: values.admin, ttl });
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
    await dataSource.initialize();
    await migrate(dataSource);
    return await work(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.stop();
  }
}

async function keysOf(dataSource: DataSource, environment: Environment): Promise<SigningKey> {
  const clock = new Clock();
  const store = new SigningKeyStore(dataSource, Secrets.of(environment), clock);
  // The file in the DATA_DIR of the embedded database is that of its service; another DATA_DIR may be anyone's.
  const keys = await store.maintain(environment.databaseUrl === undefined ? environment.dataDir : undefined);
  const key = currentKey(keys, clock.now())?.private;
  if (key === undefined) throw new Error('The signing keys were deleted meanwhile. Run the command again.');
  return key;
}

function subjectOf(
  dataSource: DataSource,
  issuer: string,
  email: string | undefined,
  subject: string | undefined,
): Promise<string> {
  if (email !== undefined)
    return inTransaction(dataSource, (manager) => localSubject(manager, { email, issuer, subject }));
  return Promise.resolve(subject ?? '');
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
