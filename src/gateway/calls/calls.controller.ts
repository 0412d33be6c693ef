import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { BundleParam } from '../../bundles/bundle-param';
import { Gives, Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { CallOut, CallsQuery } from './call.dto';
import { CallStatisticsOut, CallStatisticsQuery } from './call-statistics.dto';
import { CallStatistics } from './call-statistics.service';
import { CallsService } from './calls.service';

@ApiTags('MCP Endpoints')
@Controller('bundles/:bundle_id/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly statistics: CallStatistics,
  ) {}

  @Get()
  @OperationId('bundle_calls_list')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Read the record of calls of a bundle',
    description:
      'Who called which tool, prompt, resource or completion through its endpoint and its deployments, and what became of it; never the arguments or the result. Newest first. Kept for as long as the operator has set, 90 days by default.',
  })
  @Lists(CallOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: CallsQuery) {
    return this.calls.list(caller, bundleId, query);
  }

  @Get('statistics')
  @OperationId('bundle_call_statistics_get')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Count the calls of a bundle',
    description: 'Calls, errors, durations and bytes by tool, entry, principal or outcome. Exact, up to 500,000 calls.',
  })
  @Gives(CallStatisticsOut, 'The figures.')
  count(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: CallStatisticsQuery) {
    return this.statistics.get(caller, bundleId, query);
  }
}
