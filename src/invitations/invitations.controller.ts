import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisations/organisation.access';
import { Creates, Gives, GivesNothing, Lists } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { OperationId } from '../http/openapi/openapi-operations';
import { ErrorCode } from './invitation.errors';
import { IdParam } from '../http/requests/fields';
import { type ActingMember, CurrentMember } from '../organisations/members/memberships.service';
import { InvitationCreate, InvitationOut, InvitationQuery } from './invitation.dto';
import { InvitationsService } from './invitations.service';

/** The invitations of an organisation. */
@ApiTags('Organisations')
@Controller('organisations/:org_id')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post('members')
  @OperationId('members_invite')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Invite a member',
    description:
      'By e-mail address, or by the id of a user who is in one of your organisations. The user becomes a member by accepting. The response is the same whether or not the address has an account.',
  })
  @Creates(InvitationOut, ({ id }, path) => `/v1/organisations/${path.org_id as string}/invitations/${id}`)
  @Fails(ErrorCode.UserNotFound, ErrorCode.MemberConflict, ErrorCode.InvitationConflict, ErrorCode.RateLimited)
  invite(@CurrentMember() member: ActingMember, @Body() body: InvitationCreate) {
    return this.invitations.invite(member, body);
  }

  @Get('invitations')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List the invitations',
    description: 'Newest first. Invitations are removed 90 days after their expiry date, whatever their status.',
  })
  @Lists(InvitationOut)
  list(@CurrentMember() member: ActingMember, @Query() query: InvitationQuery) {
    return this.invitations.list(member, query);
  }

  @Get('invitations/:invitation_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({ summary: 'Read an invitation' })
  @Gives(InvitationOut)
  @Fails(ErrorCode.InvitationNotFound)
  get(@CurrentMember() member: ActingMember, @Param('invitation_id') invitationId: string) {
    return this.invitations.get(member, invitationId);
  }

  @Delete('invitations/:invitation_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({
    summary: 'Revoke an invitation',
    description:
      'Only an OWNER can revoke an invitation to OWNER. Revoking a declined or expired invitation has no effect.',
  })
  @GivesNothing('The invitation can no longer be accepted.')
  @Fails(ErrorCode.InvitationNotFound, ErrorCode.InvitationConflict)
  revoke(@CurrentMember() member: ActingMember, @Param('invitation_id') invitationId: string) {
    return this.invitations.revoke(member, invitationId);
  }
}
