import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../auth/access.decorator';
import { GivesPrepared } from '../http/answers';
import { sendPrepared } from '../http/prepared-answer';
import { CategoryList } from './category-list.service';
import { CategoryOut } from './category.dto';

@ApiTags('Catalog')
@Controller('mcp/categories')
export class CategoriesController {
  constructor(private readonly categories: CategoryList) {}

  @Get()
  @Access('account')
  @ApiOperation({ summary: 'List categories', description: 'In display order.' })
  @GivesPrepared(CategoryOut)
  list(@Req() request: Request, @Res() response: Response): void | Promise<void> {
    const current = this.categories.current();
    if (!(current instanceof Promise)) return sendPrepared(request, response, current);
    return current.then((answer) => sendPrepared(request, response, answer));
  }
}
