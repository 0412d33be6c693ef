import { Controller, Delete, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Access } from '../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Sessions } from '../../auth/sessions/sessions.service';
import { GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { IdParam } from '../../http/requests/fields';
import { ErrorCode } from '../people/people.errors';
import { IdentityOut, IdentityQuery } from './identity.dto';
import { OwnAccount } from './own-account.service';

/** Identity providers that open the caller's account. */
@ApiTags('Users')
@Controller('users/me/identities')
export class MyIdentitiesController {
  constructor(
    private readonly account: OwnAccount,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List your identities',
    description: 'Who you are at the identity providers that open your account. Newest first.',
  })
  @Lists(IdentityOut)
  list(@CurrentCaller() caller: Caller, @Query() query: IdentityQuery) {
    return this.account.listIdentities(caller, query);
  }

  @Delete(':identity_id')
  @Access('account')
  @IdParam('identity_id', 'The identity.')
  @ApiOperation({
    summary: 'Remove an identity',
    description:
      'Only with the session cookie of the console, at most five minutes after signing in. Ends your other sessions, applications with access and personal tokens. The last way to sign in cannot be removed.',
  })
  @GivesNothing('It no longer opens your account.')
  @Fails(ErrorCode.Forbidden, ErrorCode.IdentityNotFound, ErrorCode.SignInMethodConflict)
  async remove(@Req() request: Request, @Param('identity_id') identityId: string) {
    const session = request.headers.authorization === undefined ? await this.sessions.current(request) : undefined;
    await this.account.removeIdentity(session, identityId);
  }
}
