import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { readQuery, readSearch } from './resources/scim-query';
import { ScimGroups } from './resources/scim-groups.service';
import { GROUP_TYPE } from './schema/group-schema';
import { LIMITS } from './limits';
import { ScimAnswers } from './scim-answers';
import type { ScimClient } from './scim-client';
import { CurrentScimClient } from './scim-exchange';
import {
  GROUP_IN,
  GROUP_OUT,
  IF_MATCH,
  IF_NONE_MATCH,
  GROUP_LIST_OUT,
  LISTING,
  PATCH_IN,
  RESOURCE_HEADERS,
  SEARCH_IN,
  SELECTING,
} from './scim-openapi';
import { ScimOperation } from './scim-operation.decorator';

const ID = { id: 'The id of the group.' };
const NOW = { description: 'The group as it is now.', schema: GROUP_OUT, headers: RESOURCE_HEADERS };

type RawQuery = Record<string, unknown>;

/** RFC 7644, section 3, for Groups. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/Groups')
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroups,
    private readonly answers: ScimAnswers,
  ) {}

  @Get()
  @ScimOperation({
    summary: 'List groups',
    answers: { 200: { description: 'One page.', schema: GROUP_LIST_OUT } },
    query: LISTING,
  })
  list(@CurrentScimClient() client: ScimClient, @Query() query: RawQuery, @Res() response: Response) {
    return this.answers.given(response, this.groups.list(client, readQuery(query)));
  }

  @Post()
  @ScimOperation({
    summary: 'Create a group',
    answers: { 201: { description: 'The new group.', schema: GROUP_OUT, headers: RESOURCE_HEADERS } },
    fails: [409],
    query: SELECTING,
    body: GROUP_IN,
    valueLimit: LIMITS.groupValues,
  })
  create(
    @CurrentScimClient() client: ScimClient,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Res() response: Response,
  ) {
    return this.answers.created(response, this.groups.create(client, body, readQuery(query)));
  }

  @Post('.search')
  @HttpCode(200)
  @ScimOperation({
    summary: 'Search groups',
    description: 'The same as the list, with what is asked for in the body and not in the address.',
    answers: { 200: { description: 'One page.', schema: GROUP_LIST_OUT } },
    body: SEARCH_IN,
  })
  search(@CurrentScimClient() client: ScimClient, @Body() body: unknown, @Res() response: Response) {
    return this.answers.given(response, this.groups.list(client, readSearch(body, client.ignored)));
  }

  @Get(':id')
  @ScimOperation({
    summary: 'Read a group',
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
    return this.answers.found(response, GROUP_TYPE, this.groups.get(client, id, readQuery(query), ifNoneMatch));
  }

  @Put(':id')
  @ScimOperation({
    summary: 'Replace a group',
    answers: { 200: NOW },
    fails: [404, 409, 412],
    params: ID,
    query: SELECTING,
    headers: IF_MATCH,
    body: GROUP_IN,
    valueLimit: LIMITS.groupValues,
  })
  replace(
    @CurrentScimClient() client: ScimClient,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ) {
    return this.answers.written(response, this.groups.replace(client, id, body, readQuery(query), ifMatch));
  }

  @Patch(':id')
  @ScimOperation({
    summary: 'Change a group',
    description: 'All operations or none.',
    answers: { 200: NOW, 204: { description: 'Done, where nothing was asked for.', headers: ['ETag', 'Location'] } },
    fails: [404, 409, 412],
    params: ID,
    query: SELECTING,
    headers: IF_MATCH,
    body: PATCH_IN,
    valueLimit: LIMITS.groupValues,
  })
  patch(
    @CurrentScimClient() client: ScimClient,
    @Param('id') id: string,
    @Body() body: unknown,
    @Query() query: RawQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ) {
    return this.answers.written(response, this.groups.patch(client, id, body, readQuery(query), ifMatch));
  }

  @Delete(':id')
  @ScimOperation({
    summary: 'Delete a group',
    answers: { 204: { description: 'The group is gone.' } },
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
    return this.answers.nothing(response, this.groups.remove(client, id, ifMatch));
  }
}
