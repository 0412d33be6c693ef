import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Lists } from '../../../http/answers/answers';
import { OperationId } from '../../../http/openapi/openapi-operations';
import { IdParam } from '../../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../../organisations/members/memberships.service';
import { Access } from '../../scim.access';
import { ListedMemberOut, ListedMemberQuery } from './listed-member.dto';
import { ListedMembers } from './listed-members.service';

/** The list of members. Here, because `organisations/` does not know why the directory gives a role. */
@ApiTags('Organisations')
@Controller('organisations/:org_id/members')
export class ListedMembersController {
  constructor(private readonly members: ListedMembers) {}

  @Get()
  @OperationId('members_list')
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List the members',
    description: 'Each with the effective role and its reason, in the order in which the accounts were created.',
  })
  @Lists(ListedMemberOut)
  list(@CurrentMember() member: ActingMember, @Query() query: ListedMemberQuery) {
    return this.members.list(member, query);
  }
}
