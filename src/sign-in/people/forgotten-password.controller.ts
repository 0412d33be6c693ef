import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { DomainError, ErrorCode } from '../../errors/errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { isMailable } from '../../mail/mail-text';
import { Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';
import { ForgottenPasswords } from './forgotten-passwords.service';
import { field } from './link-pages';

const FORM = 'forgotten-password';
const TITLE = 'Forgot your password?';

/** Where people ask for a link to set a new password; not found where no mail is sent. */
@Controller('password-reset')
export class ForgottenPasswordController {
  constructor(
    private readonly forgotten: ForgottenPasswords,
    private readonly forms: Forms,
    private readonly pages: WebPages,
  ) {}

  @Get()
  @OperationId('forgotten_password_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Ask for an address to mail a password reset link to', fails: [404] })
  show(@Req() request: Request, @Res() response: Response): void {
    this.requirePossible();
    this.send(request, response, {});
  }

  @Post()
  @OperationId('forgotten_password_page_accept')
  @Access('open')
  @ShowsPage({
    summary: 'Ask for a password reset link by mail',
    description:
      'The same page for every address, in the same time. A link is mailed if an open account signs in with the address and a password; it is valid for 30 minutes and once.',
    fails: [404, 422],
    form: { email: { description: 'The address of the account.', maxLength: 254 } },
  })
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.requirePossible();
    const { email = '' } = await this.forms.read(request, response, FORM);
    const typed = email.trim();
    if (!isMailable(typed)) {
      this.send(request, response, { email: typed.slice(0, 320), problem: 'Enter an e-mail address.' });
      return;
    }
    await this.forgotten.request(request, typed);
    this.pages.send(response, {
      title: 'Look into your mailbox',
      body: html`<p>
          If there is an account with this address and a password, a link to set a new one is on its way. It works once,
          for 30 minutes.
        </p>
        <p class="hint">No mail after a few minutes? Ask an administrator of this server for a link.</p>
        <p><a href="/sign-in">Sign in</a></p>`,
    });
  }

  private requirePossible(): void {
    if (!this.forgotten.arePossible) throw new DomainError(ErrorCode.NotFound, 'This server sends no mail.');
  }

  private send(
    request: Request,
    response: Response,
    { email = '', problem }: { email?: string; problem?: string },
  ): void {
    const attributes = html`type="email" autocomplete="username" required maxlength="254" value="${email}"`;
    this.pages.send(response, {
      status: problem === undefined ? 200 : 422,
      title: TITLE,
      body: html`<p>Enter the address of your account. You get a link with which you set a new password.</p>
        <form method="post" action="/password-reset">
          ${this.forms.token(request, response, FORM)} ${field('email', 'E-mail address', attributes, { problem })}
          <div class="actions"><button>Send the link</button></div>
        </form>
        <p><a href="/sign-in">Back to signing in</a></p>`,
    });
  }
}
