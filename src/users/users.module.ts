import { Module } from '@nestjs/common';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { AccountClaims } from './account-claims';
import { AccountAuditEntry } from './account-log/account-audit-entry.entity';
import { ACCOUNT_ACTIONS, ACCOUNT_ACTORS, ACCOUNT_SUBJECTS } from './account-log/account-actions';
import { AccountLog } from './account-log/account-log';
import { retainedEntries } from './account-log/retained-entries';
import { Accounts } from './accounts.service';
import { User } from './user.entity';
import { Identity } from './identity.entity';
import { DeletedIdentity } from './deleted-identity.entity';
import { USER_ERRORS } from './user.errors';

@Module({ providers: [AccountClaims, AccountLog, Accounts], exports: [AccountClaims, AccountLog, Accounts] })
export class UsersModule {
  static readonly declares = {
    entities: [User, Identity, DeletedIdentity, AccountAuditEntry],
    errors: USER_ERRORS,
    tags: [['Users', 'Your own account.']],
    enums: {
      AccountAction: ACCOUNT_ACTIONS,
      AccountActorType: ACCOUNT_ACTORS,
      AccountSubjectType: ACCOUNT_SUBJECTS,
    },
  } as const;

  constructor(retention: RowRetention, { limits }: Environment) {
    retention.register(...retainedEntries(limits));
  }
}
