import { Controller, Delete, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { GivesNothing } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from '../organisations/organisation.errors';
import { IdParam } from '../http/requests/fields';
import type { Cause } from '../organisations/audit/audit-trail';
import { CurrentCause } from '../organisations/audit/cause';
import { AccountDeletion } from './account-deletion.service';

const WHAT_GOES =
  'Deletes personal bundles, drafts, webhook endpoints, memberships, identities, the address and the name. Published listings stay, archived and without an owner; everything that belongs to organisations stays theirs. It cannot be undone.';

@ApiTags('Users')
@Controller('users')
export class AccountDeletionController {
  constructor(private readonly accounts: AccountDeletion) {}

  @Delete('me')
  @Access('account')
  @ApiOperation({
    summary: 'Delete your own account',
    description: `${WHAT_GOES} All earlier access tokens are rejected at once; a token that was issued later creates a new account.`,
  })
  @GivesNothing('The account was deleted.')
  @Fails(ErrorCode.LastOwner)
  removeOwn(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause) {
    return this.accounts.removeOwn(caller, cause);
  }

  @Delete(':user_id')
  @Access('platform-admin')
  @IdParam('user_id', 'The account.')
  @ApiOperation({ summary: 'Delete an account', description: WHAT_GOES })
  @GivesNothing('The account was deleted.')
  @Fails(ErrorCode.UserNotFound, ErrorCode.LastOwner)
  removeOther(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Param('user_id') userId: string) {
    return this.accounts.removeOther(caller, cause, userId);
  }
}
