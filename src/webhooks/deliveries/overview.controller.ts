import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../webhook.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../webhook.errors';
import { WebhookOverviewOut, WebhookOverviewQuery } from './overview.dto';
import { WebhookOverviewService } from './overview.service';

@ApiTags('Webhooks')
@Controller('webhooks/stats')
export class WebhookOverviewController {
  constructor(private readonly overview: WebhookOverviewService) {}

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'Read the last day of all endpoints of an organisation',
    description:
      'The attempts of each hour, for each endpoint, and which endpoints fail. For ADMINs and OWNERs of the organisation.',
  })
  @Gives(WebhookOverviewOut, 'The last 24 hours.')
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.InsufficientRole)
  get(@CurrentCaller() caller: Caller, @Query() { org_id }: WebhookOverviewQuery) {
    return this.overview.get(caller, org_id);
  }
}
