import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../webhook.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives, Lists, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../webhook.errors';
import { IdParam } from '../../http/requests/fields';
import { DeliveriesService } from './deliveries.service';
import { WebhookPreviewOut } from './delivery-preview.dto';
import { DeliveryPreviews } from './delivery-preview.service';
import { WebhookDeliveryDetailOut, WebhookDeliveryOut, WebhookDeliveryQuery } from './delivery.dto';

@ApiTags('Webhooks')
@Controller('webhooks/:endpoint_id/deliveries')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly previews: DeliveryPreviews,
  ) {}

  @Get()
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({
    summary: 'List deliveries',
    description:
      'Newest first. Filters are combined with AND. Deliveries older than the retention period of this installation are not listed.',
  })
  @Lists(WebhookDeliveryOut)
  list(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Query() query: WebhookDeliveryQuery,
  ) {
    return this.deliveries.list(caller, endpointId, query);
  }

  @Get(':delivery_id')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @IdParam('delivery_id', 'The delivery.')
  @ApiOperation({ summary: 'Read a delivery', description: 'Includes the body and the attempts.' })
  @Gives(WebhookDeliveryDetailOut)
  @Fails(ErrorCode.WebhookDeliveryNotFound)
  get(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Param('delivery_id') deliveryId: string,
  ) {
    return this.deliveries.get(caller, endpointId, deliveryId);
  }

  @Post(':delivery_id/redeliver')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @IdParam('delivery_id', 'The delivery.')
  @ApiOperation({
    summary: 'Redeliver a delivery',
    description:
      'Queues the delivery again, whatever its status, and restarts its retry schedule. The receiver gets the same `webhook-id`.',
  })
  @Gives(WebhookDeliveryOut, 'The queued delivery.')
  @Fails(ErrorCode.WebhookDeliveryNotFound, ErrorCode.WebhookEndpointConflict)
  redeliver(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Param('delivery_id') deliveryId: string,
  ) {
    return this.deliveries.redeliver(caller, endpointId, deliveryId);
  }

  @Post(':delivery_id/preview')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @IdParam('delivery_id', 'The delivery.')
  @ApiOperation({
    summary: 'Preview the request of a delivery',
    description:
      'The request as it would go now, with the present address and headers of the endpoint. Nothing is sent, and no secret is shown.',
  })
  @ShowsSecret()
  @Gives(WebhookPreviewOut, 'The request.')
  @Fails(ErrorCode.WebhookDeliveryNotFound)
  preview(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Param('delivery_id') deliveryId: string,
  ) {
    return this.previews.preview(caller, endpointId, deliveryId);
  }
}
