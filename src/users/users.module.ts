import { Module } from '@nestjs/common';
import { Accounts } from './accounts.service';
import { User } from './user.entity';
import { Identity } from './identity.entity';
import { DeletedIdentity } from './deleted-identity.entity';
import { USER_ERRORS } from './user.errors';

@Module({ providers: [Accounts], exports: [Accounts] })
export class UsersModule {
  static readonly declares = {
    entities: [User, Identity, DeletedIdentity],
    errors: USER_ERRORS,
    tags: [['Users', 'Your own account.']],
  } as const;
}
