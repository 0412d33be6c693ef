import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../../auth/caller';
import { Lists } from '../../../http/answers/answers';
import { OperationId } from '../../../http/openapi/openapi-operations';
import { AccountAuditEntryOut, AccountAuditLogQuery, OwnAuditLogQuery } from './account-audit-entry.dto';
import { AccountAuditLog } from './account-audit-log.service';

/** What happened to accounts and OAuth clients, for platform administrators. */
@ApiTags('People')
@Controller('audit-log')
export class AccountAuditLogController {
  constructor(private readonly log: AccountAuditLog) {}

  @Get()
  @OperationId('account_audit_log_list')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'Read the audit log of accounts',
    description:
      'Sign-ins, failed ones included, and changes of accounts, personal access tokens and OAuth clients, with who did it. Newest first. What happens in an organisation is in its own audit log.',
  })
  @Lists(AccountAuditEntryOut)
  list(@CurrentCaller() caller: Caller, @Query() query: AccountAuditLogQuery) {
    return this.log.list(caller, query);
  }
}

/** What happened to the account of the caller. */
@ApiTags('Users')
@Controller('users/me/audit-log')
export class OwnAuditLogController {
  constructor(private readonly log: AccountAuditLog) {}

  @Get()
  @OperationId('own_audit_log_list')
  @Access('account')
  @ApiOperation({
    summary: 'Read what happened to your account',
    description:
      'Sign-ins, failed ones included, and changes of your account and your personal access tokens. Newest first.',
  })
  @Lists(AccountAuditEntryOut)
  list(@CurrentCaller() caller: Caller, @Query() query: OwnAuditLogQuery) {
    return this.log.listOwn(caller, query);
  }
}
