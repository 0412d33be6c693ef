import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { OperationId } from '../../http/openapi/openapi-operations';
import { FormError, Forms } from '../../pages/forms';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';
import { PasswordSignIn } from './password-sign-in';
import { returnPath } from './return-path';
import { signInPage } from './sign-in.page';
import { WaysToSignIn } from './ways-to-sign-in';

const FORM = 'sign-in';
/** RFC 5321, section 4.5.3.1. */
const MAX_EMAIL_LENGTH = 320;
/** The same for everything that can be wrong. */
const WRONG = 'The e-mail address or the password is wrong.';

@Controller('sign-in')
export class SignInController {
  constructor(
    private readonly sessions: Sessions,
    private readonly ways: WaysToSignIn,
    private readonly passwords: PasswordSignIn,
    private readonly forms: Forms,
    private readonly pages: WebPages,
    private readonly environment: Environment,
  ) {}

  @Get()
  @OperationId('sign_in_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Sign in', description: '`return_to`, a path of ours, is where to go on afterwards.' })
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { searchParams } = new URL(request.originalUrl, 'https://here.invalid');
    const returnTo = returnPath(searchParams.get('return_to')) ?? '/';
    // A client may ask for a newer sign-in than that of the session.
    const isAgain = searchParams.get('again') === '1';
    if (!isAgain && (await this.sessions.current(request, response))) this.pages.redirect(response, returnTo);
    else await this.send(request, response, { returnTo });
  }

  @Post()
  @OperationId('sign_in_page_accept')
  @Access('open')
  @ShowsPage({
    summary: 'Sign in with a password',
    fails: [404, 422],
    form: {
      email: { description: 'The address of the account.', maxLength: MAX_EMAIL_LENGTH },
      password: { description: 'Its password.' },
      return_to: { description: 'A path of ours; by default `/`.', required: false },
    },
  })
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.ways.hasPasswords) throw new FormError('Nobody signs in with a password here.', 403);
    const { email = '', password = '', return_to } = await this.forms.read(request, response, FORM);
    const returnTo = returnPath(return_to) ?? '/';
    const typed = email.trim();
    const isSignedIn =
      typed !== '' &&
      typed.length <= MAX_EMAIL_LENGTH &&
      (await this.passwords.signIn(request, response, typed, password));
    if (isSignedIn) this.pages.redirect(response, returnTo);
    else
      await this.send(request, response, {
        returnTo,
        email: typed.slice(0, MAX_EMAIL_LENGTH),
        problem: WRONG,
        status: 422,
      });
  }

  private async send(
    request: Request,
    response: Response,
    { status, ...shown }: { returnTo: string; email?: string; problem?: string; status?: number },
  ): Promise<void> {
    const token = this.ways.hasPasswords ? this.forms.token(request, response, FORM) : undefined;
    const ways = await this.ways.show({ request, response, returnTo: shown.returnTo });
    this.pages.send(response, {
      title: 'Sign in',
      status,
      body: signInPage({ ...shown, token, ways, canReset: this.environment.mail !== undefined }),
      script: this.ways.script,
    });
  }
}
