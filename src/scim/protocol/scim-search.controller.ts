import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { readSearch } from './lists/scim-query';
import { ScimSearch } from './lists/scim-search.service';
import { ScimAnswers } from './scim-answers';
import type { ScimClient } from './scim-client';
import { CurrentScimClient } from './scim-exchange';
import { LIST_OUT, SEARCH_IN } from './scim-openapi';
import { ScimOperation } from './scim-operation.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';

/** RFC 7644, section 3.4.3, over all resource types. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/.search')
export class ScimSearchController {
  constructor(
    private readonly search: ScimSearch,
    private readonly answers: ScimAnswers,
  ) {}

  @Post()
  @OperationId('scim_resources_search')
  @HttpCode(200)
  @ScimOperation({
    summary: 'Search users and groups',
    answers: { 200: { description: 'One page.', schema: LIST_OUT } },
    body: SEARCH_IN,
  })
  list(@CurrentScimClient() client: ScimClient, @Body() body: unknown, @Res() response: Response) {
    return this.answers.given(response, this.search.list(client, readSearch(body, client.ignored)));
  }
}
