import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { SsoProvider } from '../../config/sso-providers';
import { inTransaction } from '../../database/transaction';
import { AuthenticationError } from '../../errors/errors';
import type { Session } from '../../auth/sessions/session';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Accounts, type Profile } from '../../users/accounts.service';
import { holdAccount } from '../../users/open-account';
import { SecurityNotices } from '../notices/security-notices';
import type { ProviderPerson } from './provider-claims';
import type { RelyingParty } from './relying-party';
import { SignUpRules } from './sign-up-rules';
import { SsoFailure } from './sso-failure';
import { type FlowPurpose, SsoFlows } from './sso-flows';

/** Linking an identity is as good as a password, so the person has just proved who they are. */
const RECENT_MS = 300_000;

/** Signs people in at an OpenID provider, and links their identities there to accounts. */
@Injectable()
export class SsoSignIn {
  private readonly publicUrl: string;
  private readonly isOwnIssuer: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly flows: SsoFlows,
    private readonly rules: SignUpRules,
    private readonly notices: SecurityNotices,
    private readonly clock: Clock,
    { publicUrl, externalIssuer }: Environment,
  ) {
    this.publicUrl = publicUrl;
    this.isOwnIssuer = externalIssuer === undefined;
  }

  /**
   * @returns where to send the browser
   * @throws SsoFailure if the provider does not answer
   */
  begin(party: RelyingParty, request: Request, response: Response, purpose: FlowPurpose): Promise<URL> {
    return party.authorizationUrl(this.flows.begin(request, response, purpose));
  }

  /**
   * The session to which an identity may be linked.
   *
   * @throws SsoFailure unless the person is signed in, since at most five minutes
   */
  async linkingSession(request: Request): Promise<Session> {
    const session = await this.sessions.current(request);
    if (!session) throw new SsoFailure('signed-out');
    if (this.clock.now().getTime() - session.signedInAt.getTime() > RECENT_MS) throw new SsoFailure('too-long-ago');
    return session;
  }

  /**
   * Completes what `begin` began: starts a session, or links the identity to the account of the one that asked for it.
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
    const person = await party.identify(query, flow);
    this.rules.requireDomain(party.provider, person);
    if (flow.linkSessionId === undefined) await this.signIn(party.provider, person, request, response, address);
    else await this.link(flow.linkSessionId, person, request);
    return flow.returnTo;
  }

  private async signIn(
    provider: SsoProvider,
    person: ProviderPerson,
    request: Request,
    response: Response,
    address: string,
  ): Promise<void> {
    const { issuer, subject, sid, address: claimed } = person;
    const before = response.getHeader('Set-Cookie');
    try {
      await inTransaction(this.dataSource, async (manager) => {
        const userId = await this.accountOf(manager, provider, person);
        if (!(await holdAccount(manager, userId))) throw new SsoFailure('closed');
        if (this.isOwnIssuer) await this.accounts.ensureIdentity(manager, this.publicUrl, userId);
        await this.sessions.start(manager, request, response, {
          userId,
          methods: ['sso'],
          address,
          identity: { issuer, subject, sid, email: claimed.claimed ?? null, emailState: claimed.state },
        });
      });
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

  /** The person may have signed out, or in as somebody else, since they asked. */
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

function toProfile({ issuer, subject, name, address, saidAt }: ProviderPerson): Profile {
  return { issuer, subject, name, email: address.verified, saidAt };
}

/** Accounts that are closed, or were deleted after the provider's claims, are rejected as for access tokens. */
function toFailure(error: unknown): unknown {
  return error instanceof AuthenticationError ? new SsoFailure('closed', error.message) : error;
}
