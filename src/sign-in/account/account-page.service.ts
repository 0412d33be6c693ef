import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { GrantsService } from '../../auth/authorization-server/grants/grants.service';
import { PersonalTokens } from '../../auth/personal-tokens/personal-tokens.service';
import type { Session } from '../../auth/sessions/session';
import { Sessions } from '../../auth/sessions/sessions.service';
import { WRITTEN_ID } from '../../database/id';
import { inTransaction } from '../../database/transaction';
import { DomainError, NotFoundError } from '../../errors/errors';
import type { MyInvitationOut } from '../../invitations/my-invitation.dto';
import { MyInvitationsService } from '../../invitations/my-invitations.service';
import { type Cause } from '../../organisations/audit/audit-trail';
import { causeOfMember } from '../../organisations/audit/cause';
import { FormError, Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { WebPages } from '../../pages/web-pages';
import { foreignText } from '../../pages/visible-text';
import { holdAccount } from '../../users/open-account';
import { PASSKEY_SCRIPT } from '../passkeys/passkey-script';
import { Passkeys } from '../passkeys/passkeys.service';
import { Passwords, type VerifiedPassword } from '../passwords/passwords.service';
import { chosenPasswordProblems } from '../people/chosen-password';
import { field, type FieldProblems } from '../people/link-pages';
import { Protection } from '../protection/protection.service';
import { RelyingParties } from '../sso/relying-parties';
import { SignInWays } from '../ways/sign-in-ways';
import { type AccountForm, accountPage, type AccountView } from './account.page';
import { OwnAccount } from './own-account.service';

const ACCOUNT = '/account';
const CONFIRM = '/account/confirm';
const CONFIRM_FORM = 'account-confirm';
const MAX_SHOWN = 100;
const WRONG_PASSWORD = 'This is not your password.';

/** What the page shows besides the account itself. */
type Shown = Pick<AccountView, 'notice' | 'problems'> & { status?: number };

/** The page of one's own account. */
@Injectable()
export class AccountPage {
  constructor(
    private readonly dataSource: DataSource,
    private readonly account: OwnAccount,
    private readonly ways: SignInWays,
    private readonly passwords: Passwords,
    private readonly passkeys: Passkeys,
    private readonly parties: RelyingParties,
    private readonly invitations: MyInvitationsService,
    private readonly grants: GrantsService,
    private readonly personalTokens: PersonalTokens,
    private readonly protection: Protection,
    private readonly sessions: Sessions,
    private readonly forms: Forms,
    private readonly pages: WebPages,
  ) {}

  async show(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (session) await this.send(request, response, session);
  }

  /** Sets or changes the password. */
  async changePassword(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    const fields = await this.read(request, response, 'password');
    if (!this.ways.hasPasswords) throw new FormError('Nobody signs in with a password here.', 403);
    const hasPassword = await this.hasPassword(session);
    if (!hasPassword && !this.account.isRecent(session)) return this.pages.redirect(response, CONFIRM);
    const verified = hasPassword ? await this.verify(request, session, fields.current_password ?? '') : undefined;
    const { email, name } = session;
    const problems: FieldProblems = {
      ...(hasPassword && !verified ? { current_password: WRONG_PASSWORD } : {}),
      ...chosenPasswordProblems(this.passwords, fields, { email: email ?? '', name: name ?? undefined }),
    };
    if (Object.keys(problems).length > 0) return this.send(request, response, session, { problems, status: 422 });
    await this.account.setPassword(session, await this.passwords.hash(fields.password ?? ''), verified);
    await this.send(request, response, session, {
      notice: { text: 'Your password was changed. You were signed out everywhere else.', isProblem: false },
    });
  }

  removePassword(request: Request, response: Response): Promise<void> {
    return this.changeWays(request, response, 'remove-password', (session) => this.account.removePassword(session));
  }

  removeIdentity(request: Request, response: Response): Promise<void> {
    return this.changeWays(request, response, 'remove-identity', (session, { identity_id: id = '' }) =>
      this.account.removeIdentity(session, idFrom(id)),
    );
  }

  removePasskey(request: Request, response: Response): Promise<void> {
    return this.changeWays(request, response, 'remove-passkey', (session, { passkey_id: id = '' }) =>
      this.account.removePasskey(session, idFrom(id)),
    );
  }

  /** Accepts an invitation, or the membership that a directory offers. */
  acceptInvitation(request: Request, response: Response): Promise<void> {
    return this.answer(request, response, 'accept-invitation', (session, cause, id) =>
      this.invitations.accept(session, cause, id),
    );
  }

  declineInvitation(request: Request, response: Response): Promise<void> {
    return this.answer(request, response, 'decline-invitation', (session, cause, id) =>
      this.invitations.decline(session, cause, id),
    );
  }

  /** Ends the access of an application. */
  revokeGrant(request: Request, response: Response): Promise<void> {
    return this.end(request, response, 'revoke-grant', 'applications', (session, { grant_id: id = '' }) =>
      this.grants.revoke(session, idFrom(id)),
    );
  }

  revokeToken(request: Request, response: Response): Promise<void> {
    return this.end(request, response, 'revoke-token', 'tokens', (session, { token_id: id = '' }) =>
      this.personalTokens.revoke(session, idFrom(id)),
    );
  }

  /** Signs out in one browser, which may be this one. */
  async endSession(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    const { session_id: id = '' } = await this.read(request, response, 'end-session');
    const isThisOne = id === session.id;
    if (isThisOne) await this.sessions.end(this.dataSource.manager, request, response);
    else await this.account.endSession(session.userId, idFrom(id));
    this.pages.redirect(response, isThisOne ? '/' : `${ACCOUNT}#sessions`);
  }

  async signOutEverywhere(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    await this.read(request, response, 'sign-out-everywhere');
    await this.account.endEverything(session.userId);
    this.sessions.cookie.clear(response);
    this.pages.redirect(response, '/');
  }

  /** Asks who the person is. */
  async askToConfirm(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (session) await this.sendConfirm(request, response, session);
  }

  /** Notes that the person proved who they are just now. */
  async confirm(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    const { current_password: password = '' } = await this.forms.read(request, response, CONFIRM_FORM);
    const verified = await this.verify(request, session, password);
    const isConfirmed =
      verified !== undefined &&
      (await inTransaction(this.dataSource, async (manager) => {
        const isGood =
          (await holdAccount(manager, session.userId)) &&
          (await this.passwords.isUnchanged(manager, verified)) &&
          (await this.sessions.isOpen(manager, session.id));
        if (isGood) await this.sessions.confirm(manager, request, response, { id: session.id, methods: ['pwd'] });
        return isGood;
      }));
    if (isConfirmed) this.pages.redirect(response, `${ACCOUNT}#ways`);
    else await this.sendConfirm(request, response, session, WRONG_PASSWORD);
  }

  /** @returns the session; otherwise the browser was sent to sign in */
  private async sessionOf(request: Request, response: Response): Promise<Session | undefined> {
    const session = await this.sessions.current(request, response);
    if (!session) this.pages.redirect(response, `/sign-in?return_to=${ACCOUNT}`);
    return session;
  }

  private read(request: Request, response: Response, form: AccountForm): Promise<Record<string, string>> {
    return this.forms.read(request, response, `account-${form}`);
  }

  /** Answers an invitation; what came of it, or why it cannot be answered, is said on the page. */
  private async answer(
    request: Request,
    response: Response,
    form: AccountForm,
    answer: (session: Session, cause: Cause, id: string) => Promise<MyInvitationOut>,
  ): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    const { invitation_id: id = '' } = await this.read(request, response, form);
    const cause = causeOfMember({ userId: session.userId, requestId: request.id });
    try {
      const { name, status } = await answer(session, cause, idFrom(id));
      const text = html`You ${status === 'ACCEPTED' ? 'accepted' : 'declined'} the invitation to “${foreignText(name)}”.`;
      await this.send(request, response, session, { notice: { text, isProblem: false } });
    } catch (error) {
      if (!(error instanceof DomainError && (error.kind === 'conflict' || error.kind === 'notFound'))) throw error;
      const [text, status] =
        error.kind === 'conflict'
          ? [error.message, 409]
          : ['This invitation does not exist any more, or is for another account.', 404];
      await this.send(request, response, session, { notice: { text, isProblem: true }, status });
    }
  }

  /** Ends an access; one that has ended already is as good. */
  private async end(
    request: Request,
    response: Response,
    form: AccountForm,
    part: string,
    end: (session: Session, fields: Record<string, string>) => Promise<void>,
  ): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    const fields = await this.read(request, response, form);
    await end(session, fields).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
    this.pages.redirect(response, `${ACCOUNT}#${part}`);
  }

  /** Changes of ways to sign in: only soon after signing in, and what is refused is said on the page. */
  private async changeWays(
    request: Request,
    response: Response,
    form: AccountForm,
    change: (session: Session, fields: Record<string, string>) => Promise<void>,
  ): Promise<void> {
    const session = await this.sessionOf(request, response);
    if (!session) return;
    const fields = await this.read(request, response, form);
    if (!this.account.isRecent(session)) return this.pages.redirect(response, CONFIRM);
    try {
      await change(session, fields);
    } catch (error) {
      if (!(error instanceof DomainError && error.kind === 'conflict')) throw error;
      return this.send(request, response, session, { notice: { text: error.message, isProblem: true }, status: 409 });
    }
    this.pages.redirect(response, `${ACCOUNT}#ways`);
  }

  /** @throws RateLimitedError after too many wrong ones; UnavailableError if too many people are signing in */
  private async verify(
    request: Request,
    { userId, email }: Session,
    password: string,
  ): Promise<VerifiedPassword | undefined> {
    const attempt = await this.protection.admit(request, email ?? userId, 'confirmation');
    try {
      const verified = await this.passwords.verify(userId, password);
      if (verified) await attempt.succeed();
      return verified;
    } catch (error) {
      await attempt.withdraw();
      throw error;
    }
  }

  private async hasPassword({ userId }: Session): Promise<boolean> {
    return this.passwords.has(this.dataSource.manager, userId);
  }

  private async send(
    request: Request,
    response: Response,
    session: Session,
    { status, ...shown }: Shown = {},
  ): Promise<void> {
    const view: AccountView = {
      session,
      hasPassword: this.ways.hasPasswords && (await this.hasPassword(session)),
      usesPasswords: this.ways.hasPasswords,
      identities: await this.account.identitiesOf(session.userId),
      providers: this.parties.all.map(({ provider: { id, name, issuer } }) => ({ id, name, issuer })),
      passkeys: {
        passkeys: await this.passkeys.list(session.userId),
        arePossible: this.passkeys.arePossible,
      },
      invitations: await this.invitationsOf(session),
      access: await this.accessOf(session),
      sessions: await this.account.sessionsOf(session.userId),
      isRecent: this.account.isRecent(session),
      token: (form) => this.forms.token(request, response, `account-${form}`),
      ...shown,
    };
    this.pages.send(response, {
      status,
      title: 'Your account',
      account: session,
      body: accountPage(view),
      script: PASSKEY_SCRIPT,
    });
  }

  private async invitationsOf(session: Session): Promise<AccountView['invitations']> {
    const { items, next } = await this.invitations.list(session, { limit: MAX_SHOWN });
    return { invitations: items, hasMore: next !== undefined };
  }

  /** The newest of each; few people have more than a handful. */
  private async accessOf(session: Session): Promise<AccountView['access']> {
    const [grants, tokens] = [
      await this.grants.list(session, { limit: MAX_SHOWN }),
      await this.personalTokens.list(session, { limit: MAX_SHOWN }),
    ];
    const hasMore = [grants, tokens].some(({ next }) => next !== undefined);
    return { grants: grants.items, personalTokens: tokens.items, hasMore };
  }

  private async sendConfirm(request: Request, response: Response, session: Session, problem?: string): Promise<void> {
    const attributes = html`type="password" autocomplete="current-password" required`;
    const identities = await this.account.identitiesOf(session.userId);
    const again = this.parties.all
      .filter(({ provider }) => identities.some(({ issuer }) => issuer === provider.issuer))
      .map(
        ({ provider: { id, name } }) =>
          html`<p><a class="button" href="/sso/${id}/start?confirm=1">Sign in again with ${name}</a></p>`,
      );
    const hasPassword = this.ways.hasPasswords && (await this.hasPassword(session));
    const byPassword = hasPassword
      ? html`<p>Enter your password to change how you sign in. That is possible for five minutes then.</p>
          <form method="post">
            ${this.forms.token(request, response, CONFIRM_FORM)}
            <input type="email" autocomplete="username" value="${session.email ?? ''}" hidden />
            ${field('current_password', 'Password', attributes, { problem })}
            <div class="actions"><button>Go on</button><a class="button quiet" href="${ACCOUNT}">Not now</a></div>
          </form>`
      : undefined;
    const body =
      byPassword || again.length > 0
        ? html`${byPassword} ${again.length > 0 && html`<p>Your identity provider asks you again who you are.</p>`}
          ${again}`
        : html`<p>
              To change how you sign in, <a href="/sign-out">sign out</a>, sign in again and come back within five
              minutes.
            </p>
            <p><a href="${ACCOUNT}">Back to your account</a></p>`;
    this.pages.send(response, {
      status: problem === undefined ? 200 : 422,
      title: 'Confirm that it is you',
      account: session,
      body,
    });
  }
}

/** @throws FormError for what no form of ours sends */
function idFrom(text: string): string {
  if (!WRITTEN_ID.test(text)) throw new FormError('The form did not arrive completely.', 400);
  return text;
}
