import { parseArgs } from 'node:util';
import { signToken } from '../auth/own-issuer';
import { signingKey } from '../auth/signing-key';
import { Environment } from '../config/environment';

const USAGE = `Usage: npm run token -- --email alice@example.com [--sub <subject>] [--name <name>] [--ttl 1h] [--admin]

Prints an access token signed with the service's own key.
  --email   the (verified) address of the account
  --sub     the subject (default: the address)
  --name    the user's name
  --ttl     how long the token is valid: 30m, 12h, 7d … (default 1h, at most 30d)
  --admin   make the account a platform administrator when it uses this token
`;

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const MAX_SECONDS = 30 * 86_400;

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
  const subject = values.sub ?? values.email;
  if (!subject) throw new Error(`Provide --email or --sub.\n\n${USAGE}`);
  if (values.email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(values.email))
    throw new Error(`--email ${values.email} is not an e-mail address.`);
  return signToken(await signingKey(environment.dataDir), {
    issuer: environment.publicUrl,
    audience: environment.audience,
    subject,
    email: values.email,
    name: values.name,
    isAdmin: values.admin,
    ttl: ttlSeconds(values.ttl),
  });
}

main().then(
  (token) => process.stdout.write(`${token}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
