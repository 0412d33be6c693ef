import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisation.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives, GivesNothing } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../organisation.errors';
import { IdParam } from '../../http/requests/fields';
import type { Cause } from '../audit/audit-trail';
import { CurrentCause } from '../audit/cause';
import { MemberChange, MemberOut } from './member.dto';
import { MembersService } from './members.service';
import { type ActingMember, CurrentMember } from './memberships.service';

/** Single members. Their list tells why each has the role, which `scim/` knows (`scim/roles/members/`). */
@ApiTags('Organisations')
@Controller('organisations/:org_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get(':user_id')
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @IdParam('user_id', 'The member.')
  @ApiOperation({ summary: 'Read a member' })
  @Gives(MemberOut)
  @Fails(ErrorCode.MemberNotFound)
  get(@CurrentMember() member: ActingMember, @Param('user_id') userId: string) {
    return this.members.get(member, userId);
  }

  @Patch(':user_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('user_id', 'The member.')
  @ApiOperation({
    summary: "Change a member's manual role",
    description: 'ADMINs can neither assign OWNER nor change an OWNER.',
  })
  @Gives(MemberOut)
  @Fails(ErrorCode.MemberNotFound, ErrorCode.LastOwner)
  change(@CurrentMember() member: ActingMember, @Param('user_id') userId: string, @Body() body: MemberChange) {
    return this.members.change(member, userId, body.role);
  }

  @Delete(':user_id')
  @Access('organisation-member-or-suspended')
  @IdParam('org_id', 'The organisation.')
  @IdParam('user_id', 'The member; your own id to leave.')
  @ApiOperation({
    summary: 'Remove a member or leave',
    description:
      'ADMINs and OWNERs can remove other members, who keep a role assigned by SCIM. Everyone except the last OWNER can leave, even while deactivated by the directory; a directory can then make them a member again only if they accept.',
  })
  @GivesNothing('The manual role was removed, or you have left.')
  @Fails(ErrorCode.MemberNotFound, ErrorCode.InsufficientRole, ErrorCode.LastOwner, ErrorCode.MemberConflict)
  remove(
    @CurrentCaller() { userId }: Caller,
    @CurrentCause() { requestId }: Cause,
    @Param('org_id') orgId: string,
    @Param('user_id') removedId: string,
  ) {
    return this.members.remove({ orgId, userId, requestId }, removedId);
  }
}
