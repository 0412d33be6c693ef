import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { inTransaction } from '../../database/transaction';
import { WebPages } from '../../pages/web-pages';
import { requireOpenAccount } from '../../users/open-account';
import { ACCESS_TOKEN, CLIENT_SECRET, REFRESH_TOKEN } from '../credentials/credential-kinds';
import { CredentialStore } from '../credentials/credential-store';
import { ClientRegistrations } from './client-registrations';
import { ConnectFailure } from './connect-failure';
import { ConnectFlows, type FlowDetails } from './connect-flows';
import { ConnectLinks } from './connect-links';
import { callerOf } from './connect-page.service';
import { connectedPage, failurePage, strayPage } from './connect-pages';
import { type ConnectTarget, ConnectTargets } from './connect-targets';
import { failureOfCode, OAuthClient, type IssuedTokens } from './oauth-client';
import { RegisteredClients } from './registered-clients';

const RETRY_AFTER_S = 30;
const MAX_LENGTH = 4_096;

/** The answer of an authorization server (RFC 6749, section 4.1.2; RFC 9207). */
interface AuthorizationAnswer {
  readonly state: string | undefined;
  readonly code: string | undefined;
  /** Null: it was sent, but is none that could be right. */
  readonly iss: string | null | undefined;
  readonly error: string | undefined;
}

/** Receives people who come back from authorization servers. */
@Injectable()
export class ConnectFinish {
  private readonly logger = new Logger(ConnectFinish.name);
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly pages: WebPages,
    private readonly flows: ConnectFlows,
    private readonly links: ConnectLinks,
    private readonly targets: ConnectTargets,
    private readonly client: OAuthClient,
    private readonly registered: RegisteredClients,
    private readonly registrations: ClientRegistrations,
    private readonly store: CredentialStore,
    { publicUrl }: Environment,
  ) {
    this.publicUrl = publicUrl;
  }

  async finish(request: Request, response: Response): Promise<void> {
    const session = await this.sessions.current(request, response);
    const answer = answerIn(new URL(request.originalUrl, this.publicUrl).searchParams);
    const holder = session && { personId: session.userId, sessionId: session.id };
    const flow = holder && (await this.flows.take(answer.state, holder));
    // The answer of one authorization server at the address of another one is a mix-up (RFC 9700, section 4.4).
    if (!session || flow?.redirectUri !== this.publicUrl + request.path) return this.pages.send(response, strayPage());
    const { host } = new URL(flow.origin);
    const back = this.links.accountsPath(flow.wish);
    if (!isOfIssuer(flow, answer)) {
      this.logger.warn(`An answer about entry ${flow.wish.entryId} came from another issuer than it should.`);
      return this.pages.send(response, strayPage());
    }
    try {
      await this.connect(callerOf(session), flow, answer);
      this.pages.send(response, connectedPage(host, flow.wish.owner === 'BUNDLE', back));
    } catch (error) {
      if (!(error instanceof ConnectFailure)) throw error;
      this.logger.warn(`Entry ${flow.wish.entryId} was not connected (${error.kind}): ${error.message}`);
      if (error.isTransient) response.set('Retry-After', String(RETRY_AFTER_S));
      const retry = new URL(this.links.seal(flow.wish)).pathname;
      this.pages.send(response, failurePage(host, error, retry, back));
    }
  }

  private async connect(caller: Caller, flow: FlowDetails, { code, error }: AuthorizationAnswer): Promise<void> {
    if (error !== undefined) throw failureOfCode(error);
    if (code === undefined || code === '') throw new ConnectFailure('refused', 'it gave no code');
    // What they may do, and where the entry points, may have changed while they were away.
    const target = await this.find(caller, flow);
    const { place } = flow;
    const tokens = await this.exchange(flow, target, code);
    await inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      // The authorization server may have taken its time.
      await this.find(caller, flow, manager);
      const { issuer, clientId, tokenEndpoint, revocationEndpoint, tokenAuth, resource } = place;
      const scope = tokens.scope ?? flow.scope;
      if (flow.clientCredentialId !== undefined) await this.registered.bind(manager, flow.clientCredentialId, issuer);
      const values = valuesOf(tokens, await this.keptSecret(manager, flow));
      const given = {
        kind: 'OAUTH' as const,
        ...{ origin: flow.origin, issuer, clientId, tokenEndpoint, tokenAuth, values },
        ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
        ...(resource === undefined ? {} : { resource }),
        ...(scope === undefined ? {} : { scopes: scope.split(' ') }),
        ...(tokens.expiresAt === undefined ? {} : { expiresAt: tokens.expiresAt }),
      };
      await this.store.put(manager, target.place, given, caller.userId);
    });
  }

  /** @throws ConnectFailure, besides what `ConnectTargets` throws */
  private async find(caller: Caller, { wish, origin }: FlowDetails, manager?: EntityManager): Promise<ConnectTarget> {
    const target = await this.targets.find(caller, wish, manager);
    if (target.upstream.origin !== origin)
      throw new ConnectFailure('mismatch', 'the entry points to another origin now');
    return target;
  }

  /**
   * Shared tokens take the place of the client of the bundle with which they were got. One of the organisation stays where it is,
   * and its secret is never given to a bundle.
   */
  private async keptSecret(manager: EntityManager, flow: FlowDetails): Promise<string | undefined> {
    const { wish, clientCredentialId, place } = flow;
    if (wish.owner !== 'BUNDLE' || clientCredentialId === undefined) return undefined;
    const client = await this.store.find(manager, clientCredentialId);
    return client?.owner === 'BUNDLE' ? place.clientSecret : undefined;
  }

  private async exchange(flow: FlowDetails, target: ConnectTarget, code: string): Promise<IssuedTokens> {
    const { wish, place, codeVerifier, redirectUri } = flow;
    const arrival = { personId: wish.personId, code, codeVerifier, redirectUri };
    try {
      return await this.client.exchange(place, arrival);
    } catch (error) {
      if (error instanceof ConnectFailure && error.kind === 'unknown-client') {
        const former = await inTransaction(this.dataSource, (manager) => this.store.lockInPlace(manager, target.place));
        await this.registrations.forget(place.issuer, place.clientId, former?.id);
      }
      throw error;
    }
  }
}

function valuesOf({ accessToken, refreshToken }: IssuedTokens, clientSecret: string | undefined): Map<string, string> {
  const values = new Map([[ACCESS_TOKEN, accessToken]]);
  if (refreshToken !== undefined) values.set(REFRESH_TOKEN, refreshToken);
  if (clientSecret !== undefined) values.set(CLIENT_SECRET, clientSecret);
  return values;
}

/**
 * Whether the answer is of the issuer that was noted before (RFC 9207, section 2.4; MCP 2026-07-28, "Authorization Response
 * Validation"): compared as it is, also in answers that report an error, of which nothing is believed before.
 */
function isOfIssuer({ place, namesIssuer }: FlowDetails, { iss }: AuthorizationAnswer): boolean {
  return iss === undefined ? !namesIssuer : iss === place.issuer;
}

/** A parameter that was sent twice does not count (RFC 6749, section 3.1). */
function answerIn(query: URLSearchParams): AuthorizationAnswer {
  const single = (name: string) => {
    const [value, ...others] = query.getAll(name);
    return others.length === 0 && (value?.length ?? 0) <= MAX_LENGTH ? value : undefined;
  };
  return {
    state: single('state'),
    code: single('code'),
    iss: query.has('iss') ? (single('iss') ?? null) : undefined,
    error: single('error'),
  };
}
