import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { SsoProvider } from '../../config/sso-providers';
import { maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { AuthenticationError } from '../../errors/errors';
import { Metrics } from '../../metrics/metrics';
import { isRecentlyProved, type Session } from '../../auth/sessions/session';
import { Sessions } from '../../auth/sessions/sessions.service';
import { AccountLog } from '../../users/account-log/account-log';
import { Accounts, type Profile } from '../../users/accounts.service';
import { HAS_IDENTITY } from '../../users/identities.sql';
import { holdAccount } from '../../users/open-account';
import { SecurityNotices } from '../notices/security-notices';
import { type SignInCounter, signInCounter } from '../protection/sign-in-counter';
import type { ProviderPerson } from './provider-claims';
import type { RelyingParty } from './relying-party';
import { SignUpRules } from './sign-up-rules';
import { SsoFailure } from './sso-failure';
import { type FlowPurpose, type ResumedFlow, SsoFlows } from './sso-flows';

/** How far the clock of a provider may be behind. */
const LEEWAY_MS = 60_000;

/** Signs people in at an OpenID provider, and links their identities there to accounts. */
@Injectable()
export class SsoSignIn {
  private readonly publicUrl: string;
  private readonly isOwnIssuer: boolean;
  private readonly counted: SignInCounter<'company'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly flows: SsoFlows,
    private readonly rules: SignUpRules,
    private readonly notices: SecurityNotices,
    private readonly clock: Clock,
    private readonly accountLog: AccountLog,
    { publicUrl, externalIssuer }: Environment,
    metrics: Metrics,
  ) {
    this.counted = signInCounter(metrics, 'company');
    this.publicUrl = publicUrl;
    this.isOwnIssuer = externalIssuer === undefined;
  }

  /**
   * @returns where to send the browser
   * @throws SsoFailure if the provider does not answer
   */
  begin(party: RelyingParty, request: Request, response: Response, purpose: FlowPurpose): Promise<URL> {
    const proofs = this.flows.begin(request, response, purpose);
    return party.authorizationUrl(proofs, purpose.confirmSessionId !== undefined);
  }

  /**
   * The session to which an identity may be linked, which is as good as a password.
   *
   * @throws SsoFailure unless the person is signed in, and proved who they are in the last five minutes
   */
  async linkingSession(request: Request): Promise<Session> {
    const session = await this.sessionOf(request);
    if (!isRecentlyProved(session, this.clock.now())) throw new SsoFailure('too-long-ago');
    return session;
  }

  /** @throws SsoFailure unless the person is signed in */
  async sessionOf(request: Request): Promise<Session> {
    const session = await this.sessions.current(request);
    if (!session) throw new SsoFailure('signed-out');
    return session;
  }

  /**
   * Completes what `begin` began: starts a session, or links the identity to the account of the one that asked for it, or
   * notes that its person proved who they are.
   *
   * @param address of the client, in canonical form
   * @returns the path to which the person wanted to go
   * @throws SsoFailure; nothing has changed then
   */
  async complete(party: RelyingParty, request: Request, response: Response, address: string): Promise<string> {
    // As sent: the request's own query has declared parameters only, and repeated ones must be seen.
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
    const [state, ...others] = new URLSearchParams(query).getAll('state');
    const flow = others.length > 0 ? undefined : this.flows.resume(request, party.provider.id, state);
    if (!flow) throw new SsoFailure('lost');
    if (flow.confirmSessionId === undefined && flow.linkSessionId === undefined) {
      const signIn = async () => {
        const person = await party.identify(query, flow);
        await this.signIn(party.provider, person, request, response, address).catch(async (error: unknown) => {
          if (error instanceof SsoFailure) await this.noteFailure(party.provider, error, address);
          throw error;
        });
      };
      await this.counted('company', signIn, isRejection);
      return flow.returnTo;
    }
    const person = await party.identify(query, flow);
    this.rules.requireDomain(party.provider, person);
    if (flow.confirmSessionId !== undefined) await this.confirm(flow, person, request, response);
    else if (flow.linkSessionId !== undefined) await this.link(flow.linkSessionId, person, request);
    return flow.returnTo;
  }

  /** Records that a person known to the provider may not sign in here; about others, nothing is known. */
  private async noteFailure({ issuer }: SsoProvider, { kind }: SsoFailure, address: string): Promise<void> {
    const details = { method: 'provider', issuer, failure: kind } as const;
    await this.accountLog.recordFailure(this.dataSource, { address, details });
  }

  private async signIn(
    provider: SsoProvider,
    person: ProviderPerson,
    request: Request,
    response: Response,
    address: string,
  ): Promise<void> {
    const { issuer, subject, sid, address: claimed } = person;
    this.rules.requireDomain(provider, person);
    await this.changingSession(response, async (manager) => {
      const userId = await this.accountOf(manager, provider, person);
      if (!(await holdAccount(manager, userId))) throw new SsoFailure('closed');
      if (this.isOwnIssuer) await this.accounts.ensureIdentity(manager, this.publicUrl, userId);
      await this.sessions.start(manager, request, response, {
        userId,
        methods: ['sso'],
        provedAt: this.provedAt(person),
        address,
        identity: { issuer, subject, sid, email: claimed.claimed ?? null, emailState: claimed.state },
      });
    });
  }

  /**
   * Notes that the person of the session proved again who they are.
   *
   * @throws SsoFailure if the provider did not ask them, or they are someone else there
   */
  private async confirm(
    { confirmSessionId: id, startedAt }: ResumedFlow,
    person: ProviderPerson,
    request: Request,
    response: Response,
  ): Promise<void> {
    const session = await this.sessions.current(request);
    if (!session || session.id !== id) throw new SsoFailure('signed-out');
    if (person.provedAt === undefined) throw new SsoFailure('unproved', 'its ID token has no auth_time');
    if (person.provedAt * 1_000 < startedAt - LEEWAY_MS) throw new SsoFailure('not-again', 'auth_time is too old');
    await this.changingSession(response, async (manager) => {
      if (!(await holdAccount(manager, session.userId))) throw new SsoFailure('closed');
      const isTheirs = await maybe(manager, HAS_IDENTITY, [session.userId, person.issuer, person.subject]);
      if (!isTheirs) throw new SsoFailure('somebody-else');
      if (!(await this.sessions.isOpen(manager, session.id))) throw new SsoFailure('signed-out');
      await this.sessions.confirm(manager, request, response, { id: session.id, methods: ['sso'] });
    });
  }

  /** A clock that is ahead does not make it later than now. */
  private provedAt({ provedAt }: ProviderPerson): Date | null {
    return provedAt === undefined ? null : new Date(Math.min(provedAt * 1_000, this.clock.now().getTime()));
  }

  private async changingSession(response: Response, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    const before = response.getHeader('Set-Cookie');
    try {
      await inTransaction(this.dataSource, work);
    } catch (error) {
      // The session was rolled back, so its cookie must not arrive.
      response.removeHeader('Set-Cookie');
      if (before !== undefined) response.setHeader('Set-Cookie', before);
      throw error;
    }
  }

  private async accountOf(manager: EntityManager, provider: SsoProvider, person: ProviderPerson): Promise<string> {
    // At the issuer of access tokens, an account is opened as by the first of them.
    const admission = this.isOwnIssuer ? this.rules.admission(provider, person) : undefined;
    try {
      return (await this.accounts.admit(manager, toProfile(person), admission)).id;
    } catch (error) {
      throw toFailure(error);
    }
  }

  /** The person may have signed out, or in as someone else, since they asked. */
  private async link(sessionId: string, person: ProviderPerson, request: Request): Promise<void> {
    const session = await this.sessions.current(request);
    if (session?.id !== sessionId) throw new SsoFailure('signed-out');
    await inTransaction(this.dataSource, async (manager) => {
      if (!(await holdAccount(manager, session.userId))) throw new SsoFailure('closed');
      const outcome = await this.accounts.link(manager, session.userId, toProfile(person)).catch((error: unknown) => {
        throw toFailure(error);
      });
      if (outcome !== 'linked') throw new SsoFailure(outcome === 'elsewhere' ? 'linked-elsewhere' : 'too-many');
      await this.notices.post(manager, session.userId, 'identity-linked');
    });
  }
}

/** A provider that cannot be used says nothing about the person. */
function isRejection(error: unknown): boolean {
  return error instanceof SsoFailure && error.kind !== 'unreachable';
}

function toProfile({ issuer, subject, name, address, saidAt }: ProviderPerson): Profile {
  return { issuer, subject, name, email: address.verified, saidAt };
}

/** Accounts that are closed, or were deleted after the provider's claims, are rejected as for access tokens. */
function toFailure(error: unknown): unknown {
  return error instanceof AuthenticationError ? new SsoFailure('closed', error.message) : error;
}
