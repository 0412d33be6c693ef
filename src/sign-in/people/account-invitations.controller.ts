import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { ErrorCode as SessionCode } from '../../auth/sessions/session.errors';
import { Creates, Gives, GivesNothing, Lists, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { IdParam } from '../../http/requests/fields';
import {
  AccountInvitationCreate,
  AccountInvitationCreatedOut,
  AccountInvitationOut,
  AccountInvitationQuery,
} from './account-invitation.dto';
import { AccountInvitations } from './account-invitations.service';
import { ErrorCode } from './people.errors';

/** Invitations to have an account here, for platform administrators. */
@ApiTags('People')
@Controller('users/invitations')
export class AccountInvitationsController {
  constructor(private readonly invitations: AccountInvitations) {}

  @Post()
  @Access('platform-admin')
  @ShowsSecret()
  @ApiOperation({
    summary: 'Invite a person to have an account',
    description:
      'The answer contains a link, valid for 7 days and once, where the person chooses a name and a password. With `SMTP_URL` it is also mailed to the address; otherwise give it to the person yourself. A new invitation of the same address replaces the former one. If a directory has named the address, the person gets the account that waits for it. An address that administers this instance is only invited by a person, as for a link to a new password.',
  })
  @Creates(AccountInvitationCreatedOut, ({ id }) => `/v1/users/invitations/${id}`)
  @Fails(SessionCode.RecentSignInRequired, ErrorCode.UserConflict, ErrorCode.AccountInvitationConflict)
  create(@CurrentCaller() caller: Caller, @Body() body: AccountInvitationCreate) {
    return this.invitations.create(caller, body);
  }

  @Get()
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List the invitations to have an account',
    description: 'Invitations that were not accepted yet, newest first; expired ones for 30 days.',
  })
  @Lists(AccountInvitationOut)
  list(@CurrentCaller() caller: Caller, @Query() query: AccountInvitationQuery) {
    return this.invitations.list(caller, query);
  }

  @Get(':invitation_id')
  @Access('platform-admin')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({ summary: 'Read an invitation to have an account' })
  @Gives(AccountInvitationOut)
  @Fails(ErrorCode.AccountInvitationNotFound)
  get(@CurrentCaller() caller: Caller, @Param('invitation_id') id: string) {
    return this.invitations.get(caller, id);
  }

  @Delete(':invitation_id')
  @Access('platform-admin')
  @IdParam('invitation_id', 'The invitation.')
  @ApiOperation({ summary: 'Delete an invitation to have an account' })
  @GivesNothing('Its link no longer works.')
  @Fails(ErrorCode.AccountInvitationNotFound)
  remove(@CurrentCaller() caller: Caller, @Param('invitation_id') id: string) {
    return this.invitations.remove(caller, id);
  }
}
