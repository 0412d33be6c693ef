import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { EnvironmentReader } from './environment-reader';
import { isPinnedImage } from './image-reference';
import { Limits } from './limits';
import { type MailSettings, readMailSettings } from './mail-settings';
import { isSharedIssuer } from './shared-issuers';
import { readSsoProviders, type SsoProvider } from './sso-providers';

/** The parts that a process can run; see `RUN`. */
export type ProcessPart = 'api' | 'worker';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The registries of packages that an export can run in a container. */
export const BRIDGED_REGISTRIES = ['npm', 'pypi'] as const;
export type BridgedRegistry = (typeof BRIDGED_REGISTRIES)[number];

const REGISTRATIONS = ['open', 'token', 'off'] as const;

/** The retry schedule with its jitter takes 3.8 days; payloads must be kept longer. */
const MIN_RETENTION_DAYS = 4;

/** An issuer of access tokens other than this service (contract, section 3). */
export interface ExternalIssuer {
  issuer: string;
  /** Overrides the `jwks_uri` of the discovery document. */
  jwksUri?: string;
  /** Overrides the `introspection_endpoint` of the discovery document. */
  introspectionUrl?: string;
  clientId?: string;
  clientSecret?: string;
  /** Whether every address in its tokens counts as verified. */
  trustsEmail: boolean;
  /** Whether a token without any of our scopes may do nothing; otherwise the roles of its account alone decide. */
  requiresScopes: boolean;
}

/**
 * The configuration of a process: read from the environment once at startup, validated as a whole, then injected.
 * Nothing else in the code reads `process.env` (lint). A new variable gets its line in `variables.ts`, and
 * `npm run configuration` writes it into `docs/configuration.md`.
 */
export class Environment {
  readonly host: string;
  readonly port: number;
  /** The base of links and of the service's own issuer; without a trailing slash. */
  readonly publicUrl: string;
  /** Undefined for an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl?: string;
  /** The same database without the pooler that `databaseUrl` leads to; undefined: there is none in between. */
  readonly databaseDirectUrl?: string;
  /** Connections of this process for requests; the notification listener uses one more. */
  readonly databasePoolSize: number;
  /** Seconds that a request may wait for the database, including connections, before it fails with 503. */
  readonly databaseDeadline: number;
  /** Whether statements may be prepared; not behind a pooler in transaction mode. */
  readonly preparesStatements: boolean;
  /** Bytes for ready answers of the public registry in this process; 0: none are kept. */
  readonly registryCacheBytes: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** `load` it into an empty database, `remove` what was not adopted, or `leave` it unchanged (not configured). */
  readonly sampleCatalogue: 'load' | 'remove' | 'leave';
  /** Who may publish public listings: holders of a `verified` namespace, or `anybody`. */
  readonly publicListings: 'verified' | 'anybody';
  /** Undefined if the service is its own issuer. */
  readonly externalIssuer?: ExternalIssuer;
  /** OpenID providers with which people sign in (`company`); none otherwise. */
  readonly ssoProviders: readonly SsoProvider[];
  /** Origins of web pages and browser extensions that may speak to MCP endpoints, besides that of `publicUrl`. */
  readonly mcpAllowedOrigins: readonly string[];
  /** Whether people can sign in here, too, by password or passkey. */
  readonly passwordSignIn: boolean;
  /** `OIDC_AUDIENCE`: the audience of tokens from `npm run token`. */
  readonly audience: string;
  /** Any of them makes a token one for this service: `audience`, and the public URL, with or without a final slash. */
  readonly audiences: readonly string[];
  /** Whether programs may register themselves as OAuth clients (RFC 7591): all, those with the token, or none. */
  readonly oauthRegistration: (typeof REGISTRATIONS)[number];
  /** The initial access token of `oauthRegistration: 'token'`. */
  readonly oauthRegistrationToken?: string;
  /** Domains, with everything below them, that may have client metadata documents; empty: all. */
  readonly oauthClientDomains: readonly string[];
  /** Entries with an "@" are verified e-mail addresses, others are `sub` values of the issuer. */
  readonly platformAdmins: readonly string[];
  /** Who may create organisations. With `platform_admins`, all organisations are vouched for. */
  readonly organisationCreation: 'anybody' | 'platform_admins';
  /** 32 bytes; undefined if generated in `dataDir`. */
  readonly secretsKey?: Buffer;
  /** At most three former or coming values of `SECRETS_KEY` (ADR 33). */
  readonly acceptedKeys: readonly Buffer[];
  /** CIDR blocks of proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Proves the right to set this instance up, instead of the link that the start prints. */
  readonly setUpToken?: string;
  /** The mail server; undefined: no mail is sent. */
  readonly mail?: MailSettings;
  readonly webhooksAllowHttp: boolean;
  /** CIDR blocks that webhook deliveries may reach besides public addresses. */
  readonly webhooksAllowedNetworks: readonly string[];
  /** Whether servers behind endpoints may be sent credentials by http, if they are on this machine. */
  readonly credentialsOverLoopbackHttp: boolean;
  /** By the registry of a package: the image with a bridge in which an export runs it, by digest (ADR 55). */
  readonly packageBridgeImages: Readonly<Partial<Record<BridgedRegistry, string>>>;
  /** Whether receivers get the `traceparent` of the attempt. */
  readonly webhooksTraceparent: boolean;
  /** Seconds that one attempt may take, from the DNS query to the last byte of the response. */
  readonly webhooksDeadline: number;
  /** Seconds after which another process reclaims a delivery whose result was not reported. */
  readonly webhooksLease: number;
  /** Attempts that this process may have in flight, in total and per endpoint. */
  readonly webhooksInFlight: number;
  readonly webhooksInFlightPerEndpoint: number;
  /** Days for which payloads and attempts are kept. */
  readonly webhooksRetentionDays: number;
  /** The registry from which listings are imported regularly; undefined for none. */
  readonly importFrom?: string;
  /** Minutes between two scheduled imports. */
  readonly importIntervalMinutes: number;
  /** A file that assigns servers to categories; undefined if all new ones are uncategorised. */
  readonly importCategoryMap?: string;
  /** Caps and rates per user and organisation. */
  readonly limits: Limits;
  readonly run: ReadonlySet<ProcessPart>;
  /** Whether `/console/` is served. */
  readonly console: boolean;
  readonly logLevel: LogLevel;
  /** Undefined: `pretty` on a terminal, `json` elsewhere. */
  readonly logFormat?: LogFormat;
  /** Where `/metrics` listens; port 0: nowhere. */
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** Whether the port was named, so that it must be free. */
  readonly requiresMetrics: boolean;
  /** Seconds between saying that the process is not ready any more and refusing connections. */
  readonly shutdownDelay: number;

  /**
   * @param variables the environment, normally `process.env`; an empty string counts as unset
   * @param read reads them; the generator of `docs/configuration.md` brings one that records what is read
   * @throws EnvironmentError with all errors, each with its variable and an example
   */
  constructor(variables: Readonly<Record<string, string | undefined>>, read = new EnvironmentReader(variables)) {
    this.host = read.text('HOST', '127.0.0.1');
    this.port = read.integer('PORT', 3000, 0, 65_535);
    const displayHost = isIP(this.host) === 6 ? `[${this.host}]` : this.host;
    this.publicUrl =
      read.url('PUBLIC_URL', ['http', 'https'], 'https://tools.example.com', { bare: true }) ??
      `http://${displayHost}:${this.port}`;
    this.databaseUrl = read.secretUrl(
      'DATABASE_URL',
      ['postgres', 'postgresql'],
      'postgres://toolyard:secret@db.example.com:5432/toolyard',
    );
    this.databaseDirectUrl = readDirectUrl(read, this.databaseUrl);
    this.databasePoolSize = read.integer('DATABASE_POOL_SIZE', 10, 1, 1_000);
    this.databaseDeadline = read.integer('DATABASE_DEADLINE_SECONDS', 4, 1, 60);
    // Poolers that know prepared statements (PgBouncer from 1.21 on) are newer than some distributions.
    this.preparesStatements = read.boolean('DATABASE_PREPARED_STATEMENTS', this.databaseDirectUrl === undefined);
    this.registryCacheBytes = read.integer('REGISTRY_CACHE_MIB', 64, 0, 16_384) * 1_048_576;
    this.dataDir = resolve(read.text('DATA_DIR', './.data'));
    const shouldLoadSample = read.boolean('SAMPLE_CATALOGUE', this.databaseUrl === undefined);
    // With an external database the default is no sample; only an explicit `false` removes an existing one.
    const isSampleConfigured = read.optional('SAMPLE_CATALOGUE') !== undefined;
    this.sampleCatalogue = shouldLoadSample ? 'load' : isSampleConfigured ? 'remove' : 'leave';
    this.publicListings = read.oneOf('PUBLIC_LISTINGS', ['verified', 'anybody'], 'verified');
    this.mcpAllowedOrigins = readOrigins(read);
    this.externalIssuer = readIssuer(read);
    this.ssoProviders = readSsoProviders(read, this.publicUrl, this.externalIssuer !== undefined);
    this.passwordSignIn = read.boolean('PASSWORD_SIGN_IN', true);
    if (!this.passwordSignIn && this.ssoProviders.length === 0 && !this.externalIssuer)
      read.fault('PASSWORD_SIGN_IN', 'is false, but SSO_ISSUER is not set, so nobody could sign in', 'true');
    this.audience = read.text('OIDC_AUDIENCE', 'toolyard');
    this.audiences = [this.audience, this.publicUrl, `${this.publicUrl}/`];
    this.oauthRegistration = read.oneOf(
      'OAUTH_REGISTRATION',
      REGISTRATIONS,
      isLoopbackUrl(this.publicUrl) ? 'open' : 'off',
    );
    this.oauthRegistrationToken = readRegistrationToken(read, this.oauthRegistration);
    this.oauthClientDomains = readClientDomains(read);
    this.platformAdmins = read.list('PLATFORM_ADMINS');
    for (const [index, admin] of this.platformAdmins.entries()) {
      if (admin.includes('@') && !/^[^\s@]+@[^\s@]+$/.test(admin))
        read.fault(
          'PLATFORM_ADMINS',
          `has an "@" in entry ${index + 1}, which is not an e-mail address`,
          'root@example.com,4f7c0a52',
        );
    }
    this.organisationCreation = read.oneOf('ORGANISATION_CREATION', ['anybody', 'platform_admins'] as const, 'anybody');
    this.secretsKey = readSecretsKey(read, this.databaseUrl !== undefined);
    this.acceptedKeys = readAcceptedKeys(read);
    this.trustedProxies = readNetworks(read, 'TRUSTED_PROXIES');
    this.setUpToken = read.secret('SETUP_TOKEN');
    if (this.setUpToken !== undefined && !/^[\w-]{32,128}$/.test(this.setUpToken))
      read.fault('SETUP_TOKEN', 'is not 32 to 128 letters, digits, "-" and "_"', 'the output of: openssl rand -hex 24');
    this.mail = readMailSettings(read);
    this.webhooksAllowHttp = read.boolean('WEBHOOKS_ALLOW_HTTP', false);
    this.credentialsOverLoopbackHttp = read.boolean('CREDENTIALS_OVER_LOOPBACK_HTTP', false);
    this.packageBridgeImages = readBridgeImages(read);
    this.webhooksTraceparent = read.boolean('WEBHOOKS_TRACEPARENT', false);
    this.webhooksAllowedNetworks = readNetworks(read, 'WEBHOOKS_ALLOWED_NETWORKS');
    this.webhooksDeadline = read.integer('WEBHOOKS_DEADLINE_SECONDS', 15, 1, 30);
    this.webhooksLease = read.integer('WEBHOOKS_LEASE_SECONDS', 40, 2, 55);
    if (this.webhooksLease <= this.webhooksDeadline)
      read.fault(
        'WEBHOOKS_LEASE_SECONDS',
        'is not longer than WEBHOOKS_DEADLINE_SECONDS, so a delivery would be reclaimed while it is in flight',
        '40',
      );
    this.webhooksInFlight = read.integer('WEBHOOKS_IN_FLIGHT', 384, 2, 10_000);
    this.webhooksInFlightPerEndpoint = read.integer('WEBHOOKS_IN_FLIGHT_PER_ENDPOINT', 20, 1, 1_000);
    this.webhooksRetentionDays = read.integer('WEBHOOKS_RETENTION_DAYS', 30, MIN_RETENTION_DAYS, 3_650);
    const importSchemes = this.webhooksAllowHttp ? ['https', 'http'] : ['https'];
    this.importFrom = read.url('IMPORT_FROM', importSchemes, 'https://registry.modelcontextprotocol.io', {
      bare: true,
    });
    this.importIntervalMinutes = read.integer('IMPORT_INTERVAL_MINUTES', 60, 5, 10_080);
    this.importCategoryMap = read.optional('IMPORT_CATEGORY_MAP');
    this.limits = new Limits(read);
    this.run = readRun(read);
    this.console = read.boolean('CONSOLE', true);
    this.logLevel = read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info');
    if (read.optional('LOG_FORMAT') !== undefined) this.logFormat = read.oneOf('LOG_FORMAT', LOG_FORMATS, 'json');
    this.metricsHost = read.text('METRICS_HOST', '127.0.0.1');
    this.metricsPort = read.integer('METRICS_PORT', 9464, 0, 65_535);
    this.requiresMetrics = this.metricsPort > 0 && read.optional('METRICS_PORT') !== undefined;
    this.shutdownDelay = read.integer('SHUTDOWN_DELAY_SECONDS', 5, 0, 60);
    read.finish();
  }
}

function readDirectUrl(read: EnvironmentReader, databaseUrl: string | undefined): string | undefined {
  const example = 'postgres://toolyard:secret@db.example.com:5432/toolyard';
  const url = read.secretUrl('DATABASE_DIRECT_URL', ['postgres', 'postgresql'], example);
  if (url !== undefined && databaseUrl === undefined)
    read.fault('DATABASE_DIRECT_URL', 'is set, but DATABASE_URL, the address of the pooler, is not', example);
  return url;
}

function readIssuer(read: EnvironmentReader): ExternalIssuer | undefined {
  const example = 'https://login.example.com/realms/acme';
  const issuer = read.url('OIDC_ISSUER', ['http', 'https'], example, { keepSlash: true, bare: true });
  const jwksUri = read.url('OIDC_JWKS_URI', ['http', 'https'], 'https://login.example.com/jwks.json', {
    keepSlash: true,
  });
  const introspectionUrl = read.url(
    'OIDC_INTROSPECTION_URL',
    ['http', 'https'],
    'https://login.example.com/introspect',
    { keepSlash: true },
  );
  const clientId = read.optional('OIDC_CLIENT_ID');
  const clientSecret = read.secret('OIDC_CLIENT_SECRET');
  const trustsEmail = read.boolean('OIDC_TRUST_EMAIL', false);
  const requiresScopes = read.oneOf('SCOPES', ['optional', 'required'], 'optional') === 'required';
  if (issuer === undefined) {
    for (const [name, value] of Object.entries({
      OIDC_JWKS_URI: jwksUri,
      OIDC_INTROSPECTION_URL: introspectionUrl,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_TRUST_EMAIL: trustsEmail || undefined,
    })) {
      if (value !== undefined) read.fault(name, 'is set, but OIDC_ISSUER is not', `OIDC_ISSUER=${example}`);
    }
    if (requiresScopes) {
      const fault = 'is "required", but OIDC_ISSUER is not set: the scopes of our own tokens always count';
      read.fault('SCOPES', fault, 'SCOPES=optional');
    }
    return undefined;
  }
  if (clientSecret !== undefined && clientId === undefined)
    read.fault('OIDC_CLIENT_SECRET', 'is set, but OIDC_CLIENT_ID is not', 'OIDC_CLIENT_ID=toolyard');
  if (introspectionUrl !== undefined && clientId === undefined)
    read.fault(
      'OIDC_INTROSPECTION_URL',
      'requires OIDC_CLIENT_ID, because introspection requests are authenticated (RFC 7662, section 2.1)',
      'OIDC_CLIENT_ID=toolyard',
    );
  if (trustsEmail && isSharedIssuer(issuer))
    read.fault(
      'OIDC_TRUST_EMAIL',
      'cannot be set for this OIDC_ISSUER, which serves many tenants: anyone can have any address there',
      'OIDC_ISSUER=https://login.microsoftonline.com/<your tenant id>/v2.0',
    );
  return { issuer, jwksUri, introspectionUrl, clientId, clientSecret, trustsEmail, requiresScopes };
}

function readRegistrationToken(read: EnvironmentReader, registration: string): string | undefined {
  const token = read.secret('OAUTH_REGISTRATION_TOKEN');
  const example = 'the output of: openssl rand -hex 32';
  if (registration === 'token' && (token === undefined || !/^[\w~.+/=-]{32,512}$/.test(token)))
    read.fault('OAUTH_REGISTRATION_TOKEN', 'is not 32 to 512 letters, digits or -._~+/=', example);
  if (registration !== 'token' && token !== undefined)
    read.fault('OAUTH_REGISTRATION_TOKEN', 'is set, but OAUTH_REGISTRATION is not "token"', 'OAUTH_REGISTRATION=token');
  return token;
}

function readClientDomains(read: EnvironmentReader): readonly string[] {
  const domains = read.list('OAUTH_CLIENT_DOMAINS').map((domain) => domain.toLowerCase());
  for (const [index, domain] of domains.entries()) {
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
      read.fault('OAUTH_CLIENT_DOMAINS', `has an entry, number ${index + 1}, that is not a domain`, 'example.com');
  }
  return domains;
}

/**
 * Browser extensions and desktop applications have such origins, for example `chrome-extension://…`. Browsers write
 * them so in `Origin`, while the URL standard knows no origin of such schemes; for the others its form is the only one.
 */
const OPAQUE_ORIGIN =
  /^(?!(?:https?|wss?|ftp|file|blob|data|javascript|about):)[a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d{1,5})?$/;

function readOrigins(read: EnvironmentReader): readonly string[] {
  const origins = read.list('MCP_ALLOWED_ORIGINS');
  for (const [index, origin] of origins.entries()) {
    if (URL.parse(origin)?.origin !== origin && !OPAQUE_ORIGIN.test(origin))
      read.fault(
        'MCP_ALLOWED_ORIGINS',
        `has an entry, number ${index + 1}, that is not an origin`,
        'https://app.example.com',
      );
  }
  return origins;
}

function isLoopbackUrl(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const KEY_EXAMPLE = 'the output of: openssl rand -base64 32';
const MAX_ACCEPTED_KEYS = 3;

function readSecretsKey(read: EnvironmentReader, required: boolean): Buffer | undefined {
  const text = read.secret('SECRETS_KEY');
  if (text === undefined) {
    // With a shared database, every replica must be able to decrypt what another one encrypted.
    if (required) read.fault('SECRETS_KEY', 'is required together with DATABASE_URL', KEY_EXAMPLE);
    return undefined;
  }
  const key = keyOf(text);
  if (key === undefined) read.fault('SECRETS_KEY', 'is not 32 bytes in base64', KEY_EXAMPLE);
  return key;
}

function readAcceptedKeys(read: EnvironmentReader): Buffer[] {
  const name = 'SECRETS_KEYS_ACCEPTED';
  const texts =
    read
      .secret(name)
      ?.split(/[\s,]+/)
      .filter((text) => text !== '') ?? [];
  const keys = texts.map(keyOf);
  const wrong = keys.indexOf(undefined);
  if (wrong !== -1) read.fault(name, `has an entry, number ${wrong + 1}, that is not 32 bytes in base64`, KEY_EXAMPLE);
  if (texts.length > MAX_ACCEPTED_KEYS)
    read.fault(name, `has more than ${MAX_ACCEPTED_KEYS} entries`, 'the former SECRETS_KEY');
  return keys.filter((key) => key !== undefined);
}

/** @returns undefined if it is not 32 bytes in base64 */
function keyOf(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === 32 && key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? key : undefined;
}

function readNetworks(read: EnvironmentReader, name: string): string[] {
  const networks = read.list(name);
  for (const [index, network] of networks.entries()) {
    if (!isCidr(network))
      read.fault(name, `has an entry, number ${index + 1}, that is not a CIDR block`, '10.20.0.0/16,fd00:1234::/48');
  }
  return networks;
}

function readBridgeImages(read: EnvironmentReader): Partial<Record<BridgedRegistry, string>> {
  const images: Partial<Record<BridgedRegistry, string>> = {};
  for (const registry of BRIDGED_REGISTRIES) {
    const name = `PACKAGE_BRIDGE_IMAGE_${registry.toUpperCase()}`;
    const image = read.optional(name);
    if (image === undefined) continue;
    if (!isPinnedImage(image))
      read.fault(name, 'is not an image with a digest', 'registry.example.com/supergateway:4.0.0@sha256:<64 digits>');
    images[registry] = image;
  }
  return images;
}

function readRun(read: EnvironmentReader): ReadonlySet<ProcessPart> {
  const parts = read.list('RUN', ['api', 'worker']);
  const unknown = parts.filter((part) => part !== 'api' && part !== 'worker');
  if (unknown.length > 0 || parts.length === 0) read.fault('RUN', 'is not a list of "api" and "worker"', 'api,worker');
  return new Set(parts as ProcessPart[]);
}

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...extra] = text.split('/');
  const family = isIP(address);
  return extra.length === 0 && family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
