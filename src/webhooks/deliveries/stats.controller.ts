import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../webhook.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives } from '../../http/answers/answers';
import { IdParam } from '../../http/requests/fields';
import { WebhookStatsOut, WebhookStatsQuery } from './stats.dto';
import { WebhookStatsService } from './stats.service';

@ApiTags('Webhooks')
@Controller('webhooks/:endpoint_id/stats')
export class WebhookStatsController {
  constructor(private readonly stats: WebhookStatsService) {}

  @Get()
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({
    summary: 'Read how an endpoint is doing',
    description: 'Attempts by hour with the time that they took, and what is queued now.',
  })
  @Gives(WebhookStatsOut, 'The hours of that time, and the queue as it is now.')
  get(@CurrentCaller() caller: Caller, @Param('endpoint_id') endpointId: string, @Query() query: WebhookStatsQuery) {
    return this.stats.get(caller, endpointId, query);
  }
}
