import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { readQuery, readSearch } from './resources/scim-query';
import { ScimUsers } from './resources/scim-users.service';
import { USER_TYPE } from './schema/user-schema';
import { ScimAnswers } from './scim-answers';
import type { ScimClient } from './scim-client';
import { CurrentScimClient } from './scim-exchange';
import {
  USER_IN,
  USER_OUT,
  IF_MATCH,
  IF_NONE_MATCH,
  USER_LIST_OUT,
  LISTING,
  PATCH_IN,
  RESOURCE_HEADERS,
  SEARCH_IN,
  SELECTING,
} from './scim-openapi';
import { ScimOperation } from './scim-operation.decorator';

const ID = { id: 'The id of the user.' };
const NOW = { description: 'The user as it is now.', schema: USER_OUT, headers: RESOURCE_HEADERS };

type RawQuery = Record<string, unknown>;

/** RFC 7644, section 3, for Users. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/Users')
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsers,
    private readonly answers: ScimAnswers,
  ) {}

  @Get()
  @ScimOperation({
    summary: 'List users',
    answers: { 200: { description: 'One page.', schema: USER_LIST_OUT } },
    query: LISTING,
  })
  list(@CurrentScimClient() client: ScimClient, @Query() query: RawQuery, @Res() response: Response) {
    return this.answers.given(response, this.users.list(client, readQuery(query)));
  }

  @Post()
  @ScimOperation({
    summary: 'Create a user',
    answers: { 201: { description: 'The new user.', schema: USER_OUT, headers: RESOURCE_HEADERS } },
    fails: [409],
    query: SELECTING,
    body: USER_IN,
  })
  create(
    @CurrentScimClient() client: ScimClient,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Res() response: Response,
  ) {
    return this.answers.created(response, this.users.create(client, body, readQuery(query)));
  }

  @Post('.search')
  @HttpCode(200)
  @ScimOperation({
    summary: 'Search users',
    description: 'The same as the list, with what is asked for in the body and not in the address.',
    answers: { 200: { description: 'One page.', schema: USER_LIST_OUT } },
    body: SEARCH_IN,
  })
  search(@CurrentScimClient() client: ScimClient, @Body() body: unknown, @Res() response: Response) {
    return this.answers.given(response, this.users.list(client, readSearch(body, client.ignored)));
  }

  @Get(':id')
  @ScimOperation({
    summary: 'Read a user',
    answers: {
      200: NOW,
      304: { description: 'The version that you have is the current one.', headers: ['ETag'] },
    },
    fails: [404],
    params: ID,
    query: SELECTING,
    headers: IF_NONE_MATCH,
  })
  get(
    @CurrentScimClient() client: ScimClient,
    @Param('id') id: string,
    @Query() query: RawQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() response: Response,
  ) {
    return this.answers.found(response, USER_TYPE, this.users.get(client, id, readQuery(query), ifNoneMatch));
  }

  @Put(':id')
  @ScimOperation({
    summary: 'Replace a user',
    answers: { 200: NOW },
    fails: [404, 409, 412],
    params: ID,
    query: SELECTING,
    headers: IF_MATCH,
    body: USER_IN,
  })
  replace(
    @CurrentScimClient() client: ScimClient,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ) {
    return this.answers.written(response, this.users.replace(client, id, body, readQuery(query), ifMatch));
  }

  @Patch(':id')
  @ScimOperation({
    summary: 'Change a user',
    description: 'All operations or none.',
    answers: { 200: NOW, 204: { description: 'Done, where nothing was asked for.', headers: ['ETag', 'Location'] } },
    fails: [404, 409, 412],
    params: ID,
    query: SELECTING,
    headers: IF_MATCH,
    body: PATCH_IN,
  })
  patch(
    @CurrentScimClient() client: ScimClient,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ) {
    return this.answers.written(response, this.users.patch(client, id, body, readQuery(query), ifMatch));
  }

  @Delete(':id')
  @ScimOperation({
    summary: 'Delete a user',
    answers: { 204: { description: 'The user is gone.' } },
    fails: [404, 409, 412],
    params: ID,
    headers: IF_MATCH,
  })
  remove(
    @CurrentScimClient() client: ScimClient,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ) {
    return this.answers.nothing(response, this.users.remove(client, id, ifMatch));
  }
}
