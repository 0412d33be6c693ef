import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { EndedTokens } from '../../auth/ended-tokens';
import { SignOuts } from '../../auth/sessions/sign-outs';
import { inTransaction } from '../../database/transaction';
import { Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { WebPages } from '../../pages/web-pages';
import { Accounts } from '../../users/accounts.service';
import { SecurityNotices } from '../notices/security-notices';
import { Passwords } from '../passwords/passwords.service';
import { Protection } from '../protection/protection.service';
import { chosenPasswordProblems } from './chosen-password';
import { addressField, DEAD_LINK, type FieldProblems, newPasswordFields } from './link-pages';
import { PasswordResets, type ResettingPerson } from './password-resets.service';

const FORM = 'password-reset';

/** The page behind a password reset link. */
@Injectable()
export class PasswordResetPage {
  private readonly logger = new Logger(PasswordResetPage.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly resets: PasswordResets,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly protection: Protection,
    private readonly signOuts: SignOuts,
    private readonly endedTokens: EndedTokens,
    private readonly notices: SecurityNotices,
    private readonly forms: Forms,
    private readonly pages: WebPages,
  ) {}

  async show(request: Request, response: Response, token: string): Promise<void> {
    const person = await this.resets.find(token);
    if (person) this.send(request, response, person);
    else this.pages.send(response, DEAD_LINK);
  }

  /**
   * Sets the password, and ends everything by which someone was signed in to the account.
   *
   * @throws FormError; UnavailableError if too many passwords are being hashed
   */
  async reset(request: Request, response: Response, token: string): Promise<void> {
    const fields = await this.forms.read(request, response, FORM);
    const person = await this.resets.find(token);
    if (!person) return this.pages.send(response, DEAD_LINK);
    const { id: userId, email, name } = person;
    const problems = chosenPasswordProblems(this.passwords, fields, { email: email ?? '', name: name ?? undefined });
    if (problems) return this.send(request, response, person, problems);
    const hash = await this.passwords.hash(fields.password ?? '');
    const isSet = await inTransaction(this.dataSource, async (manager) => {
      if (!(await this.accounts.hold(manager, userId)) || !(await this.resets.use(manager, token))) return false;
      await this.passwords.store(manager, userId, hash);
      await this.signOuts.everywhere(manager, userId);
      await this.notices.post(manager, userId, 'password-reset');
      return true;
    });
    if (!isSet) return this.pages.send(response, DEAD_LINK);
    this.endedTokens.byAccount(userId);
    if (email !== null) await this.protection.clear(request, response, email);
    this.logger.log(`The password of account ${userId} was set by a reset link.`);
    this.pages.send(response, {
      title: 'Your password was changed',
      body: html`<p>You were signed out everywhere, and applications and tokens with access to your account lost it.</p>
        <p><a class="button" href="/sign-in?return_to=/account">Sign in</a></p>`,
    });
  }

  private send(
    request: Request,
    response: Response,
    { email }: ResettingPerson,
    problems: FieldProblems | undefined = undefined,
  ): void {
    this.pages.send(response, {
      status: problems ? 422 : 200,
      title: 'Set a new password',
      body: html`<p>
          It replaces the old one. You will be signed out everywhere, and applications and tokens with access to your
          account lose it.
        </p>
        <form method="post">
          ${this.forms.token(request, response, FORM)} ${email !== null && addressField(email)}
          ${newPasswordFields(problems ?? {})}
          <button>Set the password</button>
        </form>`,
    });
  }
}
