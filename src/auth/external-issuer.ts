import { Logger } from '@nestjs/common';
import { calculateJwkThumbprint, createLocalJWKSet, CryptoKey, errors, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import { Clock } from '../config/clock';
import type { ExternalIssuer as Settings } from '../config/environment';
import { ErrorCode, UnavailableError } from '../errors/errors';
import { confirmsToken, type IntrospectionAnswer } from './introspection';
import { Issuer, TokenIdentity } from './issuer';

/** Loaded keys are fetched again at most this often, whether that succeeds or not (contract, section 3). */
const REFETCH_MS = 30_000;
/** Keys are fetched again after this long, so that a withdrawn one does not stay valid permanently. */
const FRESH_MS = 600_000;
/** For everything that one request asks the issuer, in total. */
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_S = 5;
/** Until the first keys are loaded, they are requested again this long after a failure. */
const FIRST_KEYS_PAUSE_MS = 1_000;

interface Discovery {
  jwks_uri?: string;
  introspection_endpoint?: string;
}

type Keys = ReturnType<typeof createLocalJWKSet>;

/**
 * An OpenID Connect provider or OAuth 2.0 authorization server, identified by its discovery document and its JWKS. It
 * does not have to be up when the service starts; once its keys are loaded, tokens verify while it is down.
 */
export class ExternalIssuer extends Issuer {
  override readonly trustsEmail: boolean;
  override readonly requiresScopes: boolean;
  override readonly clientId: string | undefined;

  private readonly logger = new Logger(ExternalIssuer.name);
  private keys?: Keys;
  /** Thumbprints of the keys that the issuer published last. */
  private thumbprints: ReadonlySet<string> = new Set();
  private fetchedAt = -Infinity;
  private failedAt = -Infinity;
  private pending?: Promise<Keys>;
  private document?: Discovery;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly audiences: readonly string[],
  ) {
    super();
    this.trustsEmail = settings.trustsEmail;
    this.requiresScopes = settings.requiresScopes;
    this.clientId = settings.clientId;
  }

  get issuer(): string {
    return this.settings.issuer;
  }

  knowsKey(thumbprint: string): boolean {
    return this.thumbprints.has(thumbprint);
  }

  /** While the issuer is down, until the next attempt. */
  keysGoodUntil(): Date {
    return new Date(Math.max(this.fetchedAt + FRESH_MS, this.failedAt + REFETCH_MS));
  }

  async key(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (!this.keys) return (await this.fetchKeys())(header);
    if (this.age() > FRESH_MS) await this.fetchKeys().catch(() => undefined); // the cached keys still work
    try {
      return await this.keys(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.age() < REFETCH_MS) throw error;
      return (await this.fetchKeys())(header);
    }
  }

  async isActive(token: string, identity: TokenIdentity): Promise<boolean> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const endpoint = this.settings.introspectionUrl ?? (await this.discover(signal)).introspection_endpoint;
    if (endpoint === undefined) {
      throw unavailable(
        'The authorization server has no introspection endpoint, so verify_locally=false cannot be honoured.',
      );
    }
    const headers: Record<string, string> = { Accept: 'application/json' };
    const { clientId, clientSecret = '' } = this.settings;
    if (clientId !== undefined) {
      // RFC 6749, section 2.3.1: both parts are form-encoded before they are joined.
      const credentials = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
      headers.Authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    }
    const answer = (await this.ask(endpoint, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      signal,
    })) as IntrospectionAnswer;
    if (typeof answer.active !== 'boolean')
      throw unavailable('The authorization server did not answer the introspection request.');
    return confirmsToken(answer, { ...identity, audiences: this.audiences, now: this.clock.now() });
  }

  /** How long ago the keys were fetched, in milliseconds. */
  private age(): number {
    return this.clock.now().getTime() - this.fetchedAt;
  }

  /** One fetch at a time; after a failure a pause, since an issuer that is down must not delay each request. */
  private fetchKeys(): Promise<Keys> {
    const pause = this.keys ? REFETCH_MS : FIRST_KEYS_PAUSE_MS;
    const wait = this.failedAt + pause - this.clock.now().getTime();
    if (wait > 0) return Promise.reject(unanswered(undefined, Math.ceil(wait / 1_000)));
    this.pending ??= this.load().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async load(): Promise<Keys> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const uri = this.settings.jwksUri ?? (await this.discover(signal)).jwks_uri;
      if (uri === undefined) throw unavailable('The discovery document of the authorization server names no jwks_uri.');
      const published = (await this.ask(uri, { signal })) as JSONWebKeySet;
      const keys = createLocalJWKSet(published);
      this.thumbprints = await thumbprintsOf(published);
      this.keys = keys;
      this.fetchedAt = this.clock.now().getTime();
      return keys;
    } catch (error) {
      this.failedAt = this.clock.now().getTime();
      this.document = undefined;
      if (error instanceof UnavailableError) throw error;
      throw unavailable('The authorization server published keys that cannot be read.', error);
    }
  }

  /** OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3, for a server that is not an OpenID provider. */
  private async discover(signal: AbortSignal): Promise<Discovery> {
    if (this.document) return this.document;
    const { origin, pathname } = new URL(this.settings.issuer);
    const path = pathname.replace(/\/$/, '');
    const candidates = [
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
    ];
    let failure: unknown;
    for (const url of candidates) {
      try {
        const document = (await this.ask(url, { signal })) as Discovery & { issuer?: unknown };
        if (document.issuer !== this.settings.issuer) {
          this.logger.error(`${url} describes a different issuer than OIDC_ISSUER; the two must be identical.`);
          throw unavailable('The discovery document of the authorization server describes a different issuer.');
        }
        this.document = document;
        return document;
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  private async ask(url: string, init: RequestInit): Promise<object> {
    try {
      const response = await fetch(url, { ...init, redirect: 'error' });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`status ${response.status}`);
      }
      const body: unknown = await response.json();
      if (typeof body !== 'object' || body === null) throw new Error('not a JSON object');
      return body;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw unanswered(new Error(`${url}: ${String(cause)}`));
    }
  }
}

/** Keys that cannot be read are of kinds that no access token is verified with. */
async function thumbprintsOf({ keys }: JSONWebKeySet): Promise<ReadonlySet<string>> {
  const results = await Promise.allSettled(keys.map((key) => calculateJwkThumbprint(key)));
  return new Set(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
}

function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

function unanswered(cause: unknown, retryAfter?: number): UnavailableError {
  return unavailable('The authorization server did not answer. Try again shortly.', cause, retryAfter);
}

function unavailable(detail: string, cause?: unknown, retryAfter = RETRY_AFTER_S): UnavailableError {
  return new UnavailableError(ErrorCode.AuthorizationServerUnavailable, detail, retryAfter, { cause });
}
