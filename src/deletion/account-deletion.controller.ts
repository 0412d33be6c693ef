import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { NeedsRecentSignIn } from '../auth/recent-sign-in';
import { Gives, GivesNothing } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from '../organisations/organisation.errors';
import { OperationId } from '../http/openapi/openapi-operations';
import { IdParam } from '../http/requests/fields';
import type { Cause } from '../organisations/audit/audit-trail';
import { CurrentCause } from '../organisations/audit/cause';
import { AccountDeparturePreview } from './account-departure-preview';
import { AccountDeparturePreviewOut } from './account-departure-preview.dto';
import { AccountDeletion } from './account-deletion.service';

const DELETED_DATA =
  'Deletes personal bundles, drafts, webhook endpoints, memberships, identities, the address and the name. Published listings are archived and lose their owner; everything that belongs to an organisation stays. This cannot be undone.';

const ONLY_BY_PERSON =
  'Takes a sign-in that is at most five minutes old, in a browser or by `auth_time` in a token of `OIDC_ISSUER`; a token of `npm run token`; or the scope `account:delete`, which a program has only if the person allowed exactly that.';

@ApiTags('Users')
@Controller('users')
export class AccountDeletionController {
  constructor(
    private readonly accounts: AccountDeletion,
    private readonly previews: AccountDeparturePreview,
  ) {}

  @Delete('me')
  @Access('account')
  @NeedsRecentSignIn('account:delete')
  @ApiOperation({
    summary: 'Delete your own account',
    description: `${DELETED_DATA} All existing access tokens are rejected immediately; a token issued later creates a new account. ${ONLY_BY_PERSON}`,
  })
  @GivesNothing('The account was deleted.')
  @Fails(ErrorCode.LastOwner)
  removeOwn(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause) {
    return this.accounts.removeOwn(caller, cause);
  }

  @Get(':user_id/departure-preview')
  @OperationId('users_preview_departure')
  @Access('platform-admin')
  @IdParam('user_id', 'The account.')
  @ApiOperation({
    summary: 'Preview the closing and the deletion of an account',
    description:
      'Counts what would end if the account were closed, and what would go as well if it were deleted. Nothing changes.',
  })
  @Gives(AccountDeparturePreviewOut, 'What would end, and what would be deleted.')
  @Fails(ErrorCode.UserNotFound)
  preview(@CurrentCaller() caller: Caller, @Param('user_id') userId: string) {
    return this.previews.of(caller, userId);
  }

  @Delete(':user_id')
  @Access('platform-admin')
  @NeedsRecentSignIn('account:delete')
  @IdParam('user_id', 'The account.')
  @ApiOperation({ summary: 'Delete an account', description: `${DELETED_DATA} ${ONLY_BY_PERSON}` })
  @GivesNothing('The account was deleted.')
  @Fails(ErrorCode.UserNotFound, ErrorCode.LastOwner)
  removeOther(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Param('user_id') userId: string) {
    return this.accounts.removeOther(caller, cause, userId);
  }
}
