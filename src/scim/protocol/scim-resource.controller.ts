import {
  Body,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import type { Response } from 'express';
import { readQuery, readSearch } from './lists/scim-query';
import type { ResourceType } from './schema/attribute';
import { ScimAnswers } from './scim-answers';
import type { ScimClient } from './scim-client';
import { CurrentScimClient } from './scim-exchange';
import { IF_MATCH, IF_NONE_MATCH, LISTING, PATCH_IN, RESOURCE_HEADERS, SEARCH_IN, SELECTING } from './scim-openapi';
import { ScimOperation } from './scim-operation.decorator';
import type { ListResponse, ReadResource, ScimQuery, ScimWriter } from './scim-resource';

type Schema = Record<string, unknown>;
type RawQuery = Record<string, unknown>;

/** Reads and writes the resources of one type: `ScimUsers`, `ScimGroups`. */
interface ScimResources extends ScimWriter {
  list(client: ScimClient, query: ScimQuery): Promise<ListResponse>;
  get(client: ScimClient, id: string, query: ScimQuery, ifNoneMatch?: string): Promise<ReadResource>;
}

/** The differences between the endpoints of users and of groups. */
export interface ScimEndpoint {
  type: ResourceType;
  resources: Type<ScimResources>;
  /** For the OpenAPI document: the request, the response, and a page of responses. */
  schemas: { sent: Schema; shown: Schema; list: Schema };
  /** Maximum number of values in a body (`http/requests/json-bounds.ts`), if it differs from the default. */
  valueLimit?: number;
}

/**
 * The operations of RFC 7644, section 3, on one type of resource. A class for each, since Nest and the OpenAPI document
 * read paths and names from the class.
 *
 * @returns a class for a controller to extend, which provides the path and the name
 */
export function scimResourceController({ type, resources, schemas, valueLimit }: ScimEndpoint): Type<object> {
  const noun = type.name.toLowerCase();
  const params = { id: `The id of the ${noun}.` };
  const current = { description: `The current ${noun}.`, schema: schemas.shown, headers: RESOURCE_HEADERS };

  class ScimResourceController {
    constructor(
      @Inject(resources) private readonly resources: ScimResources,
      private readonly answers: ScimAnswers,
    ) {}

    @Get()
    @ScimOperation({
      summary: `List ${noun}s`,
      answers: { 200: { description: 'One page.', schema: schemas.list } },
      query: LISTING,
    })
    list(@CurrentScimClient() client: ScimClient, @Query() query: RawQuery, @Res() response: Response) {
      return this.answers.given(response, this.resources.list(client, readQuery(query)));
    }

    @Post()
    @ScimOperation({
      summary: `Create a ${noun}`,
      answers: { 201: { description: `The new ${noun}.`, schema: schemas.shown, headers: RESOURCE_HEADERS } },
      fails: [409],
      query: SELECTING,
      body: schemas.sent,
      valueLimit,
    })
    create(
      @CurrentScimClient() client: ScimClient,
      @Body() body: unknown,
      @Query() query: RawQuery,
      @Res() response: Response,
    ) {
      return this.answers.created(response, this.resources.create(client, body, readQuery(query)));
    }

    @Post('.search')
    @HttpCode(200)
    @ScimOperation({
      summary: `Search ${noun}s`,
      description: 'The same as the list, with the query in the body instead of the URL.',
      answers: { 200: { description: 'One page.', schema: schemas.list } },
      body: SEARCH_IN,
    })
    search(@CurrentScimClient() client: ScimClient, @Body() body: unknown, @Res() response: Response) {
      return this.answers.given(response, this.resources.list(client, readSearch(body, client.ignored)));
    }

    @Get(':id')
    @ScimOperation({
      summary: `Read a ${noun}`,
      answers: {
        200: current,
        304: { description: 'Your version is still current.', headers: ['ETag'] },
      },
      fails: [404],
      params,
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
      return this.answers.fetched(response, type, this.resources.get(client, id, readQuery(query), ifNoneMatch));
    }

    @Put(':id')
    @ScimOperation({
      summary: `Replace a ${noun}`,
      answers: { 200: current },
      fails: [404, 409, 412],
      params,
      query: SELECTING,
      headers: IF_MATCH,
      body: schemas.sent,
      valueLimit,
    })
    replace(
      @CurrentScimClient() client: ScimClient,
      @Param('id') id: string,
      @Body() body: unknown,
      @Query() query: RawQuery,
      @Headers('if-match') ifMatch: string | undefined,
      @Res() response: Response,
    ) {
      return this.answers.written(response, this.resources.replace(client, id, body, readQuery(query), ifMatch));
    }

    @Patch(':id')
    @ScimOperation({
      summary: `Change a ${noun}`,
      description: 'All operations or none.',
      answers: {
        200: current,
        204: { description: 'Success, if no attributes were requested.', headers: ['ETag', 'Location'] },
      },
      fails: [404, 409, 412],
      params,
      query: SELECTING,
      headers: IF_MATCH,
      body: PATCH_IN,
      valueLimit,
    })
    patch(
      @CurrentScimClient() client: ScimClient,
      @Param('id') id: string,
      @Body() body: unknown,
      @Query() query: RawQuery,
      @Headers('if-match') ifMatch: string | undefined,
      @Res() response: Response,
    ) {
      return this.answers.written(response, this.resources.patch(client, id, body, readQuery(query), ifMatch));
    }

    @Delete(':id')
    @ScimOperation({
      summary: `Delete a ${noun}`,
      answers: { 204: { description: `The ${noun} was deleted.` } },
      fails: [404, 409, 412],
      params,
      headers: IF_MATCH,
    })
    remove(
      @CurrentScimClient() client: ScimClient,
      @Param('id') id: string,
      @Headers('if-match') ifMatch: string | undefined,
      @Res() response: Response,
    ) {
      return this.answers.nothing(response, this.resources.remove(client, id, ifMatch));
    }
  }

  return ScimResourceController;
}
