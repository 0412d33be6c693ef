import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ACCESS_TOKEN, CLIENT_SECRET, REFRESH_TOKEN } from '../credentials/credential-kinds';
import { CredentialStore, type DecryptedCredential } from '../credentials/credential-store';
import { SingleFlights } from '../upstreams/single-flights';
import { AuthorizationServers } from './authorization-servers';
import { ClientRegistrations } from './client-registrations';
import { ConnectFailure } from './connect-failure';
import { OAuthClient, type IssuedTokens } from './oauth-client';
import { TokenEndpoints } from './token-endpoints';
import { type TokenEndpoint, tokenAuthOf } from './token-endpoint';

/** How long others wait for the one that asks, which has 15 s. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 50;
const MAX_LOOK_MS = 1_000;
/** New tokens that cannot be stored are lost, since the former ones may be good for nothing then. */
const WRITES = 3;

/**
 * $1 id. Whoever claims it renews it; a process that was killed keeps it for half a minute. No lock, which would keep a
 * connection to the database for as long as an authorization server takes to answer.
 */
const CLAIM = `
  UPDATE credentials SET renewing_until = now() + interval '30 seconds'
  WHERE id = $1 AND (renewing_until IS NULL OR renewing_until < now())`;

/** $1 id. */
const RELEASE = `UPDATE credentials SET renewing_until = NULL WHERE id = $1`;

/** $1 id, $2 issuer, $3 token endpoint, $4 revocation endpoint, $5 how it authenticates, $6 resource, $7 version: a client is bound to who takes it first. */
const BIND = `
  UPDATE credentials
  SET issuer = $2, token_endpoint = $3, revocation_endpoint = $4, token_auth = $5, resource = $6
  WHERE id = $1 AND version = $7 AND (issuer IS NULL OR issuer = $2)`;

/**
 * Failures after which the same tokens will not be renewed later, either. Other errors of OAuth may be of this request, or of
 * the server for a while.
 */
const FINAL: readonly ConnectFailure['kind'][] = ['expired', 'unknown-client', 'denied'];
const FINAL_CODE = 'unauthorized_client';

/** Which tokens are to be renewed. */
export interface RenewalRequest {
  readonly credentialId: string;
  /** The access token that is not good any more, or not for long; undefined: there is none yet. */
  readonly usedToken: string | undefined;
  /** Whether the server has refused it. */
  readonly isRefused: boolean;
  /** Where the server is: it says where a client gets its first tokens. */
  readonly serverUrl: string;
  readonly signal: AbortSignal;
}

/** What became of it. */
export type Renewal =
  | { readonly kind: 'renewed'; readonly accessToken: string; readonly expiresAt: Date | null }
  /** It has to be connected again, or is gone. */
  | { readonly kind: 'reconnect' }
  /** It may work later; the tokens are those of before. */
  | { readonly kind: 'failed'; readonly failure: ConnectFailure };

/**
 * Renews the tokens of credentials: a credential once at a time in all processes, since many authorization servers take it
 * for theft if a refresh token is used twice. Who comes later gets what the first one got.
 */
@Injectable()
export class OAuthTokens {
  private readonly logger = new Logger(OAuthTokens.name);
  private readonly flights = new SingleFlights<Renewal>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly client: OAuthClient,
    private readonly servers: AuthorizationServers,
    private readonly endpoints: TokenEndpoints,
    private readonly registrations: ClientRegistrations,
  ) {}

  /** @throws the reason of the signal; what the database throws */
  async renew(wish: RenewalRequest): Promise<Renewal> {
    const { credentialId, usedToken = '', isRefused, signal } = wish;
    const name = `${credentialId} ${isRefused} ${hash('sha256', usedToken)}`;
    return this.flights.join(name, signal, () => this.obtain(wish));
  }

  private async obtain(wish: RenewalRequest): Promise<Renewal> {
    const until = performance.now() + PATIENCE_MS;
    for (let lookMs = LOOK_MS; ; lookMs = Math.min(lookMs * 1.5, MAX_LOOK_MS)) {
      const known = await this.look(wish);
      if (known.kind !== 'opened') return known;
      if ((await execute(this.dataSource, CLAIM, [wish.credentialId])) === 1) return this.obtainClaimed(wish);
      if (performance.now() > until)
        return {
          kind: 'failed',
          failure: new ConnectFailure('unreachable', 'another process did not get tokens in time'),
        };
      await sleep(lookMs);
    }
  }

  private async obtainClaimed(wish: RenewalRequest): Promise<Renewal> {
    try {
      // Another process may just have finished.
      const known = await this.look(wish);
      return known.kind === 'opened' ? await this.ask(known.opened, wish) : known;
    } finally {
      await execute(this.dataSource, RELEASE, [wish.credentialId]).catch(() => undefined);
    }
  }

  private async look({
    credentialId,
    usedToken,
  }: RenewalRequest): Promise<Renewal | { kind: 'opened'; opened: DecryptedCredential }> {
    const opened = await this.store.open(this.dataSource, credentialId);
    if (!opened || opened.hasLeft || opened.credential.status === 'RECONNECT') return { kind: 'reconnect' };
    const accessToken = opened.values.get(ACCESS_TOKEN);
    const isOther = accessToken !== undefined && accessToken !== usedToken;
    return isOther
      ? { kind: 'renewed', accessToken, expiresAt: opened.credential.expires_at }
      : { kind: 'opened', opened };
  }

  private async ask(opened: DecryptedCredential, wish: RenewalRequest): Promise<Renewal> {
    const { id, version, kind } = opened.credential;
    try {
      const tokens = kind === 'OAUTH_CLIENT' ? await this.askAsClient(opened, wish) : await this.askForPerson(opened);
      return await this.keep(opened, tokens);
    } catch (error) {
      if (!(error instanceof ConnectFailure)) throw error;
      // A token that no one can renew is good until it expires, or is refused.
      const isKnown = FINAL.includes(error.kind) || error.code === FINAL_CODE;
      const isFinal = isKnown && (error.code !== undefined || wish.isRefused);
      this.logger.warn(`The tokens of credential ${id} were not renewed (${error.kind}): ${error.message}`);
      if (!isFinal) return { kind: 'failed', failure: error };
      const { issuer, client_id } = opened.credential;
      if (error.kind === 'unknown-client' && issuer !== null && client_id !== null)
        await this.registrations.forget(issuer, client_id, id);
      await inTransaction(this.dataSource, (manager) => this.store.markReconnect(manager, id, version));
      return { kind: 'reconnect' };
    }
  }

  private async askForPerson(opened: DecryptedCredential): Promise<IssuedTokens> {
    const refreshToken = opened.values.get(REFRESH_TOKEN);
    if (refreshToken === undefined) throw new ConnectFailure('expired', 'there is no refresh token');
    const place = await this.endpoints.of(opened);
    if (!place) throw new ConnectFailure('expired', 'nothing is known of its issuer');
    return this.client.refresh(place, refreshToken);
  }

  private async askAsClient(opened: DecryptedCredential, { serverUrl }: RenewalRequest): Promise<IssuedTokens> {
    const place = (await this.endpoints.of(opened)) ?? (await this.bind(opened, serverUrl));
    return this.client.own(place, opened.credential.scopes?.join(' '));
  }

  /** The first use of a client: from now on it is good at this issuer only. */
  private async bind({ credential, values }: DecryptedCredential, serverUrl: string): Promise<TokenEndpoint> {
    const { id, version, client_id } = credential;
    const found = await this.servers.discover(serverUrl, {});
    if (!found || client_id === null)
      throw new ConnectFailure('unsupported', 'the server does not say where tokens are');
    const { issuer, tokenEndpoint, revocationEndpoint, resource, authMethods } = found;
    const clientSecret = values.get(CLIENT_SECRET);
    const tokenAuth = tokenAuthOf(clientSecret !== undefined, credential.token_auth, authMethods);
    const bound = [id, issuer, tokenEndpoint, revocationEndpoint ?? null, tokenAuth, resource, version];
    if ((await execute(this.dataSource, BIND, bound)) === 0)
      throw new ConnectFailure('mismatch', 'the client belongs to another issuer, or was changed meanwhile');
    return { issuer, tokenEndpoint, revocationEndpoint, resource, clientId: client_id, clientSecret, tokenAuth };
  }

  private async keep({ credential: { id, version } }: DecryptedCredential, tokens: IssuedTokens): Promise<Renewal> {
    const { accessToken, refreshToken, expiresAt, scope } = tokens;
    const values = new Map([[ACCESS_TOKEN, accessToken]]);
    if (refreshToken !== undefined) values.set(REFRESH_TOKEN, refreshToken);
    const renewed = {
      values,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(scope === undefined ? {} : { scopes: scope.split(' ') }),
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const isKept = await inTransaction(this.dataSource, (manager) =>
          this.store.renew(manager, id, version, renewed),
        );
        if (isKept) return { kind: 'renewed', accessToken, expiresAt: expiresAt ?? null };
        // Not given back: some servers would end those that were given meanwhile with them.
        this.logger.warn(`New tokens of credential ${id} are not used: it was given again, or deleted, meanwhile.`);
        return { kind: 'failed', failure: new ConnectFailure('mismatch', 'the credential was given again meanwhile') };
      } catch (error) {
        if (attempt === WRITES) throw error;
        await sleep(MAX_LOOK_MS);
      }
    }
  }
}
