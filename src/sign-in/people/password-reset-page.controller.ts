import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { ShowsPage } from '../../pages/page-route';
import { PasswordResetPage } from './password-reset-page.service';

const TokenParam = (): MethodDecorator => PathParam('token', text(), 'The secret of the link.');

/** Where a person sets a new password. */
@Controller('password-reset')
export class PasswordResetPageController {
  constructor(private readonly page: PasswordResetPage) {}

  @Get(':token')
  @OperationId('password_reset_page_get')
  @Access('open')
  @TokenParam()
  @ShowsPage({ summary: 'Show a password reset link', fails: [404, 422] })
  show(@Req() request: Request, @Res() response: Response, @Param('token') token: string) {
    return this.page.show(request, response, token);
  }

  @Post(':token')
  @OperationId('password_reset_page_accept')
  @Access('open')
  @TokenParam()
  @ShowsPage({
    summary: 'Set a new password with a password reset link',
    fails: [404, 422],
    form: { password: { description: '15 to 128 characters.' }, password_again: { description: 'The same.' } },
  })
  reset(@Req() request: Request, @Res() response: Response, @Param('token') token: string) {
    return this.page.reset(request, response, token);
  }
}
