import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { EnvironmentReader } from './environment-reader';
import { Limits } from './limits';
import { isSharedIssuer } from './shared-issuers';

/** The parts that a process can run; see `RUN`. */
export type ProcessPart = 'api' | 'worker';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The retry schedule with its jitter takes 3.8 days; a payload must outlive it. */
const LEAST_RETENTION_DAYS = 4;

/** An issuer of access tokens that is not this service (contract, section 3). */
export interface ExternalIssuer {
  issuer: string;
  /** Overrides the `jwks_uri` of the discovery document. */
  jwksUri?: string;
  /** Overrides the `introspection_endpoint` of the discovery document. */
  introspectionUrl?: string;
  clientId?: string;
  clientSecret?: string;
  /** Whether every address that it names counts as verified. */
  trustsEmail: boolean;
}

/**
 * The configuration of one process: read from the environment once, at start, checked as a whole, then injected.
 * Nothing else in the code reads `process.env` (lint). The names and defaults are those of section 11 of the contract.
 */
export class Environment {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; what links and the own issuer are built from. */
  readonly publicUrl: string;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl?: string;
  /** Connections that this process may hold for requests; the listener for notifications has one more. */
  readonly databasePoolSize: number;
  /** Seconds that one request may wait for the database, connections included, before it is answered 503. */
  readonly databaseDeadline: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** `load` into an empty database, `remove` what nobody has adopted, or `leave` it: then nobody said anything. */
  readonly sampleCatalogue: 'load' | 'remove' | 'leave';
  /** Who may publish public listings: those who have `verified` the namespace, or `anybody`. */
  readonly publicListings: 'verified' | 'anybody';
  /** Undefined: the service is its own issuer. */
  readonly externalIssuer?: ExternalIssuer;
  readonly audience: string;
  /** With an "@" a verified e-mail address, without one a `sub` of the issuer. */
  readonly platformAdmins: readonly string[];
  /** Who may create organisations; `platform_admins` vouches for all of them. */
  readonly organisationCreation: 'anybody' | 'platform_admins';
  /** 32 bytes; undefined: generated in `dataDir`. */
  readonly secretsKey?: Buffer;
  readonly webhooksAllowHttp: boolean;
  /** CIDR blocks that webhook deliveries may reach besides public addresses. */
  readonly webhooksAllowedNetworks: readonly string[];
  /** Seconds that one attempt may take, from the DNS question to the last byte of the answer. */
  readonly webhooksDeadline: number;
  /** Seconds after which what a process was sending is taken over by another one, unless it says how it went. */
  readonly webhooksLease: number;
  /** Attempts that this process may have in flight, and how many of them to one endpoint. */
  readonly webhooksInFlight: number;
  readonly webhooksInFlightPerEndpoint: number;
  /** Days for which payloads and attempts are kept. */
  readonly webhooksRetentionDays: number;
  /** The registry from which listings are taken over from time to time; undefined: none. */
  readonly importFrom?: string;
  /** Minutes between two of these imports. */
  readonly importIntervalMinutes: number;
  /** A file that says which category each server goes into; undefined: all that are new are uncategorised. */
  readonly importCategoryMap?: string;
  /** How much of everything one user or organisation may have. */
  readonly limits: Limits;
  readonly run: ReadonlySet<ProcessPart>;
  readonly logLevel: LogLevel;

  /**
   * @param variables the environment, normally `process.env`; an empty string counts as unset
   * @throws EnvironmentError with every fault found, each naming its variable and giving an example
   */
  constructor(variables: Readonly<Record<string, string | undefined>>) {
    const read = new EnvironmentReader(variables);
    this.host = read.text('HOST', '127.0.0.1');
    this.port = read.integer('PORT', 3000, 0, 65_535);
    const displayHost = isIP(this.host) === 6 ? `[${this.host}]` : this.host;
    this.publicUrl =
      read.url('PUBLIC_URL', ['http', 'https'], 'https://tools.example.com', { bare: true }) ??
      `http://${displayHost}:${this.port}`;
    this.databaseUrl = read.url(
      'DATABASE_URL',
      ['postgres', 'postgresql'],
      'postgres://toolyard:secret@db.example.com:5432/toolyard',
    );
    this.databasePoolSize = read.integer('DATABASE_POOL_SIZE', 10, 1, 1_000);
    this.databaseDeadline = read.integer('DATABASE_DEADLINE_SECONDS', 9, 1, 60);
    this.dataDir = resolve(read.text('DATA_DIR', './.data'));
    const isSampleWanted = read.boolean('SAMPLE_CATALOGUE', this.databaseUrl === undefined);
    // By default there is no sample beside a database of one's own; only a word removes what is there.
    const isSampleRefused = read.optional('SAMPLE_CATALOGUE') !== undefined;
    this.sampleCatalogue = isSampleWanted ? 'load' : isSampleRefused ? 'remove' : 'leave';
    this.publicListings = read.oneOf('PUBLIC_LISTINGS', ['verified', 'anybody'], 'verified');
    this.externalIssuer = readIssuer(read);
    this.audience = read.text('OIDC_AUDIENCE', 'toolyard');
    this.platformAdmins = read.list('PLATFORM_ADMINS');
    for (const [index, admin] of this.platformAdmins.entries()) {
      if (admin.includes('@') && !/^[^\s@]+@[^\s@]+$/.test(admin))
        read.fault(
          'PLATFORM_ADMINS',
          `has something with "@" as number ${index + 1} that is not an e-mail address`,
          'root@example.com,4f7c0a52',
        );
    }
    this.organisationCreation = read.oneOf('ORGANISATION_CREATION', ['anybody', 'platform_admins'] as const, 'anybody');
    this.secretsKey = readSecretsKey(read, this.databaseUrl !== undefined);
    this.webhooksAllowHttp = read.boolean('WEBHOOKS_ALLOW_HTTP', false);
    this.webhooksAllowedNetworks = read.list('WEBHOOKS_ALLOWED_NETWORKS');
    for (const [index, network] of this.webhooksAllowedNetworks.entries()) {
      if (!isCidr(network))
        read.fault(
          'WEBHOOKS_ALLOWED_NETWORKS',
          `has something as number ${index + 1} that is not a CIDR block`,
          '10.20.0.0/16,fd00:1234::/48',
        );
    }
    this.webhooksDeadline = read.integer('WEBHOOKS_DEADLINE_SECONDS', 15, 1, 30);
    this.webhooksLease = read.integer('WEBHOOKS_LEASE_SECONDS', 40, 2, 55);
    if (this.webhooksLease <= this.webhooksDeadline)
      read.fault(
        'WEBHOOKS_LEASE_SECONDS',
        'is not longer than WEBHOOKS_DEADLINE_SECONDS, so a delivery would be reclaimed while it is in flight',
        '40',
      );
    this.webhooksInFlight = read.integer('WEBHOOKS_IN_FLIGHT', 128, 2, 10_000);
    this.webhooksInFlightPerEndpoint = read.integer('WEBHOOKS_IN_FLIGHT_PER_ENDPOINT', 20, 1, 1_000);
    this.webhooksRetentionDays = read.integer('WEBHOOKS_RETENTION_DAYS', 30, LEAST_RETENTION_DAYS, 3_650);
    const importSchemes = this.webhooksAllowHttp ? ['https', 'http'] : ['https'];
    this.importFrom = read.url('IMPORT_FROM', importSchemes, 'https://registry.modelcontextprotocol.io', {
      bare: true,
    });
    this.importIntervalMinutes = read.integer('IMPORT_INTERVAL_MINUTES', 60, 5, 10_080);
    this.importCategoryMap = read.optional('IMPORT_CATEGORY_MAP');
    this.limits = new Limits(read);
    this.run = readRun(read);
    this.logLevel = read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info');
    read.finish();
  }
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
  const clientSecret = read.optional('OIDC_CLIENT_SECRET');
  const trustsEmail = read.boolean('OIDC_TRUST_EMAIL', false);
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
    return undefined;
  }
  if (clientSecret !== undefined && clientId === undefined)
    read.fault('OIDC_CLIENT_SECRET', 'is set, but OIDC_CLIENT_ID is not', 'OIDC_CLIENT_ID=toolyard');
  if (introspectionUrl !== undefined && clientId === undefined)
    read.fault(
      'OIDC_INTROSPECTION_URL',
      'needs OIDC_CLIENT_ID, because introspection is an authenticated call (RFC 7662, section 2.1)',
      'OIDC_CLIENT_ID=toolyard',
    );
  if (trustsEmail && isSharedIssuer(issuer))
    read.fault(
      'OIDC_TRUST_EMAIL',
      'cannot be set for this OIDC_ISSUER, which serves many tenants: anyone can have any address there',
      'OIDC_ISSUER=https://login.microsoftonline.com/<your tenant id>/v2.0',
    );
  return { issuer, jwksUri, introspectionUrl, clientId, clientSecret, trustsEmail };
}

function readSecretsKey(read: EnvironmentReader, required: boolean): Buffer | undefined {
  const text = read.optional('SECRETS_KEY');
  const example = 'the output of: openssl rand -base64 32';
  if (text === undefined) {
    // With a shared database every replica must be able to read what another one encrypted.
    if (required) read.fault('SECRETS_KEY', 'is required together with DATABASE_URL', example);
    return undefined;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32 || key.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    read.fault('SECRETS_KEY', 'is not 32 bytes in base64', example);
  }
  return key;
}

function readRun(read: EnvironmentReader): ReadonlySet<ProcessPart> {
  const parts = read.list('RUN', ['api', 'worker']);
  const unknown = parts.filter((part) => part !== 'api' && part !== 'worker');
  if (unknown.length > 0 || parts.length === 0) read.fault('RUN', 'is not a list of "api" and "worker"', 'api,worker');
  return new Set(parts as ProcessPart[]);
}

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const family = isIP(address);
  return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
