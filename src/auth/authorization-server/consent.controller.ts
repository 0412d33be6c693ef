import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OperationId } from '../../http/openapi/openapi-operations';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { ShowsPage } from '../../pages/page-route';
import { Access } from '../access.decorator';
import { ConsentPage } from './consent-page';

const UidParam = () => PathParam('uid', text({ min: 1, max: 100 }), 'The request that was interrupted.');

/** The page on which a person allows a client to act for them. */
@Controller('sign-in/consent/:uid')
export class ConsentController {
  constructor(private readonly page: ConsentPage) {}

  @Get()
  @OperationId('consent_page_get')
  @Access('open')
  @UidParam()
  @ShowsPage({ summary: 'Ask whether a client may act for a person', fails: [404, 422] })
  show(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string) {
    return this.page.show(request, response, uid);
  }

  @Post()
  @OperationId('consent_page_accept')
  @Access('open')
  @UidParam()
  @ShowsPage({
    summary: 'Allow a client to act for a person, or not',
    fails: [404, 422],
    form: { decision: { description: '`allow`; anything else does not.', maxLength: 20 } },
  })
  answer(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string) {
    return this.page.answer(request, response, uid);
  }
}
