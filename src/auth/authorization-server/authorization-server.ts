import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { errors as joseErrors, type JWK, jwtVerify } from 'jose';
import type { Adapter, AdapterPayload, Client, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment';
import { Secrets } from '../../config/secrets';
import { maybe } from '../../database/statements';
import { isUnavailable } from '../../database/database-errors';
import { setRetryAfter } from '../../http/answers/rate-limit-fields';
import { ClientAddresses } from '../../http/requests/client-addresses';
import { type Counter, Metrics } from '../../metrics/metrics';
import { TargetAddresses } from '../../outbound/target-addresses';
import { html } from '../../pages/html';
import { WebPages } from '../../pages/web-pages';
import { AccountLog } from '../../users/account-log/account-log';
import { Accounts } from '../../users/accounts.service';
import { EndedTokens } from '../ended-tokens';
import { Issuer } from '../issuer';
import { Sessions } from '../sessions/sessions.service';
import { TokenVerifier } from '../token-verifier';
import { SigningKeys } from '../signing-keys/signing-keys.service';
import { Allowance } from './allowance';
import { ArtifactAdapter, type ArtifactContext } from './artifact-adapter';
import { type ArtifactRow, FIND_BY_SESSION } from './artifacts.sql';
import { ArtifactCipher } from './artifact-cipher';
import { ClientStore, REGISTRATION_PERIOD_S, REGISTRATION_POLICY } from './client-store';
import { Consents } from './consents';
import { DevicePolls, slowDown } from './device-polls';
import { jwtTokens } from './jwt-tokens';
import { library, protocolErrors } from './library';
import { OutboundFetch } from './outbound-fetch';
import { People } from './people';
import { protocolGate, STORAGE_PERIOD_S } from './protocol-gate';
import { ProtocolPages } from './protocol-pages';
import { providerSettings } from './provider-settings';
import { requestContext } from './request-context';
import { Resources } from '../resources';
import { isDeletionScope } from '../scopes';
import { issuedTokens } from '../secret-tokens/issued-tokens';
import { TokenStatus } from './token-status';
import { answerUserInfo } from './user-info';

const RETRY_AFTER_S = 5;

/**
 * Pushed requests, device codes, and forms for codes and for signing out that one network may have stored in ten minutes;
 * also how many user codes it can try (RFC 8628, section 5.1).
 */
const STORED_PER_NETWORK = 600;

/** What a page says before the library has seen the request, by its status. */
const TITLES: Partial<Record<number, string>> = { 429: 'Too many requests', 503: 'Not available right now' };
const SENTENCES: Partial<Record<number, string>> = {
  429: 'Your network has sent too many requests. Try again in a few minutes.',
  503: 'This server cannot be used at the moment. Try again in a few seconds.',
};

/** Endpoints whose answers have a secret, as the library names them. */
const WITH_SECRETS = new Set(['token', 'registration', 'device_authorization', 'pushed_authorization_request']);

/** Runs a page of the library that has a script: the form of `response_mode=form_post`. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The authorization server (OAuth 2.1, OpenID Connect): the protocol is `oidc-provider`'s, everything about people is
 * ours. Only where no foreign issuer is configured. The library takes its keys when it is constructed, so it is
 * constructed again when they change.
 */
@Injectable()
export class AuthorizationServer implements OnModuleInit {
  readonly consents: Consents;
  readonly clients: ClientStore;
  readonly people: People;
  private readonly logger = new Logger(AuthorizationServer.name);
  private readonly cipher: ArtifactCipher;
  private readonly artifactContext: ArtifactContext;
  private readonly adapters = new Map<string, Adapter>();
  private readonly protocolPages: ProtocolPages;
  private readonly outbound: OutboundFetch;
  private readonly cookieKeys: string[];
  /** Private, as the library takes them; the first signs. */
  private signingKeys: JWK[] = [];
  private readonly devicePolls = new DevicePolls();
  private current?: Provider;
  private readonly issued: Counter<{ kind: readonly ('access' | 'client' | 'refresh')[] }>;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly status: TokenStatus,
    private readonly issuer: Issuer,
    private readonly verifier: TokenVerifier,
    private readonly pages: WebPages,
    private readonly keys: SigningKeys,
    private readonly clientAddresses: ClientAddresses,
    ended: EndedTokens,
    private readonly accounts: Accounts,
    accountLog: AccountLog,
    secrets: Secrets,
    addresses: TargetAddresses,
    metrics: Metrics,
  ) {
    this.issued = issuedTokens(metrics, 'access', 'client', 'refresh');
    this.cipher = new ArtifactCipher(secrets);
    this.artifactContext = { currentSession: consoleSession, onGrantEnded: (digest) => ended.byGrant(digest) };
    this.clients = new ClientStore(dataSource, this.cipher, accountLog);
    this.consents = new Consents(new ArtifactAdapter('Consent', dataSource, this.cipher), this.clients);
    this.people = new People(dataSource, accounts, environment.publicUrl);
    this.protocolPages = new ProtocolPages(pages, environment.publicUrl, this.clients);
    this.outbound = new OutboundFetch(addresses);
    // The first signs, all verify.
    this.cookieKeys = secrets.derive('oauth cookies').all.map((key) => key.toString('base64url'));
  }

  onModuleInit(): void {
    if (!this.isHere) return;
    this.keys.onChange(() => {
      const keys = this.keys.keystore();
      this.signingKeys = keys.map(({ kid, privateJwk }) => ({ ...privateJwk, kid, alg: 'ES256', use: 'sig' }));
      this.current = undefined;
    });
  }

  /** Whether this service issues access tokens. */
  get isHere(): boolean {
    return this.environment.externalIssuer === undefined;
  }

  /**
   * The library, with the keys of now. The first call takes a quarter of a second: see `prepare`.
   *
   * @throws Error if a foreign issuer is configured
   */
  get provider(): Provider {
    if (!this.isHere) throw new Error('This service is not an authorization server.');
    return (this.current ??= this.construct());
  }

  /** Loads the library before the first request needs it. */
  prepare(): void {
    if (this.isHere) void this.provider;
  }

  /** The endpoints of the protocol, for `configureApp`. */
  get gate(): RequestHandler {
    if (!this.isHere) return (_request, _response, next) => next();
    return protocolGate(this.environment.publicUrl, {
      storage: new Allowance(STORED_PER_NETWORK, STORAGE_PERIOD_S * 1_000),
      storagePolicy: { name: 'oauth-requests', quota: STORED_PER_NETWORK, seconds: STORAGE_PERIOD_S },
      networkOf: (request) => this.clientAddresses.networkOf(request),
      hasRegistration: this.environment.oauthRegistration !== 'off',
      handle: (request, response) => this.handle(request, response),
      userInfo: (request, response) => answerUserInfo(this.verifier, this.people, request, response),
      session: (request, response) => this.sessions.current(request, response),
      renderError: (response, status, code, description) =>
        this.pages.send(response, {
          status,
          title: TITLES[status] ?? 'You cannot sign in this way',
          body: html`<p>${SENTENCES[status] ?? 'The program that sent you here made a mistake.'}</p>
            <p><code>${code}</code> · ${description}</p>`,
        }),
    });
  }

  /**
   * Notifies the clients that a person uses that they are signing out (OpenID Connect Back-Channel Logout 1.0). To be
   * called before the session of the console ends, and with it the library's. Does not wait for the clients.
   */
  async notifyOfSignOut(sessionId: string): Promise<void> {
    if (!this.isHere) return;
    const row = await maybe<ArtifactRow>(this.dataSource, FIND_BY_SESSION, [sessionId]);
    if (!row) return;
    for (const notice of this.noticesOf(row))
      this.send(notice).catch((error: Error) =>
        this.logger.warn(`${notice.clientId} was not notified of a sign-out: ${error.message}`),
      );
  }

  /** @returns which clients the person of a session of the library used in it */
  noticesOf({ digest, payload, session_id: sessionId }: ArtifactRow): SignOutNotice[] {
    const { accountId, authorizations = {} } = this.cipher.open(digest, payload) as AdapterPayload;
    return Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
      sessionId && accountId && sid ? [{ sessionId, clientId, accountId, sid }] : [],
    );
  }

  /**
   * Notifies a client of a sign-out, if it wants to know.
   *
   * @throws Error unless it accepts the notice within 2.5 s
   */
  async send({ clientId, accountId, sid }: SignOutNotice): Promise<void> {
    const client = (await this.provider.Client.find(clientId)) as NotifiedClient | undefined;
    if (client?.backchannelLogoutUri) await client.backchannelLogout(accountId, sid);
  }

  private construct(): Provider {
    const provider = new (library().Provider)(
      this.environment.publicUrl,
      providerSettings({
        environment: this.environment,
        adapter: (model) => this.adapterOf(model),
        keys: this.signingKeys,
        cookieKeys: this.cookieKeys,
        resources: new Resources(this.environment.publicUrl),
        consents: this.consents,
        people: this.people,
        pages: this.protocolPages,
        outbound: this.outbound,
        mayIntrospect: (client) => this.clients.mayIntrospect(client),
      }),
    );
    // The gate says where this service is and that TLS ends before it; what the client says of that is dropped.
    provider.proxy = true;
    this.replaceSecretComparison(provider);
    this.endConsoleSessionWith(provider);
    this.countTokens(provider);
    provider.on('server_error', (ctx, error) => this.onServerError(ctx, error));
    // Koa's own event, which the types of the library leave out.
    (provider as EventEmitter).on('error', (error: Error) => this.logger.error(error.message, error.stack));
    provider.use(async (ctx: KoaContextWithOIDC, next) => {
      ctx.set('Content-Security-Policy', SCRIPT_POLICY);
      ctx.set('Referrer-Policy', 'no-referrer');
      // As on the page at `/docs`, which has opened the window: a browser separates windows with different policies.
      ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
      await next();
      if (requestContext.getStore()?.isBusy) answerBusy(ctx);
      if (ctx.oidc?.route === 'end_session_confirm' && ctx.status === 303 && ctx.oidc.params?.logout)
        await this.sessions.end(this.dataSource.manager, ctx.req, ctx.res);
      // What has a secret and what the client sent must not be compressed together.
      if (WITH_SECRETS.has(ctx.oidc?.route ?? '')) ctx.set('Cache-Control', 'no-store, no-transform');
      if (ctx.oidc?.route === 'discovery') hideDeletionScopes(ctx.body as { scopes_supported?: string[] });
      if (ctx.status === 429) setRetryAfter(ctx.res, REGISTRATION_POLICY, REGISTRATION_PERIOD_S);
    });
    provider.use(slowDown(this.devicePolls));
    provider.use(
      jwtTokens({ read: reader(this.issuer), status: this.status, clients: this.clients, accounts: this.accounts }),
    );
    return provider;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.provider.callback()(request, response);
  }

  private adapterOf(model: string): Adapter {
    let adapter = this.adapters.get(model);
    if (!adapter) {
      adapter =
        model === 'Client'
          ? new ClientAdapter(this.clients)
          : new ArtifactAdapter(model, this.dataSource, this.cipher, this.artifactContext);
      this.adapters.set(model, adapter);
    }
    return adapter;
  }

  /** Only digests of secrets are stored, and two may be valid. */
  private replaceSecretComparison({ Client }: Provider): void {
    const { clients } = this;
    Object.defineProperty(Client.prototype, 'compareClientSecret', {
      value(this: { clientId: string }, actual: string): Promise<boolean> {
        return clients.hasSecret(this.clientId, actual);
      },
    });
  }

  /**
   * The library ends its session when a person signs out at it, and nowhere else. That of the console ends by one
   * statement with it: a process that is killed in between would leave a person signed in who cannot send the form again.
   */
  private endConsoleSessionWith({ Session }: Provider): void {
    const { sessions, dataSource } = this;
    const prototype = Session.prototype as { destroy: () => Promise<void> };
    const { destroy } = prototype;
    Object.defineProperty(prototype, 'destroy', {
      async value(): Promise<void> {
        const session = requestContext.getStore()?.session;
        if (session) await sessions.endOf(dataSource, session.userId, session.id);
        await destroy.call(this);
      },
    });
  }

  /** The library says `issued` of a token that it does not store. */
  private countTokens(provider: Provider): void {
    const kinds = { access_token: 'access', client_credentials: 'client', refresh_token: 'refresh' } as const;
    for (const [model, kind] of Object.entries(kinds))
      for (const event of ['issued', 'saved'])
        (provider as EventEmitter).on(`${model}.${event}`, () => this.issued.add({ kind }));
  }

  private onServerError(ctx: KoaContextWithOIDC, error: Error): void {
    if (isUnavailable(error)) {
      ctx.status = 503;
      ctx.set('Retry-After', String(RETRY_AFTER_S));
      if (typeof ctx.body === 'object')
        ctx.body = { error: 'temporarily_unavailable', error_description: 'the database cannot be reached' };
      return;
    }
    this.logger.error(error.message, error.stack);
  }
}

/** The library takes a client for unknown whose document could not be fetched. Pages say it themselves (`ProtocolPages`). */
function answerBusy(ctx: KoaContextWithOIDC): void {
  const body: unknown = ctx.body;
  if (typeof body !== 'object' || body === null || !('error' in body) || body.error !== 'invalid_client') return;
  ctx.status = 503;
  ctx.set('Retry-After', String(RETRY_AFTER_S));
  ctx.body = {
    error: 'temporarily_unavailable',
    error_description: 'too many documents of clients are being fetched; try again in a few seconds',
  };
}

/** That a person has signed out, for a client that they used. */
export interface SignOutNotice {
  /** The session of the console has this id. */
  sessionId: string;
  clientId: string;
  accountId: string;
  /** The session, as the client knows it. */
  sid: string;
}

/** A method that the types of the library leave out. */
type NotifiedClient = Client & { backchannelLogout: (accountId: string, sid: string) => Promise<void> };

/** The library also calls the methods of other models; a client has none of these keys. */
class ClientAdapter implements Adapter {
  constructor(private readonly clients: ClientStore) {}

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.clients.find(id);
  }

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    return this.clients.upsert(id, payload);
  }

  destroy(id: string): Promise<void> {
    return this.clients.destroy(id);
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  consume(): Promise<void> {
    return Promise.reject(new (protocolErrors().InvalidRequest)('a client cannot be consumed'));
  }

  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Programs ask for whatever the metadata say is supported. They may leave some out (RFC 8414, section 2): those that must
 * be asked for on purpose.
 */
function hideDeletionScopes(metadata: { scopes_supported?: string[] }): void {
  metadata.scopes_supported = metadata.scopes_supported?.filter((scope) => !isDeletionScope(scope));
}

function consoleSession(): string | undefined {
  return requestContext.getStore()?.session?.id;
}

/** @returns a function that reads access tokens of this service, if their signature and times are good */
function reader(issuer: Issuer) {
  return async (token: string) => {
    try {
      const { payload } = await jwtVerify(token, (header) => issuer.key(header), {
        issuer: issuer.issuer,
        algorithms: ['ES256'],
        typ: 'at+jwt',
        requiredClaims: ['exp', 'jti', 'client_id'],
      });
      return payload;
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) return undefined;
      throw error;
    }
  };
}
