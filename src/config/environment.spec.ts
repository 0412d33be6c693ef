import { resolve } from 'node:path';
import { faultsOf } from '../../test/support/environment-faults';
import { Environment } from './environment';
import { SECRET_VARIABLES } from './environment-reader';

type Variables = Record<string, string | undefined>;

const KEY = Buffer.alloc(32, 1).toString('base64');
const ISSUER = 'https://login.example.com/realms/acme';
const DATABASE = { DATABASE_URL: 'postgres://u:p@db.example.com/toolyard', SECRETS_KEY: KEY };

describe('Trusting an issuer’s addresses', () => {
  const trusting = (issuer?: string) => faultsOf({ OIDC_TRUST_EMAIL: 'true', OIDC_ISSUER: issuer });

  it('is allowed for an issuer with a single tenant', () => {
    expect(trusting(ISSUER)).toEqual([]);
    const { externalIssuer } = new Environment({ OIDC_TRUST_EMAIL: 'true', OIDC_ISSUER: ISSUER });
    expect(externalIssuer?.trustsEmail).toBe(true);
  });

  it.each(['common', 'organizations', 'consumers', '{tenantid}'])('is refused for Entra ID with %s', (tenant) => {
    expect(trusting(`https://login.microsoftonline.com/${tenant}/v2.0`)).toEqual([
      expect.stringMatching(/^OIDC_TRUST_EMAIL cannot be set for this OIDC_ISSUER, which serves many tenants/),
    ]);
  });

  it('is refused for our own issuer, which verifies addresses itself', () => {
    expect(trusting()).toEqual([expect.stringMatching(/^OIDC_TRUST_EMAIL is set, but OIDC_ISSUER is not/)]);
  });
});

describe('MCP_ALLOWED_ORIGINS', () => {
  it('are origins, as browsers write them', () => {
    const origins = [
      'https://app.example.com',
      'http://localhost:5173',
      'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
      'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
      'safari-web-extension://2C127FA4-62C7-7E4F-90E5-472B45EECFDC',
      'tauri://localhost',
    ];
    expect(new Environment({ MCP_ALLOWED_ORIGINS: origins.join(', ') }).mcpAllowedOrigins).toEqual(origins);
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://App.example.com',
    'https://a.example:443',
    'chrome-extension://',
    'chrome-extension://*',
    'chrome-extension://aapb/popup.html',
    'Chrome-Extension://aapb',
    'file://',
    'file://host',
    'data://x',
  ])('cannot be "%s"', (origin) => {
    expect(faultsOf({ MCP_ALLOWED_ORIGINS: `https://a.example,${origin}` })).toEqual([
      expect.stringMatching(/^MCP_ALLOWED_ORIGINS has an entry, number 2, that is not an origin/),
    ]);
  });
});

describe('PLATFORM_ADMINS', () => {
  it.each(['root@', '@example.com', 'a@b@c', 'ro ot@example.com'])('cannot be "%s"', (entry) => {
    expect(faultsOf({ PLATFORM_ADMINS: `root,${entry}` })).toEqual([
      expect.stringMatching(/^PLATFORM_ADMINS has an "@" in entry 2/),
    ]);
  });
});

describe('TRUSTED_PROXIES', () => {
  it('must be CIDR blocks', () => {
    expect(new Environment({ TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
    ]);
    expect(faultsOf({ TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.1' })).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES has an entry, number 2, that is not a CIDR block/),
    ]);
  });
});

describe('SETUP_TOKEN', () => {
  it.each(['short', 'x'.repeat(31), 'x'.repeat(129), `${'x'.repeat(32)} y`])(
    'cannot be "%s", which is not repeated',
    (token) => {
      expect(faultsOf({ SETUP_TOKEN: token })).toEqual([
        expect.stringMatching(/^SETUP_TOKEN is not 32 to 128 letters/),
      ]);
      expect(faultsOf({ SETUP_TOKEN: token })[0]).not.toContain(token);
    },
  );
});

describe('The environment', () => {
  it('has a default for everything', () => {
    expect({ ...new Environment({}) }).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databasePoolSize: 10,
      console: true,
      credentialsOverLoopbackHttp: false,
      databaseDeadline: 4,
      preparesStatements: true,
      registryCacheBytes: 67_108_864,
      dataDir: resolve('./.data'),
      sampleCatalogue: 'load',
      publicListings: 'verified',
      externalIssuer: undefined,
      ssoProviders: [],
      passwordSignIn: true,
      audience: 'toolyard',
      audiences: ['toolyard', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
      oauthRegistration: 'open',
      oauthRegistrationToken: undefined,
      mcpAllowedOrigins: [],
      oauthClientDomains: [],
      platformAdmins: [],
      organisationCreation: 'anybody',
      secretsKey: undefined,
      acceptedKeys: [],
      trustedProxies: [],
      setUpToken: undefined,
      packageBridgeImages: {},
      webhooksAllowHttp: false,
      webhooksAllowedNetworks: [],
      webhooksDeadline: 15,
      webhooksLease: 40,
      webhooksInFlight: 384,
      webhooksInFlightPerEndpoint: 20,
      webhooksRetentionDays: 30,
      webhooksTraceparent: false,
      importFrom: undefined,
      importIntervalMinutes: 60,
      importCategoryMap: undefined,
      limits: {
        endpointsPerPerson: 50,
        endpointsPerOrganisation: 500,
        organisationsPerPerson: 20,
        bundlesPerPerson: 500,
        bundlesPerOrganisation: 5_000,
        versionsPerBundle: 10_000,
        deploymentsPerBundle: 500,
        editorsPerBundle: 200,
        draftsPerOwner: 500,
        listingsPerOwner: 5_000,
        versionsPerListing: 1_000,
        namespacesPerHolder: 100,
        tokensPerPerson: 50,
        tokensPerBundle: 50,
        scimTokensPerOrganisation: 20,
        requests: {
          principal: { perMinute: 3_000, burst: 500 },
          address: { perMinute: 1_200, burst: 300 },
          failedAuthentication: { perMinute: 300, burst: 300 },
        },
        roleMappingsPerOrganisation: 1_000,
        pendingInvitations: 500,
        serverRequestsPerMember: 50,
        serverRequestsPerOrganisation: 1_000,
        serverRequestsPerDay: 100,
        accountInvitations: 1_000,
        invitationsPerDay: 1_000,
        domainsPerOrganisation: 50,
        syncsPerMinute: 10,
        previewsPerMinute: 30,
        pingsPerMinute: 20,
        runRetentionDays: 90,
        auditRetentionDays: 730,
        provisioningLogRetentionDays: 30,
        callsRetentionDays: 90,
      },
      run: new Set(['api', 'worker']),
      logLevel: 'info',
      metricsHost: '127.0.0.1',
      metricsPort: 9464,
      requiresMetrics: false,
      shutdownDelay: 5,
    });
  });

  const NAMES = [
    ...['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'DATABASE_POOL_SIZE', 'DATA_DIR', 'SAMPLE_CATALOGUE'],
    ...['DATABASE_DIRECT_URL', 'DATABASE_DEADLINE_SECONDS', 'DATABASE_PREPARED_STATEMENTS', 'REGISTRY_CACHE_MIB'],
    ...['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_JWKS_URI', 'OIDC_INTROSPECTION_URL', 'OIDC_CLIENT_ID'],
    ...['OIDC_CLIENT_SECRET', 'PLATFORM_ADMINS', 'SECRETS_KEY', 'WEBHOOKS_ALLOW_HTTP', 'WEBHOOKS_ALLOWED_NETWORKS'],
    ...['WEBHOOKS_DEADLINE_SECONDS', 'WEBHOOKS_LEASE_SECONDS', 'WEBHOOKS_IN_FLIGHT', 'WEBHOOKS_IN_FLIGHT_PER_ENDPOINT'],
    ...['WEBHOOKS_RETENTION_DAYS', 'IMPORT_FROM', 'IMPORT_INTERVAL_MINUTES', 'IMPORT_CATEGORY_MAP', 'RUN', 'LOG_LEVEL'],
    ...['LIMIT_ENDPOINTS_PER_PERSON', 'LIMIT_SYNCS_PER_MINUTE', 'AUDIT_RETENTION_DAYS', 'PUBLIC_LISTINGS'],
    ...['CALLS_RETENTION_DAYS', 'PACKAGE_BRIDGE_IMAGE_NPM', 'PACKAGE_BRIDGE_IMAGE_PYPI'],
    ...['TRUSTED_PROXIES', 'SETUP_TOKEN', ...SECRET_VARIABLES.map((name) => `${name}_FILE`), 'SECRETS_KEYS_ACCEPTED'],
  ];

  it.each(NAMES)('treats an empty %s as unset', (name) => {
    expect({ ...new Environment({ [name]: '' }) }).toEqual({ ...new Environment({}) });
    expect({ ...new Environment({ [name]: ' \n' }) }).toEqual({ ...new Environment({}) });
  });

  it.each<[Variables, Partial<Record<keyof Environment, unknown>>]>([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: ' 65535 ' }, { port: 65_535 }],
    [
      { HOST: '0.0.0.0', PORT: '80' },
      { host: '0.0.0.0', publicUrl: 'http://0.0.0.0:80' },
    ],
    [{ HOST: '::1' }, { publicUrl: 'http://[::1]:3000' }],
    [{ PUBLIC_URL: 'https://tools.example.com/yard//' }, { publicUrl: 'https://tools.example.com/yard' }],
    [DATABASE, { databaseUrl: DATABASE.DATABASE_URL, sampleCatalogue: 'leave' }],
    [{ ...DATABASE, DATABASE_URL: 'postgresql://db/x?sslmode=require' }, { sampleCatalogue: 'leave' }],
    [{ ...DATABASE, SAMPLE_CATALOGUE: 'yes' }, { sampleCatalogue: 'load' }],
    [{ SAMPLE_CATALOGUE: 'Off' }, { sampleCatalogue: 'remove' }],
    [{ ...DATABASE, SAMPLE_CATALOGUE: 'false' }, { sampleCatalogue: 'remove' }],
    [{ PUBLIC_LISTINGS: 'anybody' }, { publicListings: 'anybody' }],
    [{ DATABASE_POOL_SIZE: '1' }, { databasePoolSize: 1 }],
    [{ DATABASE_DEADLINE_SECONDS: '60' }, { databaseDeadline: 60 }],
    [{ DATABASE_PREPARED_STATEMENTS: 'false' }, { preparesStatements: false }],
    [
      { ...DATABASE, DATABASE_DIRECT_URL: 'postgres://db/direct' },
      { databaseDirectUrl: 'postgres://db/direct', preparesStatements: false },
    ],
    [
      { ...DATABASE, DATABASE_DIRECT_URL: 'postgres://db/direct', DATABASE_PREPARED_STATEMENTS: 'true' },
      { preparesStatements: true },
    ],
    [{ REGISTRY_CACHE_MIB: '0' }, { registryCacheBytes: 0 }],
    [{ DATA_DIR: '/var/lib/toolyard' }, { dataDir: '/var/lib/toolyard' }],
    [{ OIDC_AUDIENCE: 'https://api.example.com' }, { audience: 'https://api.example.com' }],
    [{ OIDC_ISSUER: ISSUER }, { externalIssuer: { issuer: ISSUER } }],
    [{ OIDC_ISSUER: `${ISSUER}/` }, { externalIssuer: { issuer: `${ISSUER}/` } }],
    [
      {
        OIDC_ISSUER: ISSUER,
        OIDC_JWKS_URI: 'https://login.example.com/keys?p=1',
        OIDC_INTROSPECTION_URL: 'https://login.example.com/introspect',
        OIDC_CLIENT_ID: 'toolyard',
        OIDC_CLIENT_SECRET: 'secret',
      },
      {
        externalIssuer: {
          issuer: ISSUER,
          jwksUri: 'https://login.example.com/keys?p=1',
          introspectionUrl: 'https://login.example.com/introspect',
          clientId: 'toolyard',
          clientSecret: 'secret',
          trustsEmail: false,
          requiresScopes: false,
        },
      },
    ],
    [{ OIDC_ISSUER: ISSUER, SCOPES: 'required' }, { externalIssuer: { issuer: ISSUER, requiresScopes: true } }],
    [{ SCOPES: 'optional' }, { externalIssuer: undefined }],
    [{ PLATFORM_ADMINS: ' root, ,chief@example.com,' }, { platformAdmins: ['root', 'chief@example.com'] }],
    [{ SECRETS_KEY: KEY }, { secretsKey: Buffer.alloc(32, 1) }],
    [{ SECRETS_KEY: KEY.replace('=', '') }, { secretsKey: Buffer.alloc(32, 1) }],
    [{ WEBHOOKS_ALLOW_HTTP: 'TRUE' }, { webhooksAllowHttp: true }],
    [
      { WEBHOOKS_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,127.0.0.1/32,::1/128' },
      { webhooksAllowedNetworks: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32', '::1/128'] },
    ],
    [
      { WEBHOOKS_DEADLINE_SECONDS: '1', WEBHOOKS_LEASE_SECONDS: '2' },
      { webhooksDeadline: 1, webhooksLease: 2 },
    ],
    [
      { WEBHOOKS_IN_FLIGHT: '2', WEBHOOKS_IN_FLIGHT_PER_ENDPOINT: '1', WEBHOOKS_RETENTION_DAYS: '4' },
      { webhooksInFlight: 2, webhooksInFlightPerEndpoint: 1, webhooksRetentionDays: 4 },
    ],
    [{ RUN: 'worker' }, { run: new Set(['worker']) }],
    [{ RUN: 'worker,api' }, { run: new Set(['api', 'worker']) }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ LOG_FORMAT: 'pretty' }, { logFormat: 'pretty' }],
    [{ METRICS_PORT: '0' }, { metricsPort: 0, requiresMetrics: false }],
    [{ METRICS_PORT: '9464' }, { metricsPort: 9464, requiresMetrics: true }],
    [
      { METRICS_HOST: '0.0.0.0', SHUTDOWN_DELAY_SECONDS: '0' },
      { metricsHost: '0.0.0.0', shutdownDelay: 0 },
    ],
  ])('reads %j', (variables, expected) => {
    expect(new Environment(variables)).toMatchObject(expected);
  });

  it.each<[string, string, string, Variables?]>([
    ['PORT', '65536', 'is not an integer from 0 to 65535. Example: 3000'],
    ['PORT', '80.5', 'is not an integer'],
    ['PORT', '0x50', 'is not an integer'],
    ['DATABASE_DEADLINE_SECONDS', '0', 'is not an integer from 1 to 60. Example: 4'],
    ['DATABASE_DIRECT_URL', 'postgres://db/direct', 'is set, but DATABASE_URL, the address of the pooler, is not'],
    ['DATABASE_DIRECT_URL', 'db:5432', 'is not a URL that starts with postgres:// or postgresql://', DATABASE],
    ['REGISTRY_CACHE_MIB', '-1', 'is not an integer from 0 to 16384. Example: 64'],
    ['DATABASE_POOL_SIZE', '0', 'is not an integer from 1 to 1000. Example: 10'],
    ['PUBLIC_URL', 'tools.example.com', 'is not a URL that starts with http:// or https://. Example: https://tools.'],
    ['PUBLIC_URL', 'http:tools', 'is not a URL'],
    ['PUBLIC_URL', 'ftp://tools.example.com', 'is not a URL'],
    ['PUBLIC_URL', 'https://', 'is not a URL'],
    [
      'PUBLIC_URL',
      'https://u:p@tools.example.com',
      'must not have user info, a query or a fragment. Example: https://t',
    ],
    ['PUBLIC_URL', 'https://tools.example.com?', 'must not have user info, a query or a fragment'],
    ['IMPORT_FROM', 'http://registry.example.com', 'is not a URL that starts with https://.'],
    ['IMPORT_FROM', 'ftp://registry.example.com', 'https:// or http://', { WEBHOOKS_ALLOW_HTTP: 'true' }],
    ['IMPORT_FROM', 'https://me:secret@registry.example.com', 'must not have user info, a query or a fragment'],
    [
      'DATABASE_URL',
      'mysql://db/x',
      'starts with postgres:// or postgresql://. Example: postgres://',
      { SECRETS_KEY: KEY },
    ],
    ['SAMPLE_CATALOGUE', 'perhaps', 'is neither true nor false. Example: true'],
    ['OIDC_ISSUER', 'login.example.com', `is not a URL that starts with http:// or https://. Example: ${ISSUER}`],
    ['OIDC_ISSUER', `${ISSUER}#x`, 'must not have user info, a query or a fragment'],
    ['OIDC_JWKS_URI', 'keys', 'is not a URL', { OIDC_ISSUER: ISSUER }],
    [
      'OIDC_JWKS_URI',
      'https://login.example.com/keys',
      'is set, but OIDC_ISSUER is not. Example: OIDC_ISSUER=https://',
    ],
    ['OIDC_INTROSPECTION_URL', 'introspect', 'is not a URL', { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'x' }],
    ['OIDC_INTROSPECTION_URL', 'https://i.example.com', 'requires OIDC_CLIENT_ID', { OIDC_ISSUER: ISSUER }],
    ['OIDC_CLIENT_ID', 'toolyard', 'is set, but OIDC_ISSUER is not'],
    [
      'OIDC_CLIENT_SECRET',
      'hunter2',
      'is set, but OIDC_CLIENT_ID is not. Example: OIDC_CLIENT_ID=',
      { OIDC_ISSUER: ISSUER },
    ],
    ['SECRETS_KEY', Buffer.alloc(31).toString('base64'), 'is not 32 bytes in base64. Example: the output of: openssl'],
    ['SECRETS_KEY', 'not base64 at all, but long enough to be it', 'is not 32 bytes in base64'],
    ['WEBHOOKS_ALLOW_HTTP', '-1', 'is neither true nor false'],
    [
      'WEBHOOKS_ALLOWED_NETWORKS',
      '10.0.0.0/8,hunter2',
      'has an entry, number 2, that is not a CIDR block. Example: 10.',
    ],
    ['WEBHOOKS_ALLOWED_NETWORKS', '10.0.0.0/33', 'is not a CIDR block'],
    ['WEBHOOKS_ALLOWED_NETWORKS', 'fd00::/129', 'is not a CIDR block'],
    ['WEBHOOKS_ALLOWED_NETWORKS', '10.0.0.0', 'is not a CIDR block'],
    ['WEBHOOKS_ALLOWED_NETWORKS', '10.0.0.0/8/8', 'is not a CIDR block'],
    ['WEBHOOKS_DEADLINE_SECONDS', '0', 'is not an integer from 1 to 30. Example: 15'],
    ['WEBHOOKS_LEASE_SECONDS', '56', 'is not an integer from 2 to 55. Example: 40'],
    ['WEBHOOKS_LEASE_SECONDS', '15', 'is not longer than WEBHOOKS_DEADLINE_SECONDS, so a delivery would be reclaimed'],
    ['WEBHOOKS_IN_FLIGHT', '1', 'is not an integer from 2 to 10000. Example: 384'],
    ['WEBHOOKS_IN_FLIGHT_PER_ENDPOINT', '0', 'is not an integer from 1 to 1000. Example: 20'],
    ['WEBHOOKS_RETENTION_DAYS', '3', 'is not an integer from 4 to 3650. Example: 30'],
    ['CALLS_RETENTION_DAYS', '0', 'is not an integer from 1 to 3650. Example: 90'],
    ['RUN', 'api,cron', 'is not a list of "api" and "worker". Example: api,worker'],
    ['RUN', ',', 'is not a list'],
    ['LOG_LEVEL', 'loud', 'is not one of fatal, error, warn, info, debug, trace, silent. Example: info'],
  ])('refuses %s=%s, with the reason', (name, value, fault, others = {}) => {
    const faults = faultsOf({ ...others, [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} `));
    expect(faults[0]).toContain(fault);
    expect(faults[0]).toContain('. Example: ');
  });

  it('requires SECRETS_KEY together with DATABASE_URL', () => {
    expect(faultsOf({ DATABASE_URL: DATABASE.DATABASE_URL })).toEqual([
      'SECRETS_KEY is required together with DATABASE_URL. Example: the output of: openssl rand -base64 32',
    ]);
  });

  it('reports all errors at once, ready to print', () => {
    const variables = { PORT: 'x', LOG_LEVEL: 'x', RUN: 'x', OIDC_CLIENT_ID: 'x' };
    expect(faultsOf(variables).map((fault) => fault.split(' ')[0])).toEqual([
      'PORT',
      'OIDC_CLIENT_ID',
      'RUN',
      'LOG_LEVEL',
    ]);
    expect(() => new Environment(variables)).toThrow(
      /^Toolyard cannot start with this configuration:\n {2}- PORT .*\n {2}- OIDC_CLIENT_ID .*\n {2}- RUN .*\n {2}- LOG_LEVEL .*$/,
    );
  });

  it.each(NAMES)('never repeats a value, in case a secret is in the wrong variable: %s', (name) => {
    const secret = 'hunter2://hunter2@hunter2 hunter2';
    const all = Object.fromEntries(NAMES.map((other) => [other, secret]));
    for (const variables of [{ [name]: secret }, all, { ...all, [name]: undefined }]) {
      expect(faultsOf(variables).join('\n')).not.toContain('hunter2');
    }
  });
});

describe('PACKAGE_BRIDGE_IMAGE_NPM and PACKAGE_BRIDGE_IMAGE_PYPI', () => {
  const digest = `sha256:${'0f'.repeat(32)}`;

  it('are images with a digest', () => {
    for (const image of [
      `supergateway@${digest}`,
      `docker.io/supercorp/supergateway:4.0.0-uvx@${digest}`,
      `registry.example.com:5000/a/b_c/d@${digest}`,
    ]) {
      const variables = { PACKAGE_BRIDGE_IMAGE_NPM: image, PACKAGE_BRIDGE_IMAGE_PYPI: image };
      expect(new Environment(variables).packageBridgeImages).toEqual({ npm: image, pypi: image });
    }
  });

  it.each([
    'supergateway',
    'supergateway:4.0.0',
    '@' + digest,
    `supergateway@${digest.slice(0, -1)}`,
    `supergateway@${digest}0`,
    `Supergateway@${digest}`,
    `super gateway@${digest}`,
    `a\nb@${digest}`,
    `a\${X}@${digest}`,
    `https://docker.io/a@${digest}`,
  ])('cannot be "%s"', (image) => {
    expect(faultsOf({ PACKAGE_BRIDGE_IMAGE_NPM: image })).toEqual([
      expect.stringMatching(/^PACKAGE_BRIDGE_IMAGE_NPM is not an image with a digest/),
    ]);
  });
});
