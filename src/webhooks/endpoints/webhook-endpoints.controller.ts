import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../webhook.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../webhook.errors';
import { IdParam } from '../../http/requests/fields';
import {
  WebhookEndpointCreate,
  WebhookEndpointCreatedOut,
  WebhookEndpointDetailOut,
  WebhookEndpointOut,
  WebhookEndpointQuery,
  WebhookEndpointUpdate,
} from './webhook-endpoint.dto';
import { WebhookEndpointsService } from './webhook-endpoints.service';
import { WebhookPingOut } from './webhook-ping.dto';
import { WebhookPingService } from './webhook-ping.service';
import { WebhookSecretRotatedOut, WebhookSecretRotation } from './webhook-rotation.dto';
import { WebhookRotationService } from './webhook-rotation.service';

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly rotation: WebhookRotationService,
    private readonly pings: WebhookPingService,
  ) {}

  @Post()
  @Access('account')
  @ApiOperation({
    summary: 'Create a webhook endpoint',
    description:
      'A personal endpoint, or an endpoint of an organisation in which you are ADMIN or OWNER. The response contains the secret, which is not shown again.',
  })
  @ShowsSecret()
  @Creates(WebhookEndpointCreatedOut, ({ id }) => `/v1/webhooks/${id}`)
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.InsufficientRole, ErrorCode.WebhookConflict)
  create(@CurrentCaller() caller: Caller, @Body() body: WebhookEndpointCreate) {
    return this.endpoints.create(caller, body);
  }

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List webhook endpoints',
    description:
      'Newest first. Without `org_id`: endpoints that you own or can see as a member, at most 100 across all your organisations. With `org_id`: all endpoints of that organisation.',
  })
  @ShowsSecret()
  @ApiOkResponse({
    type: WebhookEndpointOut,
    isArray: true,
    description: 'The endpoints.',
    headers: {
      'X-Result-Truncated': {
        description: '`true` if the list was cut off at 100; absent otherwise.',
        schema: { type: 'string', enum: ['true'] },
      },
    },
  })
  @Fails(ErrorCode.OrganisationNotFound)
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: WebhookEndpointQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointOut[]> {
    const { endpoints, truncated } = await this.endpoints.list(caller, query);
    if (truncated) response.setHeader('X-Result-Truncated', 'true');
    return endpoints;
  }

  @Get(':endpoint_id')
  @Access('endpoint-reader')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({ summary: 'Read a webhook endpoint' })
  @ShowsSecret()
  @Gives(WebhookEndpointDetailOut)
  get(@CurrentCaller() caller: Caller, @Param('endpoint_id') id: string) {
    return this.endpoints.get(caller, id);
  }

  @Patch(':endpoint_id')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({
    summary: 'Update a webhook endpoint',
    description: 'A field that is absent or null keeps its value.',
  })
  @ShowsSecret()
  @Gives(WebhookEndpointOut)
  update(@CurrentCaller() caller: Caller, @Param('endpoint_id') id: string, @Body() body: WebhookEndpointUpdate) {
    return this.endpoints.update(caller, id, body);
  }

  @Delete(':endpoint_id')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({ summary: 'Delete a webhook endpoint' })
  @GivesNothing('The endpoint was deleted. Nothing more is sent to it.')
  remove(@CurrentCaller() caller: Caller, @Param('endpoint_id') id: string) {
    return this.endpoints.remove(caller, id);
  }

  @Post(':endpoint_id/rotate-secret')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'The response contains the new secret, which is not shown again. During the grace period every webhook is also signed with the former secrets, at most four. The body is optional.',
  })
  @ApiBody({ type: WebhookSecretRotation, required: false })
  @ShowsSecret()
  @Gives(WebhookSecretRotatedOut)
  @Fails(ErrorCode.WebhookEndpointConflict)
  rotateSecret(@CurrentCaller() caller: Caller, @Param('endpoint_id') id: string, @Body() body: WebhookSecretRotation) {
    return this.rotation.rotate(caller, id, body);
  }

  @Post(':endpoint_id/ping')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({
    summary: 'Test a webhook endpoint',
    description:
      'Sends a signed `webhook.ping` with the headers of the endpoint, even if it is disabled, and returns the result. A ping is not retried and not listed as a delivery. Only one ping per endpoint can be in flight.',
  })
  @Gives(WebhookPingOut, 'The result of the ping.')
  @Fails(ErrorCode.RateLimited)
  ping(@CurrentCaller() caller: Caller, @Param('endpoint_id') id: string) {
    return this.pings.ping(caller, id);
  }
}
