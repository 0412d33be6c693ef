import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../scim.access';
import { Gives, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../scim.errors';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import { DirectoryGroupMemberOut, DirectoryGroupOut, DirectoryGroupQuery } from './directory-group.dto';
import { DirectoryGroupsService } from './directory-groups.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim/directory/groups')
export class DirectoryGroupsController {
  constructor(private readonly groups: DirectoryGroupsService) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List the directory groups',
    description: 'All groups that the identity provider pushed, mapped or not, ordered by `displayName`.',
  })
  @Lists(DirectoryGroupOut)
  list(@CurrentMember() member: ActingMember, @Query() query: DirectoryGroupQuery) {
    return this.groups.list(member, query);
  }

  @Get(':group_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('group_id', 'The `id` of the SCIM resource.')
  @ApiOperation({ summary: 'Read a directory group' })
  @Gives(DirectoryGroupOut)
  @Fails(ErrorCode.ScimGroupNotFound)
  get(@CurrentMember() member: ActingMember, @Param('group_id') groupId: string) {
    return this.groups.get(member, groupId);
  }

  @Get(':group_id/members')
  @OperationId('directory_group_members_list')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('group_id', 'The `id` of the SCIM resource.')
  @ApiOperation({ summary: 'List the members of a directory group', description: 'Each with the effective role.' })
  @Lists(DirectoryGroupMemberOut)
  @Fails(ErrorCode.ScimGroupNotFound)
  members(@CurrentMember() member: ActingMember, @Param('group_id') groupId: string, @Query() query: PageQuery) {
    return this.groups.members(member, groupId, query);
  }
}
