import { readFileSync } from 'node:fs';
import { addressDomain } from './address-domain';
import type { EnvironmentReader } from './environment-reader';
import { parseUrl } from './parse-url';
import { isSharedIssuer, servesAllTenants } from './shared-issuers';

export const SIGN_UP_RULES = ['anybody', 'provisioned', 'invited'] as const;
/** Who gets an account at the first sign-in by a provider; see `SSO_SIGN_UP`. */
export type SignUpRule = (typeof SIGN_UP_RULES)[number];

/** An OpenID provider with which people sign in. */
export interface SsoProvider {
  /** Part of its paths, `/sso/<id>/…`. */
  id: string;
  /** For the button. */
  name: string;
  issuer: string;
  clientId: string;
  /** Undefined for a public client, which only the issuer of access tokens may have. */
  clientSecret?: string;
  /** Whether every address that it sends counts as verified. */
  trustsEmail: boolean;
  /** Undefined: `provisioned` once an organisation is provisioned by SCIM, else `anybody`. */
  signUp?: SignUpRule;
  /** Domains of the addresses that may sign in, as A-labels in lower case; empty for all. */
  domains: readonly string[];
}

/** The id of the only provider, if it is configured by variables. */
export const ONLY_PROVIDER = 'company';
const MAX_PROVIDERS = 10;
const MAX_FILE_LENGTH = 262_144;
const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const EXAMPLE = 'https://login.example.com/realms/acme';
const VARIABLES = [
  ...['SSO_ISSUER', 'SSO_CLIENT_ID', 'SSO_CLIENT_SECRET', 'SSO_CLIENT_SECRET_FILE', 'SSO_NAME', 'SSO_TRUST_EMAIL'],
  'SSO_SIGN_UP',
];
const FIELDS = ['id', 'name', 'issuer', 'client_id', 'client_secret', 'trust_email', 'sign_up', 'domains'];

/** Reports an error about a field of a provider, named as the operator wrote it. */
type Report = (field: keyof SsoProvider, fault: string, example: string) => void;

/**
 * Reads the providers of company sign-in: one by `SSO_ISSUER` and the like, or up to ten by `SSO_PROVIDERS_FILE`.
 *
 * @param own `PUBLIC_URL`
 * @param external whether `OIDC_ISSUER` is set: then people sign in there
 */
export function readSsoProviders(read: EnvironmentReader, own: string, external: boolean): readonly SsoProvider[] {
  const file = read.optional('SSO_PROVIDERS_FILE');
  const set = [...VARIABLES, 'SSO_DOMAINS'].filter((name) => read.optional(name) !== undefined);
  const [first] = file === undefined ? set : ['SSO_PROVIDERS_FILE'];
  if (first === undefined) return [];
  if (external) {
    read.fault(first, 'is set together with OIDC_ISSUER: with OIDC_ISSUER, people sign in there', 'unset one of them');
    return [];
  }
  if (file !== undefined && set[0] !== undefined)
    read.fault(set[0], 'is set together with SSO_PROVIDERS_FILE', 'put all providers into the file');
  const providers = file === undefined ? [readVariables(read)] : readFile(read, file);
  return checkTogether(read, first, providers, own);
}

function readVariables(read: EnvironmentReader): SsoProvider | undefined {
  const issuer = read.optional('SSO_ISSUER');
  if (issuer === undefined) {
    read.fault('SSO_ISSUER', 'is required for company sign-in', EXAMPLE);
    return undefined;
  }
  const signUp = read.optional('SSO_SIGN_UP') && read.oneOf('SSO_SIGN_UP', SIGN_UP_RULES, 'provisioned');
  const provider: SsoProvider = {
    id: ONLY_PROVIDER,
    name: read.optional('SSO_NAME') ?? parseUrl(issuer)?.hostname ?? issuer,
    issuer,
    clientId: read.optional('SSO_CLIENT_ID') ?? '',
    clientSecret: read.secret('SSO_CLIENT_SECRET') ?? '',
    trustsEmail: read.boolean('SSO_TRUST_EMAIL', false),
    ...(signUp ? { signUp } : {}),
    domains: read.list('SSO_DOMAINS'),
  };
  const names: Partial<Record<keyof SsoProvider, string>> = {
    clientId: 'SSO_CLIENT_ID',
    clientSecret: 'SSO_CLIENT_SECRET',
    trustsEmail: 'SSO_TRUST_EMAIL',
  };
  return check(provider, (field, fault, example) =>
    read.fault(names[field] ?? `SSO_${field.toUpperCase()}`, fault, example),
  );
}

function readFile(read: EnvironmentReader, path: string): (SsoProvider | undefined)[] {
  const name = 'SSO_PROVIDERS_FILE';
  const example = '/etc/toolyard/sso.json, as docs/signing-in.md shows it';
  let entries: unknown;
  try {
    const text = readFileSync(path, 'utf8');
    entries = text.length > MAX_FILE_LENGTH ? undefined : JSON.parse(text);
  } catch (error) {
    // Not the parser's message, which quotes the file.
    const reason = error instanceof SyntaxError ? 'does not contain JSON' : 'names a file that cannot be read';
    read.fault(name, reason, example);
    return [];
  }
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MAX_PROVIDERS) {
    read.fault(name, `must contain a list of 1 to ${MAX_PROVIDERS} providers`, example);
    return [];
  }
  return entries.map((entry: unknown, index) => {
    const report = (field: string, fault: string, sample: string) =>
      read.fault(name, `has an error in provider ${index + 1}: ${field} ${fault}`, sample);
    return readEntry(entry, report);
  });
}

function readEntry(
  entry: unknown,
  report: (field: string, fault: string, example: string) => void,
): SsoProvider | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    report('it', 'is not an object', '{"id": "okta", …}');
    return undefined;
  }
  const fields = entry as Record<string, unknown>;
  for (const field of Object.keys(fields).filter((candidate) => !FIELDS.includes(candidate)))
    report(field.slice(0, 40), 'is not known', FIELDS.join(', '));
  const text = (field: string, fallback = ''): string => {
    const value = fields[field] ?? fallback;
    if (typeof value === 'string') return value.trim();
    report(field, 'is not text', `"${field}": "…"`);
    return fallback;
  };
  const issuer = text('issuer');
  const { trust_email = false, sign_up, domains = [] } = fields;
  if (typeof trust_email !== 'boolean') report('trust_email', 'is neither true nor false', 'true');
  const signUp = SIGN_UP_RULES.find((rule) => rule === sign_up);
  if (sign_up !== undefined && signUp === undefined)
    report('sign_up', `is not one of ${SIGN_UP_RULES.join(', ')}`, 'provisioned');
  const isList = Array.isArray(domains) && domains.every((domain) => typeof domain === 'string');
  if (!isList) report('domains', 'is not a list of domains', '["example.com"]');
  const names: Partial<Record<keyof SsoProvider, string>> = {
    clientId: 'client_id',
    clientSecret: 'client_secret',
    trustsEmail: 'trust_email',
  };
  return check(
    {
      id: text('id'),
      name: text('name', parseUrl(issuer)?.hostname),
      issuer,
      clientId: text('client_id'),
      clientSecret: text('client_secret'),
      trustsEmail: trust_email === true,
      ...(signUp ? { signUp } : {}),
      domains: isList ? domains : [],
    },
    (field, fault, example) => report(names[field] ?? field, fault, example),
  );
}

function check(provider: SsoProvider, report: Report): SsoProvider {
  const { id, name, issuer, clientId, clientSecret, trustsEmail } = provider;
  if (!ID.test(id)) report('id', 'is not 1 to 32 lower-case letters, digits and hyphens', 'okta');
  if (name === '' || name.length > 60) report('name', 'is not 1 to 60 characters', 'Acme');
  checkIssuer(issuer, report);
  if (clientId === '') report('clientId', 'is required', 'toolyard');
  if (clientSecret === '') report('clientSecret', 'is required', 'the secret that the provider shows');
  if (trustsEmail && isSharedIssuer(issuer))
    report(
      'trustsEmail',
      'cannot be set for this issuer, which serves many tenants: anyone can have any address there',
      'false',
    );
  const domains = provider.domains.map(addressDomain);
  const wrong = domains.indexOf(undefined);
  if (wrong !== -1)
    report('domains', `has an entry, number ${wrong + 1}, that is not a domain`, 'example.com,example.org');
  return { ...provider, domains: domains.filter((domain) => domain !== undefined) };
}

function checkIssuer(issuer: string, report: Report): void {
  const url = parseUrl(issuer);
  if (!url || !/^https?:\/\//i.test(issuer)) return report('issuer', 'is not a URL that starts with https://', EXAMPLE);
  if (url.username !== '' || url.password !== '' || /[?#]/.test(issuer))
    report('issuer', 'must not have user info, a query or a fragment', EXAMPLE);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    report('issuer', 'starts with http://, which is allowed only on this computer', EXAMPLE);
  if (servesAllTenants(issuer))
    report(
      'issuer',
      'is that of all tenants, whose tokens have another issuer',
      'https://login.microsoftonline.com/<your tenant id>/v2.0',
    );
}

/** @returns whether plain HTTP to the host stays on this computer (RFC 6761, section 6.3; RFC 8252, section 7.3) */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** An issuer names identities together with a subject, so two providers cannot share one; nor can we be one of them. */
function checkTogether(
  read: EnvironmentReader,
  name: string,
  candidates: readonly (SsoProvider | undefined)[],
  own: string,
): SsoProvider[] {
  const providers = candidates.filter((provider) => provider !== undefined);
  for (const field of ['id', 'issuer'] as const) {
    const values = providers.map((provider) => provider[field]);
    if (new Set(values).size < values.length)
      read.fault(name, `has two providers with the same ${field}`, 'one of each');
  }
  if (providers.some(({ issuer }) => issuer.replace(/\/$/, '') === own))
    read.fault(name, 'names PUBLIC_URL itself as issuer', EXAMPLE);
  return providers;
}
