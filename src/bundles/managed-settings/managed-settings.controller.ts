import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { Gives } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../bundle.errors';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import { ManagedSettingsOut, ManagedSettingsReportOut } from './managed-settings.dto';
import { ManagedSettingsService } from './managed-settings.service';

@ApiTags('Organisations')
@Controller('organisations/:org_id/managed-settings')
export class ManagedSettingsController {
  constructor(private readonly settings: ManagedSettingsService) {}

  @Get()
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Export the allow list of MCP servers',
    description:
      'The `managed-settings.json` of Copilot and other clients: the published listings of the organisation, and what is enabled in its bundles, as they are now and as their deployments run them, except stopped ones; by address or command. A list of more than 50,000 ways to run a server or 4 MiB is rejected with 409.',
  })
  @Gives(ManagedSettingsOut, 'The file.')
  @Fails(ErrorCode.OrganisationConflict)
  get(@CurrentMember() member: ActingMember) {
    return this.settings.settings(member);
  }

  @Get('report')
  @OperationId('managed_settings_report_get')
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({ summary: 'List the servers that the allow list cannot name', description: 'And why.' })
  @Gives(ManagedSettingsReportOut, 'The report.')
  @Fails(ErrorCode.OrganisationConflict)
  report(@CurrentMember() member: ActingMember) {
    return this.settings.report(member);
  }
}
