import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { inTransaction } from '../../database/transaction';
import { ConflictError } from '../../errors/errors';
import { Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { WebPages } from '../../pages/web-pages';
import { Accounts } from '../../users/accounts.service';
import { Passwords } from '../passwords/passwords.service';
import { Protection } from '../protection/protection.service';
import type { AccountInvitationRow } from './account-invitation.dto';
import { AccountInvitations } from './account-invitations.service';
import { chosenPasswordProblems } from './chosen-password';
import { addressField, DEAD_LINK, field, type FieldProblems, newPasswordFields } from './link-pages';

const FORM = 'invitation';
const MAX_NAME_LENGTH = 200;

/** The page behind the link of an invitation. */
@Injectable()
export class InvitationPage {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invitations: AccountInvitations,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly protection: Protection,
    private readonly sessions: Sessions,
    private readonly forms: Forms,
    private readonly pages: WebPages,
    private readonly environment: Environment,
  ) {}

  async show(request: Request, response: Response, token: string): Promise<void> {
    const invitation = await this.invitations.find(token);
    if (invitation) await this.send(request, response, invitation, invitation.name ?? '');
    else this.pages.send(response, DEAD_LINK);
  }

  /** @throws FormError; UnavailableError if too many passwords are being hashed */
  async accept(request: Request, response: Response, token: string): Promise<void> {
    const fields = await this.forms.read(request, response, FORM);
    const invitation = await this.invitations.find(token);
    if (!invitation) return this.pages.send(response, DEAD_LINK);
    const name = (fields.name ?? '').trim();
    const problems = {
      name: nameProblem(name),
      ...chosenPasswordProblems(this.passwords, fields, { email: invitation.email, name }),
    };
    if (Object.values(problems).some((problem) => problem !== undefined))
      return this.send(request, response, invitation, name, problems);
    const hash = await this.passwords.hash(fields.password ?? '');
    try {
      const isOpened = await this.open(request, response, token, invitation, { name, hash });
      if (isOpened) this.pages.redirect(response, '/account');
      else this.pages.send(response, DEAD_LINK);
    } catch (error) {
      // Otherwise the cookie of a session that was rolled back would leave with the error.
      response.removeHeader('Set-Cookie');
      if (!(error instanceof ConflictError)) throw error;
      this.pages.send(response, {
        status: 409,
        title: 'You have an account already',
        body: html`<p>${invitation.email} got an account in the meantime.</p>
          <p><a class="button" href="/sign-in">Sign in</a></p>`,
      });
    }
  }

  private open(
    request: Request,
    response: Response,
    token: string,
    invitation: AccountInvitationRow,
    { name, hash }: { name: string; hash: string },
  ): Promise<boolean> {
    const address = this.protection.addressOf(request);
    return inTransaction(this.dataSource, async (manager) => {
      const account = await this.invitations.accept(manager, token, invitation, name);
      if (!account) return false;
      await this.passwords.store(manager, account.id, hash);
      await this.accounts.ensureIdentity(manager, this.environment.publicUrl, account.id);
      await this.sessions.start(manager, request, response, { userId: account.id, methods: ['pwd'], address });
      return true;
    });
  }

  private async send(
    request: Request,
    response: Response,
    { email }: AccountInvitationRow,
    name: string,
    problems: FieldProblems = {},
  ): Promise<void> {
    const session = await this.sessions.current(request);
    this.pages.send(response, {
      status: Object.keys(problems).length > 0 ? 422 : 200,
      title: 'Welcome to Toolyard',
      body: html`<p>You were invited to have an account here. Choose how others see you, and a password.</p>
        ${session && html`<p class="notice">You are signed in as ${session.email ?? 'somebody else'} now. That ends here.</p>`}
        <form method="post">
          ${this.forms.token(request, response, FORM)} ${addressField(email)}
          ${field('name', 'Your name', html`autocomplete="name" required value="${name}"`, { problem: problems.name })}
          ${newPasswordFields(problems)}
          <button>Open my account</button>
        </form>`,
    });
  }
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (Array.from(name).length > MAX_NAME_LENGTH) return `The name must have at most ${MAX_NAME_LENGTH} characters.`;
  return name.isWellFormed() ? undefined : 'The name contains characters that are not text.';
}
