import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisation.access';
import { Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../organisation.errors';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../members/memberships.service';
import { InvitationOut, InvitationQuery } from './invitation.dto';
import { InvitationsService } from './invitations.service';

/** The invitations of an organisation. `POST …/members` creates them. */
@ApiTags('Organisations')
@Controller('organisations/:org_id/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
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

  @Get(':invitation_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({ summary: 'Read an invitation' })
  @Gives(InvitationOut)
  @Fails(ErrorCode.InvitationNotFound)
  get(@CurrentMember() member: ActingMember, @Param('invitation_id') invitationId: string) {
    return this.invitations.get(member, invitationId);
  }

  @Delete(':invitation_id')
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
