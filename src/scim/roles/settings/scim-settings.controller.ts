import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../scim.access';
import { Gives } from '../../../http/answers/answers';
import { Fails } from '../../../http/answers/api-errors';
import { ErrorCode } from '../../scim.errors';
import { IdParam } from '../../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../../organisations/members/memberships.service';
import { ConfirmQuery } from '../sync/confirmation';
import { ScimSettingsOut, ScimSettingsPut } from './scim-settings.dto';
import { ScimSettingsService } from './scim-settings.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim/settings')
export class ScimSettingsController {
  constructor(private readonly settings: ScimSettingsService) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Read the SCIM settings',
    description: 'Includes the URL to paste into the identity provider, and when the provider last called.',
  })
  @Gives(ScimSettingsOut, 'The settings.')
  get(@CurrentMember() member: ActingMember) {
    return this.settings.get(member);
  }

  @Put()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Set the SCIM settings',
    description:
      'All three are required. Roles are updated immediately. Only an OWNER can change `allow_owner_mapping`.',
  })
  @Gives(ScimSettingsOut, 'The new settings.')
  @Fails(ErrorCode.ConfirmationRequired, ErrorCode.LastOwner)
  put(@CurrentMember() member: ActingMember, @Body() body: ScimSettingsPut, @Query() query: ConfirmQuery) {
    return this.settings.put(member, body, query);
  }
}
