import { Injectable } from '@nestjs/common';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Clock } from '../../config/clock';
import type { Authorization } from './authorization-servers';
import { isScope } from '../protocol/challenge';
import { ConnectFailure, type ConnectFailureKind, shownCode } from './connect-failure';
import { OAuthFetch, type OAuthFetcher, oauthLibrary } from './oauth-fetch';
import type { RequestUse } from './request-budgets';
import { authenticate, type TokenEndpoint } from './token-endpoint';

/** For everything that one request for tokens takes; milliseconds. */
const TOKEN_MS = 15_000;
/** As a header can have it (RFC 6750, section 2.1), and a credential. */
const ACCESS_TOKEN = /^[\x21-\x7e]{1,8192}$/;
const REFRESH_TOKEN = /^[\x20-\x7e]{1,8192}$/;
/** Longer than that nothing is believed. */
const MAX_LIFETIME_S = 366 * 86_400;

/** The tokens that an authorization server has issued. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Undefined: it does not say. */
  readonly expiresAt: Date | undefined;
  /** Undefined: those that were asked for. */
  readonly scope: string | undefined;
}

/** The redirect of a person to an authorization server. */
export interface AuthorizationRedirect {
  readonly url: string;
  /** The verifier belongs to PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

/** The authorization code with which a person comes back, and what proves that they began here. */
export interface AuthorizationCodeGrant {
  readonly personId: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** This service as a client of authorization servers, by the functions of the official SDK. */
@Injectable()
export class OAuthClient {
  constructor(
    private readonly fetch: OAuthFetch,
    private readonly clock: Clock,
  ) {}

  /** @throws ConnectFailure */
  async startAuthorization(
    authorization: Authorization,
    client: { clientId: string; redirectUri: string },
    asked: { state: string; scope: string | undefined },
  ): Promise<AuthorizationRedirect> {
    const { authorizationUrl, codeVerifier } = await oauthLibrary().startAuthorization(authorization.issuer, {
      metadata: { ...metadataOf(authorization), authorization_endpoint: authorization.authorizationEndpoint },
      clientInformation: { client_id: client.clientId },
      redirectUrl: client.redirectUri,
      state: asked.state,
      resource: authorization.resource,
      ...(asked.scope === undefined ? {} : { scope: asked.scope }),
    });
    return { url: authorizationUrl.href, codeVerifier };
  }

  /** @throws ConnectFailure */
  exchange(
    place: TokenEndpoint,
    { personId, code, codeVerifier, redirectUri }: AuthorizationCodeGrant,
  ): Promise<IssuedTokens> {
    return this.request(place, { of: 'connection', personId }, undefined, (fetchFn) =>
      oauthLibrary().exchangeAuthorization(place.issuer, {
        ...requestOf(place),
        authorizationCode: code,
        codeVerifier,
        redirectUri,
        fetchFn,
      }),
    );
  }

  /** @throws ConnectFailure */
  refresh(place: TokenEndpoint, refreshToken: string, signal?: AbortSignal): Promise<IssuedTokens> {
    return this.request(place, { of: 'tokens' }, signal, (fetchFn) =>
      oauthLibrary().refreshAuthorization(place.issuer, { ...requestOf(place), refreshToken, fetchFn }),
    );
  }

  /** Tokens of the client itself (RFC 6749, section 4.4). @throws ConnectFailure */
  own(place: TokenEndpoint, scope: string | undefined, signal?: AbortSignal): Promise<IssuedTokens> {
    const clientInformation = { client_id: place.clientId };
    return this.request(place, { of: 'tokens' }, signal, (fetchFn) =>
      oauthLibrary().fetchToken(
        {
          redirectUrl: undefined,
          clientMetadata: { redirect_uris: [] },
          clientInformation: () => ({ ...clientInformation, issuer: place.issuer }),
          addClientAuthentication: requestOf(place).addClientAuthentication,
          prepareTokenRequest: () =>
            new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
          tokens: () => undefined,
          saveTokens: () => undefined,
          redirectToAuthorization: () => undefined,
          saveCodeVerifier: () => undefined,
          codeVerifier: () => '',
        },
        place.issuer,
        {
          metadata: metadataOf(place),
          fetchFn,
          ...(place.resource === undefined ? {} : { resource: new URL(place.resource) }),
        },
      ),
    );
  }

  /** Gives a token back (RFC 7009). Whether that worked changes nothing here. @throws ConnectFailure */
  async revoke(place: TokenEndpoint, token: string, hint: 'access_token' | 'refresh_token'): Promise<void> {
    if (place.revocationEndpoint === undefined) return;
    const [headers, body] = [new Headers(), new URLSearchParams({ token, token_type_hint: hint })];
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
    authenticate(place, headers, body);
    const fetch = this.fetch.within(AbortSignal.timeout(TOKEN_MS), { of: 'tokens' });
    const { status } = await fetch(place.revocationEndpoint, { method: 'POST', headers, body });
    if (status >= 300) throw new ConnectFailure('refused', `it answered with status ${status}`);
  }

  private async request(
    { tokenEndpoint }: TokenEndpoint,
    use: RequestUse,
    signal: AbortSignal | undefined,
    work: (fetchFn: OAuthFetcher) => Promise<LibraryTokens>,
  ): Promise<IssuedTokens> {
    const late = AbortSignal.timeout(TOKEN_MS);
    const fetchFn = this.fetch.within(signal ? AbortSignal.any([signal, late]) : late, use);
    try {
      return this.checked(await work(fetchFn));
    } catch (error) {
      throw failureOf(error, new URL(tokenEndpoint).host);
    }
  }

  private checked({ access_token, token_type, expires_in, refresh_token, scope }: LibraryTokens): IssuedTokens {
    if (token_type.toLowerCase() !== 'bearer')
      throw new ConnectFailure('unsupported', 'the tokens are not bearer tokens');
    if (!ACCESS_TOKEN.test(access_token)) throw new ConnectFailure('unsupported', 'the access token cannot be sent');
    const isLifetime = expires_in !== undefined && Number.isFinite(expires_in) && expires_in >= 0;
    const lifetime = isLifetime ? Math.min(expires_in, MAX_LIFETIME_S) : undefined;
    return {
      accessToken: access_token,
      refreshToken: refresh_token !== undefined && REFRESH_TOKEN.test(refresh_token) ? refresh_token : undefined,
      expiresAt: lifetime === undefined ? undefined : new Date(this.clock.now().getTime() + lifetime * 1_000),
      scope: scope !== undefined && isScope(scope) ? scope : undefined,
    };
  }
}

interface LibraryTokens {
  access_token: string;
  token_type: string;
  expires_in?: number | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
}

/** What the library needs of the metadata, which were checked before and are not read again. */
function metadataOf({
  issuer,
  tokenEndpoint,
}: Pick<TokenEndpoint, 'issuer' | 'tokenEndpoint'>): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: tokenEndpoint,
    token_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

function requestOf(place: TokenEndpoint) {
  return {
    metadata: metadataOf(place),
    clientInformation: { client_id: place.clientId },
    // The library's own does not encode the parts of Basic.
    addClientAuthentication: (headers: Headers, form: URLSearchParams) => authenticate(place, headers, form),
    ...(place.resource === undefined ? {} : { resource: place.resource }),
  };
}

/** RFC 6749, sections 4.1.2.1 and 5.2. What is not here is `refused`. */
const KINDS: ReadonlyMap<string, ConnectFailureKind> = new Map([
  ['access_denied', 'denied'],
  ['invalid_grant', 'expired'],
  ['invalid_client', 'unknown-client'],
  ['server_error', 'unreachable'],
  ['temporarily_unavailable', 'unreachable'],
]);

/** @returns the failure for an error code of an authorization server */
export function failureOfCode(code: string): ConnectFailure {
  const shown = shownCode(code);
  return new ConnectFailure(KINDS.get(code) ?? 'refused', `it answered ${shown}`, shown);
}

function failureOf(error: unknown, host: string): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  // Whatever it answered that is no error of OAuth, the library calls a server error, and quotes it.
  if (error instanceof oauthLibrary().OAuthError) return failureOfCode(error.code);
  return new ConnectFailure('unsupported', `${host} gave no usable answer`);
}
