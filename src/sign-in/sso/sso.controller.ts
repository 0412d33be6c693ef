import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { ErrorCode, requireFound } from '../../errors/errors';
import { ClientAddresses } from '../../http/requests/client-addresses';
import { OperationId } from '../../http/openapi/openapi-operations';
import { text } from '../../http/requests/kinds';
import { PathParam, QueryParam } from '../../http/requests/parameters';
import { Forms } from '../../pages/forms';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';
import { returnPath } from '../session-pages/return-path';
import { RelyingParties } from './relying-parties';
import type { RelyingParty } from './relying-party';
import { SsoFailure } from './sso-failure';
import { continuePage, failurePage, leavingPage, linkPage } from './sso-pages';
import { SsoSignIn } from './sso-sign-in.service';

const LINK_FORM = 'sso-link';
const RETRY_AFTER_S = 30;
const Provider = () => PathParam('provider', text({ max: 40 }), 'The id of the provider.', 'company');

/** Signing in at the company's OpenID provider, and linking what a person is there to their account. */
@Controller('sso')
export class SsoController {
  constructor(
    private readonly parties: RelyingParties,
    private readonly signIn: SsoSignIn,
    private readonly forms: Forms,
    private readonly pages: WebPages,
    private readonly addresses: ClientAddresses,
  ) {}

  @Get(':provider/start')
  @OperationId('sso_start_page_get')
  @Access('open')
  @Provider()
  @QueryParam('return_to', text(), { description: 'A path of this server to return to; anything else is ignored.' })
  @QueryParam('link', text(), { description: '`1`: link the identity to the account of the session instead.' })
  @QueryParam('confirm', text(), { description: '`1`: prove again who you are, to change how you sign in.' })
  @ShowsPage({ summary: 'Sign in at an identity provider', fails: [403, 404, 422] })
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    const party = this.partyOf(request);
    const returnTo = returnPath(request.query.return_to) ?? '/';
    await this.showing(party, response, returnTo, async () => {
      if (request.query.link === '1') return this.confirmLink(party, request, response);
      const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
      if (request.query.confirm === '1')
        return isForeign ? this.pages.redirect(response, '/account/confirm') : this.confirm(party, request, response);
      if (isForeign) return this.pages.send(response, continuePage(party.provider, returnTo));
      const url = await this.signIn.begin(party, request, response, { providerId: party.provider.id, returnTo });
      this.pages.redirect(response, url.href);
    });
  }

  @Post(':provider/start')
  @OperationId('sso_link_page_accept')
  @Access('open')
  @Provider()
  @ShowsPage({ summary: 'Link an identity to the account of the session', fails: [404, 422], form: {} })
  async link(@Req() request: Request, @Res() response: Response): Promise<void> {
    const party = this.partyOf(request);
    await this.forms.read(request, response, LINK_FORM);
    await this.showing(party, response, '/account', async () => {
      const { id: linkSessionId } = await this.signIn.linkingSession(request);
      const purpose = { providerId: party.provider.id, returnTo: '/account', linkSessionId };
      const url = await this.signIn.begin(party, request, response, purpose);
      response.set('Refresh', `0; url=${url.href}`);
      this.pages.send(response, leavingPage(party.provider, url));
    });
  }

  @Get(':provider/callback')
  @OperationId('sso_callback_page_get')
  @Access('open')
  @Provider()
  @ShowsPage({
    summary: 'Complete a sign-in at an identity provider',
    description: 'Takes the parameters of an authorization response (RFC 6749, section 4.1.2; RFC 9207).',
    fails: [400, 403, 404, 409, 422],
  })
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    const party = this.partyOf(request);
    await this.showing(party, response, undefined, async () => {
      const returnTo = await this.signIn.complete(party, request, response, this.addresses.of(request));
      this.pages.redirect(response, returnTo);
    });
  }

  private async confirm(party: RelyingParty, request: Request, response: Response): Promise<void> {
    const { id: confirmSessionId } = await this.signIn.sessionOf(request);
    const purpose = { providerId: party.provider.id, returnTo: '/account', confirmSessionId };
    this.pages.redirect(response, (await this.signIn.begin(party, request, response, purpose)).href);
  }

  private async confirmLink(party: RelyingParty, request: Request, response: Response): Promise<void> {
    const session = await this.signIn.linkingSession(request);
    this.pages.send(response, linkPage(party.provider, this.forms.token(request, response, LINK_FORM), session));
  }

  /** Shows failures in words. */
  private async showing(
    { provider }: RelyingParty,
    response: Response,
    returnTo: string | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SsoFailure)) throw error;
      const page = failurePage(provider, error, returnTo);
      if (page.status === 503) response.set('Retry-After', String(RETRY_AFTER_S));
      this.pages.send(response, page);
    }
  }

  private partyOf({ params }: Request): RelyingParty {
    const id = String(params.provider);
    return requireFound(this.parties.find(id), { ...ErrorCode.NotFound, noun: 'Identity provider' }, id);
  }
}
