import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { Access } from '../access.decorator';
import { ConsentPage } from './consent-page';

const UidParam = () => PathParam('uid', text({ min: 1, max: 100 }), 'The request that was interrupted.');

/** The page on which a person allows a client to act for them. */
@ApiExcludeController()
@Controller('sign-in/consent/:uid')
export class ConsentController {
  constructor(private readonly page: ConsentPage) {}

  @Get()
  @Access('open')
  @UidParam()
  show(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string) {
    return this.page.show(request, response, uid);
  }

  @Post()
  @Access('open')
  @UidParam()
  answer(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string) {
    return this.page.answer(request, response, uid);
  }
}
