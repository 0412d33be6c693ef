import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { signToken } from '../auth/own-issuer';
import { currentKey, MAX_TOKEN_MS } from '../auth/signing-keys/key-rotation';
import type { SigningKey } from '../auth/signing-keys/signing-key';
import { StoredSigningKey } from '../auth/signing-keys/signing-key.entity';
import { SigningKeyStore } from '../auth/signing-keys/signing-key-store';
import { storableText } from '../auth/storable-text';
import { MAX_SUBJECT_LENGTH } from '../auth/issuer';
import { MAX_ADDRESS_LENGTH } from '../auth/verified-address';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { inTransaction } from '../database/transaction';
import { requireKnownKey } from '../operations/secrets-keys/known-key';
import { ClaimedMemberships } from '../scim/directory/claimed-memberships';
import { RoleSync } from '../scim/roles/sync/role-sync';
import { Identity } from '../users/identity.entity';
import { localSubject } from '../users/local-sign-in';
import { User } from '../users/user.entity';
import { readOptions, runCommand } from './command';
import { withDatabase } from './with-database';

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
const MAX_SECONDS = MAX_TOKEN_MS / 1_000;

/** @returns seconds */
function ttlSeconds(text: string): number {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? NaN);
  if (!(seconds >= 1 && seconds <= MAX_SECONDS))
    throw new Error(`--ttl ${text} is not a duration such as 30m, 12h or 7d (at most 30d).`);
  return seconds;
}

async function main(): Promise<string> {
  const values = readOptions(USAGE, {
    email: { type: 'string' },
    sub: { type: 'string' },
    name: { type: 'string' },
    ttl: { type: 'string', default: '1h' },
    admin: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
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
  if (email !== undefined && !(/^[^@\s]+@[^@\s]+$/.test(email) && storableText(email, MAX_ADDRESS_LENGTH)))
    throw new Error(`--email ${email} is not an e-mail address.`);
  if (subject !== undefined && storableText(subject, MAX_SUBJECT_LENGTH) === undefined)
    throw new Error(`--sub must have at most ${MAX_SUBJECT_LENGTH} characters.`);
  const ttl = ttlSeconds(values.ttl);
  const claims = new ClaimedMemberships(new RoleSync(environment));
  // Not the entities of the whole program, which take longer to load than all the rest.
  return withDatabase(environment, [StoredSigningKey, User, Identity], async (dataSource) => {
    const key = await currentKeyOf(dataSource, environment);
    const sub =
      email === undefined
        ? (subject as string)
        : await inTransaction(dataSource, (manager) => localSubject(manager, { email, issuer, subject }, claims));
    return signToken(key, { issuer, audience, subject: sub, email, name: values.name, isAdmin: values.admin, ttl });
  });
}

async function currentKeyOf(dataSource: DataSource, environment: Environment): Promise<SigningKey> {
  const clock = new Clock();
  const secrets = Secrets.of(environment);
  const store = new SigningKeyStore(dataSource, secrets, clock);
  // Fails with the clearer message if the key is simply wrong.
  await store.read();
  // What follows may create the key of the next month.
  await requireKnownKey(dataSource, secrets);
  // The file in the DATA_DIR of the embedded database is that of its service; another DATA_DIR may be anyone's.
  const keys = await store.maintain(environment.databaseUrl === undefined ? environment.dataDir : undefined);
  const key = currentKey(keys, clock.now())?.private;
  if (key === undefined) throw new Error('The signing keys were deleted meanwhile. Run the command again.');
  return key;
}

// Standard output is for the token alone.
Logger.overrideLogger(false);
runCommand(main);
