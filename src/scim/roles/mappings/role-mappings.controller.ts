import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../scim.access';
import { Creates, Gives, GivesNothing, Lists } from '../../../http/answers/answers';
import { Fails } from '../../../http/answers/api-errors';
import { ErrorCode } from '../../scim.errors';
import { IdParam } from '../../../http/requests/fields';
import { PageQuery } from '../../../http/requests/page';
import { type ActingMember, CurrentMember } from '../../../organisations/members/memberships.service';
import { ConfirmQuery } from '../sync/confirmation';
import { RoleMappingChange, RoleMappingCreate, RoleMappingOut } from './role-mapping.dto';
import { RoleMappingsService } from './role-mappings.service';

const AT_ONCE = 'The roles of the group members are updated immediately.';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim/role-mappings')
export class RoleMappingsController {
  constructor(private readonly mappings: RoleMappingsService) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({ summary: 'List the role mappings', description: 'Oldest first.' })
  @Lists(RoleMappingOut)
  list(@CurrentMember() member: ActingMember, @Query() query: PageQuery) {
    return this.mappings.list(member, query);
  }

  @Post()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Map a group to a role',
    description: `A member of several mapped groups gets the highest of their roles. ${AT_ONCE}`,
  })
  @Creates(RoleMappingOut, ({ id }, path) => `/v1/organisations/${path.org_id as string}/scim/role-mappings/${id}`)
  @Fails(
    ErrorCode.ScimGroupNotFound,
    ErrorCode.RoleMappingConflict,
    ErrorCode.ConfirmationRequired,
    ErrorCode.LastOwner,
  )
  create(@CurrentMember() member: ActingMember, @Body() body: RoleMappingCreate, @Query() query: ConfirmQuery) {
    return this.mappings.create(member, body, query);
  }

  @Get(':mapping_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('mapping_id', 'The role mapping.')
  @ApiOperation({ summary: 'Read a role mapping' })
  @Gives(RoleMappingOut)
  @Fails(ErrorCode.RoleMappingNotFound)
  get(@CurrentMember() member: ActingMember, @Param('mapping_id') mappingId: string) {
    return this.mappings.get(member, mappingId);
  }

  @Patch(':mapping_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('mapping_id', 'The role mapping.')
  @ApiOperation({
    summary: 'Change the role of a role mapping',
    description: `Only an OWNER can change a mapping to or from OWNER. ${AT_ONCE}`,
  })
  @Gives(RoleMappingOut)
  @Fails(
    ErrorCode.RoleMappingNotFound,
    ErrorCode.RoleMappingConflict,
    ErrorCode.ConfirmationRequired,
    ErrorCode.LastOwner,
  )
  change(
    @CurrentMember() member: ActingMember,
    @Param('mapping_id') mappingId: string,
    @Body() body: RoleMappingChange,
    @Query() query: ConfirmQuery,
  ) {
    return this.mappings.change(member, mappingId, body, query);
  }

  @Delete(':mapping_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('mapping_id', 'The role mapping.')
  @ApiOperation({
    summary: 'Delete a role mapping',
    description: `Only an OWNER can delete a mapping to OWNER. ${AT_ONCE}`,
  })
  @GivesNothing('The mapping was deleted; manual roles, other mappings and the default role still apply.')
  @Fails(ErrorCode.RoleMappingNotFound, ErrorCode.ConfirmationRequired, ErrorCode.LastOwner)
  remove(@CurrentMember() member: ActingMember, @Param('mapping_id') mappingId: string, @Query() query: ConfirmQuery) {
    return this.mappings.remove(member, mappingId, query);
  }
}
