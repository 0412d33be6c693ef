import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../webhook.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../webhook.errors';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { RecoveriesService } from './recoveries.service';
import { WebhookRecoveryCreate, WebhookRecoveryOut } from './recovery.dto';
import { CreatesUnlessDry } from './recovery-answer';
import { RecoveryCounts } from './recovery-counts.service';

@ApiTags('Webhooks')
@Controller('webhooks/:endpoint_id')
export class WebhookRecoveriesController {
  constructor(
    private readonly recoveries: RecoveriesService,
    private readonly counts: RecoveryCounts,
  ) {}

  @Post('recover')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({
    summary: 'Recover missed deliveries',
    description:
      'Redelivers everything that failed or was cancelled in a period, in the order of the events and within the rate limit of the endpoint. The job survives restarts; follow its progress at `Location`. Only one recovery per endpoint can run at a time. With `dry_run`, it only counts what it would do.',
  })
  @CreatesUnlessDry()
  @Fails(ErrorCode.WebhookEndpointConflict, ErrorCode.WebhookRecoveryConflict)
  start(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Body() body: WebhookRecoveryCreate,
  ) {
    return body.dry_run ? this.counts.count(caller, endpointId, body) : this.recoveries.start(caller, endpointId, body);
  }

  @Get('recoveries')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @ApiOperation({ summary: 'List recoveries', description: 'Newest first.' })
  @Lists(WebhookRecoveryOut)
  list(@CurrentCaller() caller: Caller, @Param('endpoint_id') endpointId: string, @Query() query: PageQuery) {
    return this.recoveries.list(caller, endpointId, query);
  }

  @Get('recoveries/:recovery_id')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @IdParam('recovery_id', 'The recovery.')
  @ApiOperation({ summary: 'Read a recovery', description: 'Includes its progress.' })
  @Gives(WebhookRecoveryOut)
  @Fails(ErrorCode.WebhookRecoveryNotFound)
  get(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Param('recovery_id') recoveryId: string,
  ) {
    return this.recoveries.get(caller, endpointId, recoveryId);
  }

  @Delete('recoveries/:recovery_id')
  @Access('endpoint-manager')
  @IdParam('endpoint_id', 'The webhook endpoint.')
  @IdParam('recovery_id', 'The recovery.')
  @ApiOperation({
    summary: 'Cancel a running recovery',
    description: 'Deliveries that it has already queued stay queued.',
  })
  @GivesNothing('The recovery was cancelled. It can still be read.')
  @Fails(ErrorCode.WebhookRecoveryNotFound, ErrorCode.WebhookRecoveryConflict)
  cancel(
    @CurrentCaller() caller: Caller,
    @Param('endpoint_id') endpointId: string,
    @Param('recovery_id') recoveryId: string,
  ) {
    return this.recoveries.cancel(caller, endpointId, recoveryId);
  }
}
