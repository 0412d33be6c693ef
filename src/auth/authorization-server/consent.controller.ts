import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../access.decorator';
import { ConsentPage } from './consent-page';

/** The page on which a person allows a client to act for them. */
@ApiExcludeController()
@Controller('sign-in/consent/:uid')
export class ConsentController {
  constructor(private readonly page: ConsentPage) {}

  @Get()
  @Access('open')
  show(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string) {
    return this.page.show(request, response, uid);
  }

  @Post()
  @Access('open')
  answer(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string) {
    return this.page.answer(request, response, uid);
  }
}
