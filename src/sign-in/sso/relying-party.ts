import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, customFetch as joseFetch, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import type { Clock } from '../../config/clock';
import { isLoopback, type SsoProvider } from '../../config/sso-providers';
import { completed, needsUserInfo, personOf, type ProviderPerson } from './provider-claims';
import { providerFetch } from './provider-fetch';
import { SsoFailure, type SsoFailureKind } from './sso-failure';

const TIMEOUT_S = 8;
/** How long a discovery document counts; keys are looked up again sooner. */
const FRESH_MS = 3_600_000;
/** A provider that is down must not delay each sign-in. */
const PAUSE_MS = 5_000;
const SCOPE = 'openid profile email';

/** What protects one sign-in: only this server and the browser in which it began know them. */
export interface Proofs {
  state: string;
  nonce: string;
  codeVerifier: string;
}

interface Discovered {
  config: client.Configuration;
  keys: JWTVerifyGetKey;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * This server as a client of one OpenID provider: authorization code flow with PKCE (OpenID Connect Core 1.0,
 * section 3.1; RFC 9700). The provider is discovered at its first use, and again every hour.
 */
export class RelyingParty {
  private readonly logger = new Logger(RelyingParty.name);
  private discovered?: Discovered;
  private pending?: Promise<Discovered>;
  private failedAt = -Infinity;

  /** @param redirectUri registered at the provider; each provider has its own (RFC 9700, section 4.4) */
  constructor(
    readonly provider: SsoProvider,
    private readonly redirectUri: string,
    private readonly clock: Clock,
  ) {}

  /** Whether the last attempt to discover the provider failed, so that it would be no use to send a person there. */
  get isDown(): boolean {
    return this.discovered === undefined && this.failedAt > -Infinity;
  }

  /**
   * @param asksAgain whether the person must prove who they are, though the provider knows them (OpenID Connect Core 1.0,
   *   section 3.1.2.1): by `prompt`, and by `max_age`, with which the ID token has to say when they did
   * @throws SsoFailure if the provider cannot be discovered
   */
  async authorizationUrl({ state, nonce, codeVerifier }: Proofs, asksAgain = false): Promise<URL> {
    const { config } = await this.discover();
    return client.buildAuthorizationUrl(config, {
      redirect_uri: this.redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(asksAgain ? { prompt: 'login', max_age: '0' } : {}),
    });
  }

  /**
   * Exchanges the code of an answer for who signed in. Checks `state`, `iss` (RFC 9207), and the ID token's signature,
   * issuer, audience, nonce and times.
   *
   * @param query of the callback, as the browser sent it, without the question mark
   * @throws SsoFailure
   */
  async identify(query: string, { state, nonce, codeVerifier }: Proofs): Promise<ProviderPerson> {
    const { config } = await this.discover();
    try {
      const tokens = await client.authorizationCodeGrant(config, new URL(`${this.redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as JWTPayload | undefined;
      if (!claims) throw new SsoFailure('invalid', 'there is no ID token');
      const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
      if (!hasUserInfo || !needsUserInfo(claims)) return personOf(claims, this.provider.trustsEmail);
      const userInfo = await client.fetchUserInfo(config, tokens.access_token, String(claims.sub));
      return personOf(completed(claims, userInfo), this.provider.trustsEmail);
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /**
   * @returns the keys of the provider, for its logout tokens
   * @throws SsoFailure if the provider cannot be discovered
   */
  async keys(): Promise<JWTVerifyGetKey> {
    return (await this.discover()).keys;
  }

  /** @returns the failure for a request to the provider that got no usable answer, after it is logged */
  unreachable(error: unknown): SsoFailure {
    return this.failureOf(error, 'unreachable');
  }

  /** One discovery at a time; the former document still works while the provider is down. */
  async discover(): Promise<Discovered> {
    const now = this.clock.now().getTime();
    if (this.discovered && now - this.discovered.at < FRESH_MS) return this.discovered;
    if (now - this.failedAt < PAUSE_MS) {
      if (this.discovered) return this.discovered;
      throw new SsoFailure('unreachable', 'it did not answer a moment ago');
    }
    this.pending ??= this.load().finally(() => (this.pending = undefined));
    try {
      return await this.pending;
    } catch (error) {
      if (this.discovered) return this.discovered;
      throw error;
    }
  }

  private async load(): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.provider;
    const url = new URL(issuer);
    try {
      const insecure = url.protocol === 'http:' && isLoopback(url.hostname);
      const config = await client.discovery(url, clientId, {}, authentication(clientSecret), {
        timeout: TIMEOUT_S,
        [client.customFetch]: providerFetch,
        execute: [client.enableNonRepudiationChecks, ...(insecure ? [client.allowInsecureRequests] : [])],
      });
      const { issuer: described, jwks_uri } = config.serverMetadata();
      if (described !== issuer) throw new Error('its discovery document has another issuer; the two must be identical');
      if (jwks_uri === undefined) throw new Error('its discovery document names no jwks_uri');
      const keys = createRemoteJWKSet(new URL(jwks_uri), {
        timeoutDuration: TIMEOUT_S * 1_000,
        [joseFetch]: providerFetch,
      });
      this.failedAt = -Infinity;
      this.discovered = { config, keys, at: this.clock.now().getTime() };
      return this.discovered;
    } catch (error) {
      this.failedAt = this.clock.now().getTime();
      throw this.failureOf(error, 'unreachable');
    }
  }

  /** The operator reads why in the log; the person is told in words. Causes are left out: they contain tokens. */
  private failureOf(error: unknown, fallback?: SsoFailureKind): SsoFailure {
    const failure = error instanceof SsoFailure ? error : toFailure(error, fallback);
    this.logger.warn(`Signing in by ${this.provider.id} failed (${failure.kind}): ${failure.message}`);
    return failure;
  }
}

/** By the method that the provider says it supports: `client_secret_basic` unless it names others only. */
function authentication(secret: string | undefined): client.ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const supportsBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
    return (supportsBasic ? basic : post)(server, ...rest);
  };
}

function toFailure(error: unknown, fallback?: SsoFailureKind): SsoFailure {
  if (error instanceof client.AuthorizationResponseError) {
    const code = shortened(error.error);
    return new SsoFailure(error.error === 'access_denied' ? 'cancelled' : 'refused', `it answered ${code}`, code);
  }
  if (error instanceof client.ResponseBodyError) {
    const code = shortened(error.error);
    return new SsoFailure(error.error === 'invalid_grant' ? 'expired' : 'refused', `it answered ${code}`, code);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = `${error instanceof Error ? error.message : 'unknown error'} ${code}`.trim();
  if (fallback) return new SsoFailure(fallback, message);
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new SsoFailure('clock', message);
  const isAnswer = code.startsWith('OAUTH_') && !['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(code);
  // A status that is no answer of the protocol: the provider, or a proxy before it, is in trouble.
  const isNoAnswer = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'].includes(code);
  return new SsoFailure(isAnswer && !isNoAnswer ? 'invalid' : 'unreachable', message);
}

/** Error codes are short ASCII (RFC 6749, section 4.1.2.1); this one comes from outside. */
function shortened(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, 60);
}
