import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Discovery } from './discovery';
import { ScimAnswers } from './scim-answers';
import type { ScimClient } from './scim-client';
import { CurrentScimClient } from './scim-exchange';
import { ANYTHING, LIST_OUT } from './scim-openapi';
import { ScimOperation } from './scim-operation.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';

const ONE = { 200: { description: 'The document.', schema: ANYTHING } };
const ALL = { 200: { description: 'The complete list.', schema: LIST_OUT } };
const FILTER = { filter: 'Rejected with 403: discovery documents cannot be searched.' };

type RawQuery = Record<string, unknown>;

/** RFC 7644, section 4. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2')
export class ScimDiscoveryController {
  constructor(
    private readonly discovery: Discovery,
    private readonly answers: ScimAnswers,
  ) {}

  @Get('ServiceProviderConfig')
  @OperationId('scim_service_provider_config_get')
  @ScimOperation({ summary: "Read the service provider's configuration", answers: ONE, fails: [403], query: FILTER })
  config(@CurrentScimClient() { orgId }: ScimClient, @Query() query: RawQuery, @Res() response: Response) {
    return this.answers.given(response, this.discovery.serviceProviderConfig(orgId, query));
  }

  @Get('ResourceTypes')
  @OperationId('scim_resource_types_list')
  @ScimOperation({ summary: 'List the resource types', answers: ALL, fails: [403], query: FILTER })
  types(@CurrentScimClient() { orgId }: ScimClient, @Query() query: RawQuery, @Res() response: Response) {
    return this.answers.given(response, this.discovery.resourceTypes(orgId, query));
  }

  @Get('ResourceTypes/:name')
  @OperationId('scim_resource_types_get')
  @ScimOperation({
    summary: 'Read a resource type',
    answers: ONE,
    fails: [403, 404],
    params: { name: '`User` or `Group`.' },
    query: FILTER,
  })
  type(
    @CurrentScimClient() { orgId }: ScimClient,
    @Param('name') name: string,
    @Query() query: RawQuery,
    @Res() response: Response,
  ) {
    return this.answers.given(response, this.discovery.resourceType(orgId, name, query));
  }

  @Get('Schemas')
  @OperationId('scim_schemas_list')
  @ScimOperation({ summary: 'List the schemas', answers: ALL, fails: [403], query: FILTER })
  schemas(@CurrentScimClient() { orgId }: ScimClient, @Query() query: RawQuery, @Res() response: Response) {
    return this.answers.given(response, this.discovery.schemas(orgId, query));
  }

  @Get('Schemas/:urn')
  @OperationId('scim_schemas_get')
  @ScimOperation({
    summary: 'Read a schema',
    answers: ONE,
    fails: [403, 404],
    params: { urn: 'The URN of the schema.' },
    query: FILTER,
  })
  schema(
    @CurrentScimClient() { orgId }: ScimClient,
    @Param('urn') urn: string,
    @Query() query: RawQuery,
    @Res() response: Response,
  ) {
    return this.answers.given(response, this.discovery.schema(orgId, urn, query));
  }
}
