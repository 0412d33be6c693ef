import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { ShowsPage } from '../../pages/page-route';
import { ConnectFinish } from './connect-finish.service';
import { ConnectPage } from './connect-page.service';

const LinkParam = (): MethodDecorator => PathParam('link', text(), 'Which account is connected, sealed.');
const FAILS = [400, 403, 404, 409, 422];
const CALLBACK_DESCRIPTION =
  'Takes the parameters of an authorization response (RFC 6749, section 4.1.2; RFC 9207). A state that is foreign, was used or is over is 400.';

/** Where people connect accounts at the servers of bundles. */
@Controller('connect')
export class ConnectPageController {
  constructor(
    private readonly page: ConnectPage,
    private readonly finisher: ConnectFinish,
  ) {}

  @Get('callback')
  @OperationId('connect_callback_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Come back from an authorization server', description: CALLBACK_DESCRIPTION, fails: FAILS })
  finish(@Req() request: Request, @Res() response: Response) {
    return this.finisher.finish(request, response);
  }

  @Get('callback/:client')
  @OperationId('connect_client_callback_page_get')
  @Access('open')
  @PathParam('client', text(), 'The registration with the authorization server.')
  @ShowsPage({
    summary: 'Come back from an authorization server where this service has registered itself',
    description: CALLBACK_DESCRIPTION,
    fails: FAILS,
  })
  finishForClient(@Req() request: Request, @Res() response: Response) {
    return this.finisher.finish(request, response);
  }

  @Get('accounts/:link')
  @OperationId('connect_page_get')
  @Access('open')
  @LinkParam()
  @ShowsPage({ summary: 'Show what an account would be connected to', fails: FAILS })
  show(@Req() request: Request, @Res() response: Response, @Param('link') link: string) {
    return this.page.show(request, response, link);
  }

  @Post('accounts/:link')
  @OperationId('connect_page_accept')
  @Access('open')
  @LinkParam()
  @ShowsPage({
    summary: 'Go on to the authorization server, or save secrets',
    description:
      'The fields `secret_0`, `secret_1` … take the secrets that the server asks for, in the order of the page.',
    fails: FAILS,
    form: {},
  })
  submit(@Req() request: Request, @Res() response: Response, @Param('link') link: string) {
    return this.page.submit(request, response, link);
  }
}
