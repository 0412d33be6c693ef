import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import type { Adapter, Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { OFFLINE_ACCESS, SCOPES } from '../scopes';
import { IDENTITY_SCOPES } from './client-rules';
import { DOCS_CLIENT_ID } from './client-store';
import type { Consents } from './consents';
import { protocolErrors } from './library';
import type { OutboundFetch } from './outbound-fetch';
import { interactionRules } from './policy';
import type { ProtocolPages } from './protocol-pages';
import type { People } from './people';
import type { Resources } from '../resources';

const MINUTE_S = 60;
const DAY_S = 86_400;

export const ACCESS_TOKEN_S = 10 * MINUTE_S;
const REFRESH_TOKEN_IDLE_S = 14 * DAY_S;
const REFRESH_TOKEN_LIFE_S = 30 * DAY_S;
/** Until its first refresh token, which extends it: longer than a code and an access token together. */
const GRANT_S = 15 * MINUTE_S;
/** As long as a session of the console, with which it ends in any case. */
const SESSION_S = 7 * DAY_S;
/** A session lasts so long in a browser without a signed-in person: only the forms for signing out need it. */
const ANONYMOUS_SESSION_S = 10 * MINUTE_S;

/** Where the page that asks for consent is. */
export const CONSENT_PATH = '/sign-in/consent';

/** The scopes of a request that names none. */
export const DEFAULT_SCOPES = Object.keys(SCOPES).filter((scope) => scope.endsWith(':read'));

const ALL_SCOPES = [...Object.keys(SCOPES), ...IDENTITY_SCOPES];

const ASYMMETRIC = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'] as const;

/** What the settings are made from. */
export interface SettingsParts {
  environment: Environment;
  adapter: (model: string) => Adapter;
  /** Private keys; the first one signs. */
  keys: JWK[];
  /** Sign the library's cookies. */
  cookieKeys: string[];
  resources: Resources;
  consents: Consents;
  people: People;
  pages: ProtocolPages;
  outbound: OutboundFetch;
  /** Whether a client may learn about tokens of others. */
  mayIntrospect: (client: Client) => Promise<boolean>;
}

/** @returns the settings of the protocol library */
export function providerSettings(parts: SettingsParts): Configuration {
  const { environment, resources, consents, people, pages } = parts;
  const { publicUrl } = environment;
  return {
    adapter: parts.adapter,
    jwks: { keys: parts.keys },
    clients: [docsClient(publicUrl)],
    clientDefaults: { id_token_signed_response_alg: 'ES256', grant_types: ['authorization_code', 'refresh_token'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: {
      clientAuthSigningAlgValues: [...ASYMMETRIC],
      idTokenSigningAlgValues: ['ES256'],
      userinfoSigningAlgValues: ['ES256'],
    },
    responseTypes: ['code'],
    scopes: [...ALL_SCOPES, OFFLINE_ACCESS],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    routes: {
      authorization: '/oauth2/authorize',
      pushed_authorization_request: '/oauth2/par',
      token: '/oauth2/token',
      revocation: '/oauth2/revoke',
      introspection: '/oauth2/introspect',
      registration: '/oauth2/register',
      jwks: '/oauth2/jwks',
      userinfo: '/oauth2/userinfo',
      end_session: '/oauth2/logout',
      device_authorization: '/oauth2/device_authorization',
      code_verification: '/device',
    },
    cookies: {
      keys: parts.cookieKeys,
      names: {
        session: 'toolyard-oauth',
        interaction: 'toolyard-oauth-interaction',
        resume: 'toolyard-oauth-resume',
      },
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin && origin !== 'null') ?? false,
    discovery: { service_documentation: `${publicUrl}/docs` },
    findAccount: (_ctx, id) => people.find(id),
    loadExistingGrant: (ctx) => consents.grantFor(ctx),
    interactions: {
      policy: interactionRules((ctx) => consents.asksAlways(ctx)),
      url: (_ctx, { uid }) => `${publicUrl}${CONSENT_PATH}/${uid}`,
    },
    renderError: (ctx, out, error) => pages.error(ctx, out, error),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Without `offline_access` it ends with the session in which it was issued.
    expiresWithSession: (_ctx, source) => !source.scopes.has(OFFLINE_ACCESS),
    rotateRefreshToken: ({ oidc }) =>
      oidc.client?.clientAuthMethod === 'none' || (oidc.entities.RefreshToken?.ttlPercentagePassed() ?? 100) >= 70,
    extraTokenClaims: (_ctx, token) => ('grantId' in token && token.grantId ? { gid: token.grantId } : undefined),
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: MINUTE_S,
      ClientCredentials: ACCESS_TOKEN_S,
      DeviceCode: 10 * MINUTE_S,
      Grant: GRANT_S,
      IdToken: ACCESS_TOKEN_S,
      Interaction: 30 * MINUTE_S,
      RefreshToken: (_ctx, token) => {
        const began = (token as { iiat?: number }).iiat ?? now();
        return Math.max(Math.min(REFRESH_TOKEN_IDLE_S, began + REFRESH_TOKEN_LIFE_S - now()), 1);
      },
      Session: (_ctx, session) => (session.accountId === undefined ? ANONYMOUS_SESSION_S : SESSION_S),
    },
    fetch: parts.outbound.fetch,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_ctx, clientId) => isAllowedHost(environment, clientId),
        allowClient: (_ctx, client) => isAllowedHost(environment, client.clientId),
      },
      deviceFlow: {
        enabled: true,
        deviceInfo: () => ({}),
        userCodeInputSource: (ctx, form, _out, error) => pages.userCode(ctx, form, error),
        userCodeConfirmSource: (ctx, form, client, _device, code) => pages.confirmUserCode(ctx, form, client, code),
        successSource: (ctx) => pages.deviceDone(ctx),
      },
      introspection: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) =>
          token.clientId === client.clientId || (await parts.mayIntrospect(client)),
      },
      pushedAuthorizationRequests: { enabled: true },
      registration: registration(environment),
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => (oneOf === undefined ? publicUrl : oneOf),
        // For every access token: there is none without an audience.
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (!resources.has(resource)) throw new (protocolErrors().InvalidTarget)();
          return {
            audience: resource,
            scope: [...resources.scopesOf(resource), ...IDENTITY_SCOPES].join(' '),
            accessTokenTTL: ACCESS_TOKEN_S,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
      revocation: {
        enabled: true,
        // RFC 7009, section 2.1.
        allowedPolicy: (_ctx, client, token) => {
          if (token.clientId === client.clientId) return true;
          if (client.clientAuthMethod === 'none') return false;
          throw new (protocolErrors().InvalidRequest)('client is not authorized to revoke the presented token');
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => pages.signOut(ctx, form),
        postLogoutSuccessSource: (ctx) => pages.signedOut(ctx),
      },
      userinfo: { enabled: true },
    },
  };
}

function registration({ oauthRegistration, oauthRegistrationToken }: Environment) {
  return {
    enabled: oauthRegistration !== 'off',
    initialAccessToken: oauthRegistration === 'token' ? (oauthRegistrationToken ?? false) : false,
    idFactory: () => newId(),
    secretFactory: () => randomBytes(32).toString('base64url'),
    issueRegistrationAccessToken: false,
  };
}

/** The page at `/docs`, so that people can try the API out with their own account. */
function docsClient(publicUrl: string) {
  return {
    client_id: DOCS_CLIENT_ID,
    client_name: 'API documentation of this server',
    application_type: publicUrl.startsWith('https:') ? ('web' as const) : ('native' as const),
    redirect_uris: [`${publicUrl}/docs/oauth2-redirect.html`],
    grant_types: ['authorization_code'],
    response_types: ['code' as const],
    token_endpoint_auth_method: 'none' as const,
  };
}

function isAllowedHost({ oauthClientDomains: domains }: Environment, clientId: string): boolean {
  const host = URL.parse(clientId)?.hostname;
  if (host === undefined) return false;
  return domains.length === 0 || domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Why the library rendered an error instead of redirecting. */
export type RenderedError = Parameters<NonNullable<Configuration['renderError']>>[2];

/** What the library passes to what renders pages. */
export type ProtocolContext = KoaContextWithOIDC;
