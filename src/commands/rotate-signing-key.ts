import { Logger } from '@nestjs/common';
import { StoredSigningKey } from '../auth/signing-keys/signing-key.entity';
import { type RotationMode, SigningKeyStore } from '../auth/signing-keys/signing-key-store';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { requireKnownKey } from '../operations/secrets-keys/known-key';
import { readOptions, runCommand } from './command';
import { withDatabase } from './with-database';

const USAGE = `Usage: npm run rotate-signing-key [-- --at-once | --revoke]

Creates the next key with which the service signs tokens, before the month is over, while the service runs. It is published
for 25 hours before it signs, and tokens of the former key stay valid until they expire.
  --at-once   it signs now: who caches the keys at /oauth2/jwks refuses its tokens until they are fetched again
  --revoke    after a leak: it signs now, and all tokens signed until now end, also those of "npm run token"
`;

async function main(): Promise<string> {
  const values = readOptions(USAGE, {
    'at-once': { type: 'boolean', default: false },
    revoke: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return USAGE.trimEnd();
  if (values['at-once'] && values.revoke)
    throw new Error(`--at-once keeps the tokens of before, and --revoke ends them: choose one.\n\n${USAGE}`);
  const environment = new Environment(process.env);
  if (environment.externalIssuer)
    throw new Error(
      `OIDC_ISSUER is set: tokens are signed by ${environment.externalIssuer.issuer}, not by this service.`,
    );
  const mode: RotationMode = values.revoke ? 'revoking' : values['at-once'] ? 'at once' : 'published first';
  return withDatabase(environment, [StoredSigningKey], async (dataSource) => {
    const secrets = Secrets.of(environment);
    const store = new SigningKeyStore(dataSource, secrets, new Clock());
    // Fails with the clearer message if the key is simply wrong.
    await store.read();
    await requireKnownKey(dataSource, secrets);
    return (await store.rotate(mode)).join('\n');
  });
}

// What the store logs is the result.
Logger.overrideLogger(false);
runCommand(main);
