import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { ShowsPage } from '../../pages/page-route';
import { InvitationPage } from './invitation-page.service';

const TokenParam = (): MethodDecorator => PathParam('token', text(), 'The secret of the link.');

/** Where an invited person opens an account. */
@Controller('invitations')
export class InvitationPageController {
  constructor(private readonly page: InvitationPage) {}

  @Get(':token')
  @OperationId('invitation_page_get')
  @Access('open')
  @TokenParam()
  @ShowsPage({ summary: 'Show an invitation to have an account', fails: [404, 422] })
  show(@Req() request: Request, @Res() response: Response, @Param('token') token: string) {
    return this.page.show(request, response, token);
  }

  @Post(':token')
  @OperationId('invitation_page_accept')
  @Access('open')
  @TokenParam()
  @ShowsPage({
    summary: 'Accept an invitation to have an account',
    fails: [404, 409, 422],
    form: {
      name: { description: 'How others see the person.', maxLength: 200 },
      password: { description: '15 to 128 characters.' },
      password_again: { description: 'The same.' },
    },
  })
  accept(@Req() request: Request, @Res() response: Response, @Param('token') token: string) {
    return this.page.accept(request, response, token);
  }
}
