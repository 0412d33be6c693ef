import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Gives, Lists } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from './invitation.errors';
import { IdParam } from '../http/requests/fields';
import { PageQuery } from '../http/requests/page';
import type { Cause } from '../organisations/audit/audit-trail';
import { CurrentCause } from '../organisations/audit/cause';
import { MyInvitationOut } from './my-invitation.dto';
import { MyInvitationsService } from './my-invitations.service';

/** The invitations to the caller. */
@ApiTags('Users')
@Controller('users/me/invitations')
export class MyInvitationsController {
  constructor(private readonly invitations: MyInvitationsService) {}

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List your invitations',
    description:
      'Everything you can answer: invitations to you or your verified address, and memberships from a directory that you have not accepted or that you left. Newest first.',
  })
  @Lists(MyInvitationOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.invitations.list(caller, query);
  }

  @Post(':invitation_id/accept')
  @Access('account')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({
    summary: 'Accept an invitation',
    description:
      'Makes you a member. Also lets you rejoin an organisation that you left and whose directory still lists you.',
  })
  @Gives(MyInvitationOut)
  @Fails(ErrorCode.InvitationNotFound, ErrorCode.InvitationConflict, ErrorCode.MemberConflict)
  accept(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Param('invitation_id') id: string) {
    return this.invitations.accept(caller, cause, id);
  }

  @Post(':invitation_id/decline')
  @Access('account')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({
    summary: 'Decline an invitation',
    description: 'After you decline, a directory cannot make you a member unless you accept.',
  })
  @Gives(MyInvitationOut)
  @Fails(ErrorCode.InvitationNotFound, ErrorCode.InvitationConflict)
  decline(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Param('invitation_id') id: string) {
    return this.invitations.decline(caller, cause, id);
  }
}
