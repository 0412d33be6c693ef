import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../catalog.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, GivesPrepared } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../catalog.errors';
import { sendPrepared } from '../../http/answers/prepared-answer';
import { OperationId } from '../../http/openapi/openapi-operations';
import { integer } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { CategoryAdmin } from './category-admin.service';
import { CategoryList } from './category-list.service';
import {
  CategoryAdminOut,
  CategoryCreate,
  CategoryMove,
  CategoryMovedOut,
  CategoryOut,
  CategoryOverviewOut,
  CategoryReorder,
  CategoryUpdate,
} from './category.dto';

const CategoryParam = (): MethodDecorator =>
  PathParam('category_id', integer({ min: 1, max: 2_147_483_647 }), 'The category.');

@ApiTags('Catalog')
@Controller('mcp/categories')
export class CategoriesController {
  constructor(
    private readonly categories: CategoryList,
    private readonly admin: CategoryAdmin,
  ) {}

  @Get()
  @Access('account')
  @ApiOperation({ summary: 'List categories', description: 'In display order.' })
  @GivesPrepared(CategoryOut)
  list(@Req() request: Request, @Res() response: Response): void | Promise<void> {
    const current = this.categories.current();
    if (!(current instanceof Promise)) return sendPrepared(request, response, current);
    return current.then((answer) => sendPrepared(request, response, answer));
  }

  @Get('overview')
  @OperationId('categories_overview_get')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List categories as administrators see them',
    description: 'With their order, the number of their listings now, and when `mcp_count` was counted.',
  })
  @Gives(CategoryOverviewOut)
  overview(@CurrentCaller() caller: Caller) {
    return this.admin.overview(caller);
  }

  @Put('order')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'Reorder the categories',
    description: 'All at once. What another administrator has changed meanwhile is not undone by it.',
  })
  @Gives(CategoryOverviewOut)
  @Fails(ErrorCode.CategoryConflict)
  reorder(@CurrentCaller() caller: Caller, @Body() body: CategoryReorder) {
    return this.admin.reorder(caller, body);
  }

  @Post()
  @Access('platform-admin')
  @ApiOperation({ summary: 'Create a category' })
  @Creates(CategoryAdminOut, () => '/v1/mcp/categories')
  @Fails(ErrorCode.CategoryConflict)
  create(@CurrentCaller() caller: Caller, @Body() body: CategoryCreate) {
    return this.admin.create(caller, body);
  }

  @Patch(':category_id')
  @Access('platform-admin')
  @CategoryParam()
  @ApiOperation({ summary: 'Change a category', description: 'An absent or null field keeps its value.' })
  @Gives(CategoryAdminOut)
  @Fails(ErrorCode.CategoryNotFound, ErrorCode.CategoryConflict)
  update(@CurrentCaller() caller: Caller, @Param('category_id') id: number, @Body() body: CategoryUpdate) {
    return this.admin.update(caller, id, body);
  }

  @Delete(':category_id')
  @Access('platform-admin')
  @CategoryParam()
  @ApiOperation({ summary: 'Delete a category', description: 'Rejected while the category contains listings.' })
  @GivesNothing()
  @Fails(ErrorCode.CategoryNotFound, ErrorCode.CategoryConflict)
  remove(@CurrentCaller() caller: Caller, @Param('category_id') id: number) {
    return this.admin.remove(caller, id);
  }

  @Post(':category_id/move-listings')
  @HttpCode(200)
  @Access('platform-admin')
  @CategoryParam()
  @ApiOperation({
    summary: 'Move all listings of a category to another category',
    description: 'With `preview`, it only says which. With `remove`, the category is deleted afterwards: it is merged.',
  })
  @ApiOkResponse({ type: CategoryMovedOut, description: 'The listings were moved, or would be.' })
  @Fails(ErrorCode.CategoryNotFound, ErrorCode.CategoryConflict)
  moveListings(@CurrentCaller() caller: Caller, @Param('category_id') id: number, @Body() body: CategoryMove) {
    return this.admin.moveListings(caller, id, body);
  }
}
