import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { ErrorCode } from '../../bundles/bundle.errors';
import { BundleParam } from '../../bundles/bundle-param';
import { Fails } from '../../http/answers/api-errors';
import { Gives } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import type { Cause } from '../../organisations/audit/audit-trail';
import { CurrentCause } from '../../organisations/audit/cause';
import { EndpointOut, EndpointUpdate } from './endpoint.dto';
import { EndpointReportOut, EndpointStatusOut } from './endpoint-report.dto';
import { EndpointReports } from './endpoint-reports.service';
import { EndpointsService } from './endpoints.service';

@ApiTags('MCP Endpoints')
@Controller('bundles/:bundle_id')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly reports: EndpointReports,
  ) {}

  @Get('endpoint')
  @OperationId('bundle_endpoint_get')
  @Access('bundle-reader')
  @BundleParam()
  @ApiOperation({
    summary: 'Read the endpoint of a bundle',
    description: 'Where MCP clients connect to use the tools, prompts and resources of all its enabled entries.',
  })
  @Gives(EndpointOut)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.endpoints.get(caller, bundleId);
  }

  @Patch('endpoint')
  @OperationId('bundle_endpoint_update')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Change the endpoint of a bundle',
    description:
      'Enable or disable it, or change how it names tools, what it allows without a rule, and whether clients get all tools or search for them; the last two make a version of the bundle. A field that is absent or null keeps its value.',
  })
  @Gives(EndpointOut)
  @Fails(ErrorCode.BundleConflict)
  update(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('bundle_id') bundleId: string,
    @Body() body: EndpointUpdate,
  ) {
    return this.endpoints.update(caller, cause, bundleId, body);
  }

  @Get('endpoint/status')
  @OperationId('bundle_endpoint_status_get')
  @Access('bundle-insider')
  @BundleParam()
  @ApiOperation({
    summary: 'Read the status of the endpoint of a bundle',
    description: 'What is known of the server of each enabled entry, as far as you may see its listing.',
  })
  @Gives(EndpointStatusOut)
  status(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.reports.status(caller, bundleId);
  }

  @Post('endpoint/refresh')
  @OperationId('bundle_endpoint_refresh')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Read the lists of the servers of a bundle again',
    description:
      'Now, instead of when they are due. Asks again which revisions they speak, and ends the sessions with them. A server whose lists were read in the last five seconds is not asked again. Waits for at most ten seconds; what takes longer goes on.',
  })
  @Gives(EndpointStatusOut, 'The status afterwards.')
  refresh(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.reports.refresh(caller, bundleId);
  }

  @Post('compile')
  @OperationId('bundle_endpoint_compile')
  @Access('bundle-editor', 'bundles:read')
  @BundleParam()
  @ApiOperation({
    summary: 'Preview the endpoint of a bundle',
    description:
      'What MCP clients would get from it now, as far as you may see the listings, and what is wrong with it; also while it is disabled. Changes nothing. Servers that were never asked are asked first, for at most two seconds.',
  })
  @Gives(EndpointReportOut, 'The report.')
  compile(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.reports.compile(caller, bundleId);
  }
}
