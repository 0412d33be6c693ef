/** The line of a variable in `docs/configuration.md`. Names, bounds and plain defaults come from `environment.ts`. */
export interface VariableText {
  meaning: string;
  /** In words (Markdown), where the default depends on other variables. */
  fallback?: string;
}

export interface VariableGroup {
  title: string;
  intro?: string;
  variables: Readonly<Record<string, string | VariableText>>;
}

/** In the order of the page. Links are relative to `docs/`. */
export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  {
    title: 'The process',
    variables: {
      PORT: 'the port it listens on',
      HOST: { meaning: 'the address it listens on', fallback: '`127.0.0.1`; in the container `0.0.0.0`' },
      PUBLIC_URL: { meaning: 'the base of links and of its own issuer', fallback: '`http://HOST:PORT`' },
      RUN: 'the parts that this process runs',
      CONSOLE: 'whether people get the console at `/console/`',
      TRUSTED_PROXIES: 'CIDR blocks of proxies whose `X-Forwarded-For` or `Forwarded` counts',
      SHUTDOWN_DELAY_SECONDS: {
        meaning: 'how long a process that was asked to end continues to serve',
        fallback: '`5`; with `npm start` `0`',
      },
      LOG_LEVEL: 'the least severe lines that are logged',
      LOG_FORMAT: { meaning: 'the form of these lines', fallback: '`pretty` on a terminal, else `json`' },
      METRICS_PORT: 'where `/metrics` listens; `0`: nowhere',
      METRICS_HOST: 'the address of `/metrics`',
    },
  },
  {
    title: 'Database and storage',
    variables: {
      DATABASE_URL: {
        meaning: '`postgres://…`, PostgreSQL 15 or newer',
        fallback: 'an embedded PostgreSQL in `DATA_DIR`',
      },
      DATABASE_DIRECT_URL: {
        meaning: 'the database itself, if `DATABASE_URL` is a pooler like PgBouncer',
        fallback: '`DATABASE_URL`',
      },
      DATABASE_POOL_SIZE: 'connections of this process, plus one that listens for notifications',
      DATABASE_DEADLINE_SECONDS: 'how long a request may wait for the database',
      DATABASE_PREPARED_STATEMENTS: {
        meaning: 'whether statements are prepared by name, which a pooler has to support',
        fallback: '`true`; with `DATABASE_DIRECT_URL` `false`',
      },
      REGISTRY_CACHE_MIB: 'memory for ready answers of the public registry; `0`: none',
      DATA_DIR: 'the embedded database and its generated secrets',
    },
  },
  {
    title: 'Secrets',
    intro: 'How to keep and change them: [database-and-secrets.md](operating/database-and-secrets.md#secrets).',
    variables: {
      SECRETS_KEY: {
        meaning: '32 bytes in base64: `openssl rand -base64 32`',
        fallback: 'generated in `DATA_DIR`; required with `DATABASE_URL`',
      },
      SECRETS_KEYS_ACCEPTED: 'up to three further keys, while `SECRETS_KEY` changes',
    },
  },
  {
    title: 'Accounts and tokens',
    intro: 'More about each: [signing-in.md](signing-in.md).',
    variables: {
      SETUP_TOKEN: '32 to 128 letters and digits for `/setup`, instead of a printed link',
      PLATFORM_ADMINS: 'verified addresses (with `@`) and `sub`s, comma-separated',
      ORGANISATION_CREATION: 'who may create organisations; platform administrators then vouch for every one of them',
      PASSWORD_SIGN_IN: '`false`: people sign in at the company only',
      SSO_ISSUER: 'people sign in at this OpenID provider ([how](signing-in.md#company-sign-in))',
      SSO_CLIENT_ID: { meaning: 'credentials of Toolyard there', fallback: 'required with `SSO_ISSUER`' },
      SSO_CLIENT_SECRET: { meaning: 'the same', fallback: 'required with `SSO_ISSUER`' },
      SSO_NAME: { meaning: 'the name on the button', fallback: 'the host of the issuer' },
      SSO_TRUST_EMAIL: 'whether every `email` of the provider counts as verified',
      SSO_SIGN_UP: {
        meaning: 'who gets an account at the first sign-in',
        fallback: '`provisioned` once SCIM is used, else `anybody`',
      },
      SSO_DOMAINS: { meaning: 'the domains of verified addresses that can sign in', fallback: 'all' },
      SSO_PROVIDERS_FILE: 'a JSON file with up to ten providers, instead of the other `SSO_*`',
      OIDC_ISSUER: { meaning: 'the issuer whose access tokens are accepted', fallback: 'its own issuer' },
      OIDC_AUDIENCE: "must be in the token's `aud`, unless `PUBLIC_URL` is",
      OIDC_JWKS_URI: { meaning: 'the keys of the issuer', fallback: "from the issuer's discovery document" },
      OIDC_INTROSPECTION_URL: { meaning: 'its introspection endpoint', fallback: 'the same' },
      OIDC_CLIENT_ID: 'credentials of Toolyard for introspection, and for signing in there',
      OIDC_CLIENT_SECRET: 'the same',
      OIDC_TRUST_EMAIL: 'whether every `email` of the issuer counts as verified',
      SCOPES: '`required`: a token of `OIDC_ISSUER` without any scope opens nothing',
      OAUTH_REGISTRATION: {
        meaning: 'who may register as an OAuth client: all, those with the token, or none',
        fallback: '`open` on loopback, else `off`',
      },
      OAUTH_REGISTRATION_TOKEN: 'the initial access token for `OAUTH_REGISTRATION=token`',
      OAUTH_CLIENT_DOMAINS: { meaning: 'domains that may have client metadata documents', fallback: 'all' },
    },
  },
  {
    title: 'Mail',
    intro: 'Without `SMTP_URL` no mail is sent ([operating](operating/README.md#mail)).',
    variables: {
      SMTP_URL: 'a mail server, `smtps://user:password@host` or `smtp://…`',
      MAIL_FROM: {
        meaning: 'the sender of mail: `Toolyard <toolyard@example.com>`',
        fallback: 'required with `SMTP_URL`',
      },
    },
  },
  {
    title: 'The catalogue',
    variables: {
      SAMPLE_CATALOGUE: {
        meaning: 'fills an empty catalogue; `false` removes what is left of the samples',
        fallback: '`true` with the embedded database, else not set',
      },
      PUBLIC_LISTINGS: 'who may publish for everyone: holders of [namespaces](catalogue.md#namespaces), or all',
      IMPORT_FROM: 'a v0.1 registry to import listings from periodically',
      IMPORT_INTERVAL_MINUTES: 'minutes between two of these imports',
      IMPORT_CATEGORY_MAP: 'a JSON file that maps each server to a category',
    },
  },
  {
    title: 'Endpoints of bundles',
    variables: {
      MCP_ALLOWED_ORIGINS: 'origins of web pages and extensions that may use MCP endpoints, comma-separated',
      CREDENTIALS_OVER_LOOPBACK_HTTP: {
        meaning: 'allows credentials of MCP servers to be sent by `http` to this machine',
        fallback: '`false`; with `npm start` `true`',
      },
      PACKAGE_BRIDGE_IMAGE_NPM:
        'the image, by digest, in which exports run npm packages ([how](bundles.md#servers-in-containers))',
      PACKAGE_BRIDGE_IMAGE_PYPI: 'the same for PyPI packages',
    },
  },
  {
    title: 'Webhooks',
    variables: {
      WEBHOOKS_ALLOW_HTTP: {
        meaning: 'allows `http` for webhook targets and imports',
        fallback: '`false`; with `npm start` `true`',
      },
      WEBHOOKS_ALLOWED_NETWORKS: {
        meaning: 'CIDR blocks open to webhooks, imports and MCP servers besides public addresses',
        fallback: 'none; with `npm start` this machine',
      },
      WEBHOOKS_DEADLINE_SECONDS: 'limit of one attempt, from the DNS query to the last byte',
      WEBHOOKS_LEASE_SECONDS: 'after which the deliveries of a dead process are reclaimed',
      WEBHOOKS_IN_FLIGHT: 'attempts in flight in this process',
      WEBHOOKS_IN_FLIGHT_PER_ENDPOINT: 'attempts in flight to one endpoint, over all processes',
      WEBHOOKS_RETENTION_DAYS: 'how long events, deliveries and attempts are kept',
      WEBHOOKS_TRACEPARENT: 'sends the `traceparent` of each attempt to the receiver, if there are traces',
    },
  },
  {
    title: 'Retention, in days',
    variables: {
      RUN_RETENTION_DAYS: 'runs of syncs and imports',
      AUDIT_RETENTION_DAYS: 'audit entries',
      PROVISIONING_LOG_RETENTION_DAYS: 'the provisioning log',
      CALLS_RETENTION_DAYS: 'the record of calls of MCP endpoints',
    },
  },
  {
    title: 'Caps',
    intro: 'Of one person, organisation or bundle. Beyond a cap the answer is `409`.',
    variables: {
      LIMIT_ENDPOINTS_PER_PERSON: 'personal webhook endpoints',
      LIMIT_ENDPOINTS_PER_ORGANISATION: 'webhook endpoints',
      LIMIT_ORGANISATIONS_PER_PERSON: 'organisations created by one person',
      LIMIT_BUNDLES_PER_PERSON: 'bundles',
      LIMIT_BUNDLES_PER_ORGANISATION: 'bundles',
      LIMIT_VERSIONS_PER_BUNDLE: 'versions',
      LIMIT_DEPLOYMENTS_PER_BUNDLE: 'deployments',
      LIMIT_EDITORS_PER_BUNDLE: 'editors',
      LIMIT_DRAFTS_PER_OWNER: 'draft listings',
      LIMIT_LISTINGS_PER_OWNER: 'listings in any state',
      LIMIT_VERSIONS_PER_LISTING: 'versions that people add; imports are not limited',
      LIMIT_NAMESPACES_PER_HOLDER: 'namespaces, unproved ones included',
      LIMIT_TOKENS_PER_PERSON: 'usable personal access tokens',
      LIMIT_TOKENS_PER_BUNDLE: 'usable access tokens',
      LIMIT_SCIM_TOKENS_PER_ORGANISATION: 'usable SCIM tokens',
      LIMIT_ROLE_MAPPINGS_PER_ORGANISATION: 'role mappings',
      LIMIT_PENDING_INVITATIONS: 'pending invitations of one organisation',
      LIMIT_SERVER_REQUESTS_PER_MEMBER: 'open server requests of one member',
      LIMIT_SERVER_REQUESTS_PER_ORGANISATION: 'open server requests',
      LIMIT_ACCOUNT_INVITATIONS: 'pending invitations to have an account, of the whole instance',
      LIMIT_DOMAINS_PER_ORGANISATION: 'domains',
    },
  },
  {
    title: 'Rates',
    intro: 'Beyond a rate the answer is `429` ([which to choose](operating/failures-and-limits.md#requests)).',
    variables: {
      LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE:
        'requests of an account, a directory or the tokens of a bundle; `0`: not limited',
      LIMIT_PRINCIPAL_REQUESTS_BURST: 'of these at once, after a pause',
      LIMIT_ADDRESS_REQUESTS_PER_MINUTE: 'requests of a network that are not signed in; `0`: not limited',
      LIMIT_ADDRESS_REQUESTS_BURST: 'of these at once',
      LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: 'wrong credentials of a network; `0`: not limited',
      LIMIT_FAILED_AUTHENTICATIONS_BURST: 'of these at once',
      LIMIT_INVITATIONS_PER_DAY: 'invitations of one organisation in 24 hours',
      LIMIT_SERVER_REQUESTS_PER_DAY: 'server requests of one member in 24 hours',
      LIMIT_SYNCS_PER_MINUTE: 'role syncs of one organisation',
      LIMIT_PREVIEWS_PER_MINUTE: 'previews of role syncs of one organisation',
      LIMIT_PINGS_PER_MINUTE: 'pings to one webhook endpoint',
    },
  },
];
