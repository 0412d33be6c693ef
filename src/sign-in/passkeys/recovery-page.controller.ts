import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';
import { Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';
import { PasskeySignIns } from './passkey-sign-in';

const FORM = 'recovery';
const MAX_EMAIL_LENGTH = 320;
const WRONG = 'The e-mail address or the code is wrong, or the code was used already.';

/** The page for those who lost their passkeys. */
@Controller('sign-in/recovery')
export class RecoveryPageController {
  constructor(
    private readonly signIns: PasskeySignIns,
    private readonly forms: Forms,
    private readonly pages: WebPages,
  ) {}

  @Get()
  @OperationId('recovery_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Sign in with a recovery code' })
  show(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, {});
  }

  @Post()
  @OperationId('recovery_page_accept')
  @Access('open')
  @ShowsPage({
    summary: 'Sign in with a recovery code',
    description: 'Leads to the account page, to add a new passkey. The code is used up.',
    fails: [422],
    form: {
      email: { description: 'The address of the account.', maxLength: MAX_EMAIL_LENGTH },
      code: { description: 'One of the ten codes.', maxLength: 100 },
    },
  })
  async accept(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { email = '', code = '' } = await this.forms.read(request, response, FORM);
    const typed = email.trim();
    const isPossible = typed !== '' && typed.length <= MAX_EMAIL_LENGTH && code.length <= 100;
    if (isPossible && (await this.signIns.byCode(request, response, typed, code)))
      this.pages.redirect(response, '/account');
    else this.send(request, response, { email: typed.slice(0, MAX_EMAIL_LENGTH), problem: WRONG });
  }

  private send(request: Request, response: Response, { email, problem }: { email?: string; problem?: string }): void {
    const invalid = problem !== undefined && html`aria-invalid="true" aria-describedby="problem"`;
    this.pages.send(response, {
      title: 'Sign in with a recovery code',
      status: problem === undefined ? 200 : 422,
      body: html`
        <p>You got ten codes with your first passkey. Each of them signs you in once.</p>
        ${problem !== undefined && html`<p class="error" role="alert" id="problem">${problem}</p>`}
        <form method="post" action="/sign-in/recovery">
          ${this.forms.token(request, response, FORM)}
          <div class="field">
            <label for="email">E-mail address</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="username"
              required
              maxlength="320"
              value="${email ?? ''}"
              ${invalid}
            />
          </div>
          <div class="field">
            <label for="code">Recovery code</label>
            <input id="code" name="code" autocomplete="one-time-code" required maxlength="100" ${invalid} />
          </div>
          <div class="actions"><button>Sign in</button></div>
        </form>
        <p><a href="/sign-in">Other ways to sign in</a></p>
      `,
    });
  }
}
