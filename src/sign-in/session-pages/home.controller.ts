import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiNotFoundResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { ConsoleServer } from '../../console/console-server';
import { DomainError, ErrorCode } from '../../errors/errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { MyInvitationsService } from '../../invitations/my-invitations.service';
import { html, type Html } from '../../pages/html';
import { wantsPage } from '../../pages/page-errors';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';

@Controller()
export class HomeController {
  constructor(
    private readonly environment: Environment,
    private readonly sessions: Sessions,
    private readonly invitations: MyInvitationsService,
    private readonly console: ConsoleServer,
    private readonly pages: WebPages,
  ) {}

  @Get()
  @OperationId('home_page_get')
  @Access('open')
  @ShowsPage({
    summary: 'What this is',
    description:
      'For clients that prefer `text/html`, such as browsers; 404 for others. Leads people who are signed in to `/console/`, unless `CONSOLE=false`.',
  })
  @ApiNotFoundResponse({
    description: 'The client does not prefer a page.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.vary('Accept');
    if (!wantsPage(request)) throw new DomainError(ErrorCode.NotFound, '/ does not exist; see /docs.');
    const account = await this.sessions.current(request, response);
    // A person who signs in gets the console, unless the operator has turned it off.
    if (account && this.console.isServed) {
      this.pages.redirect(response, '/console/');
      return;
    }
    const waiting = account ? await this.invitations.countWaiting(account) : 0;
    const { publicUrl } = this.environment;
    this.pages.send(response, {
      title: 'Welcome',
      account,
      body: html`<p>
          The marketplace for MCP tool servers: find servers, put them together in bundles, and give the bundles to the
          clients of your organisation.
        </p>
        ${
          account
            ? html`<p>
                  You are signed in as
                  <strong>${account.email ?? account.name ?? 'an account without an address'}</strong>.
                </p>
                ${waiting > 0 && waitingPart(waiting)}
                <div class="actions">
                  <a class="button" href="/account">Your account</a
                  ><a class="button quiet" href="/sign-out">Sign out</a>
                </div>`
            : html`<div class="actions"><a class="button" href="/sign-in">Sign in</a></div>`
        }
        <h2>For programs</h2>
        <dl>
          <dt>API</dt>
          <dd><a href="/docs">Documentation</a>, at <code>${publicUrl}/v1</code></dd>
          <dt>Registry</dt>
          <dd>
            <code>${publicUrl}</code> (the MCP registry API, version 0.1:
            <a href="/v0.1/servers"><code>/v0.1/servers</code></a
            >)
          </dd>
        </dl>`,
    });
  }
}

/** @param waiting more than 0; 100 stands for any larger number, too */
function waitingPart(waiting: number): Html {
  const text =
    waiting === 1
      ? '1 invitation waits for your answer'
      : `${waiting < 100 ? waiting : '100 or more'} invitations wait for your answer`;
  return html`<p class="notice"><a href="/account#invitations">${text}</a>.</p>`;
}
