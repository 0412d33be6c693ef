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
    summary: 'Read the statistics of an endpoint',
    description: 'Attempts per hour with their durations, and the current queue.',
  })
  @Gives(WebhookStatsOut, 'The hours of the period, and the current queue.')
  get(@CurrentCaller() caller: Caller, @Param('endpoint_id') endpointId: string, @Query() query: WebhookStatsQuery) {
    return this.stats.get(caller, endpointId, query);
  }
}
