import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { Access } from '../../auth/access.decorator';
import { AuthorizationServer } from '../../auth/authorization-server/authorization-server';
import { Sessions } from '../../auth/sessions/sessions.service';
import { OperationId } from '../../http/openapi/openapi-operations';
import { Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';

const FORM = 'sign-out';

@Controller('sign-out')
export class SignOutController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly server: AuthorizationServer,
    private readonly forms: Forms,
    private readonly pages: WebPages,
  ) {}

  /** A link alone must not sign anybody out: any site can show an image with its address. */
  @Get()
  @OperationId('sign_out_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Ask whether to sign out' })
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const account = await this.sessions.current(request, response);
    const body = account
      ? html`<p>
            You are signed in as <strong>${account.email ?? account.name ?? 'an account without an address'}</strong>.
          </p>
          <form method="post" action="/sign-out">
            ${this.forms.token(request, response, FORM)}
            <div class="actions"><button>Sign out</button><a class="button quiet" href="/">Stay signed in</a></div>
          </form>`
      : html`<p>You are signed out.</p>
          <p><a href="/sign-in">Sign in</a></p>`;
    this.pages.send(response, { title: 'Sign out', body, account });
  }

  @Post()
  @OperationId('sign_out_page_accept')
  @Access('open')
  @ShowsPage({ summary: 'Sign out', form: {} })
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.forms.read(request, response, FORM);
    const session = await this.sessions.current(request);
    if (session) await this.server.notifyOfSignOut(session.id);
    await this.sessions.end(this.dataSource.manager, request, response);
    this.pages.redirect(response, '/sign-out');
  }
}
