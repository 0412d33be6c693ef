import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { NeedsRecentSignIn } from '../../auth/recent-sign-in';
import { Gives, Lists, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { PasswordResets } from './password-resets.service';
import { ErrorCode } from './people.errors';
import { PeopleService } from './people.service';
import { PasswordResetLinkOut, UserClose, UserOut, UserQuery } from './user.dto';

/** The accounts of others, for platform administrators. */
@ApiTags('People')
@Controller('users')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    private readonly resets: PasswordResets,
  ) {}

  @Get()
  @OperationId('users_list')
  @Access('platform-admin')
  @ApiOperation({ summary: 'List all accounts', description: 'Newest first, without deleted accounts.' })
  @Lists(UserOut)
  list(@CurrentCaller() caller: Caller, @Query() query: UserQuery) {
    return this.people.list(caller, query);
  }

  @Get(':user_id')
  @OperationId('users_get')
  @Access('platform-admin')
  @IdParam('user_id', 'The account.')
  @ApiOperation({ summary: 'Read an account' })
  @Gives(UserOut)
  @Fails(ErrorCode.UserNotFound)
  get(@CurrentCaller() caller: Caller, @Param('user_id') userId: string) {
    return this.people.get(caller, userId);
  }

  @Post(':user_id/close')
  @OperationId('users_close')
  @HttpCode(200)
  @Access('platform-admin')
  @IdParam('user_id', 'The account.')
  @ApiOperation({
    summary: 'Close an account',
    description:
      'Ends its sessions, applications with access and personal tokens, and rejects its access tokens everywhere. Nothing of it is deleted, and it can be opened again. You cannot close your own account, nor that of the last platform administrator.',
  })
  @ApiBody({ type: UserClose, required: false })
  @Gives(UserOut)
  @Fails(ErrorCode.UserNotFound, ErrorCode.UserConflict, ErrorCode.LastOwner)
  close(@CurrentCaller() caller: Caller, @Param('user_id') userId: string, @Body() body: UserClose = {}) {
    return this.people.close(caller, userId, body);
  }

  @Post(':user_id/reopen')
  @OperationId('users_reopen')
  @HttpCode(200)
  @Access('platform-admin')
  @IdParam('user_id', 'The account.')
  @ApiOperation({
    summary: 'Open a closed account again',
    description: 'The person signs in as before. Sessions and tokens that were ended stay so.',
  })
  @Gives(UserOut)
  @Fails(ErrorCode.UserNotFound, ErrorCode.UserConflict)
  reopen(@CurrentCaller() caller: Caller, @Param('user_id') userId: string) {
    return this.people.reopen(caller, userId);
  }

  @Post(':user_id/password-reset-link')
  @OperationId('users_create_password_reset_link')
  @HttpCode(200)
  @Access('platform-admin')
  @NeedsRecentSignIn()
  @ShowsSecret()
  @IdParam('user_id', 'The account.')
  @ApiOperation({
    summary: 'Create a link to set a new password',
    description:
      'Valid for 24 hours and once; a new link replaces the former one. With `SMTP_URL` it is also mailed to the address of the account; otherwise give it to the person yourself. Using it ends all sessions, applications with access and personal tokens of the account. Only a person can create it, since the link is as good as the account: in a browser, at most five minutes after signing in; with a token of `OIDC_ISSUER` whose `auth_time` is as recent; or with one of `npm run token`.',
  })
  @Gives(PasswordResetLinkOut, 'The link, shown only here.')
  @Fails(ErrorCode.UserNotFound, ErrorCode.UserConflict)
  createPasswordResetLink(@CurrentCaller() caller: Caller, @Param('user_id') userId: string) {
    return this.resets.create(caller, userId);
  }
}
