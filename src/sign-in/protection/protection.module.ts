import { Module } from '@nestjs/common';
import { RowRetention } from '../../database/row-retention';
import { UsersModule } from '../../users/users.module';
import { AccountTries } from './account-tries.entity';
import { AddressTries } from './address-tries.entity';
import { FailedSignIns } from './failed-sign-ins';
import { Protection } from './protection.service';
import { SignInPlace } from './sign-in-place.entity';
import { REMOVE_ACCOUNT_TRIES, REMOVE_ADDRESS_TRIES, REMOVE_PLACES } from './tries.sql';

/** What keeps strangers from guessing. */
@Module({ imports: [UsersModule], providers: [Protection, FailedSignIns], exports: [Protection, FailedSignIns] })
export class ProtectionModule {
  static readonly declares = { entities: [AccountTries, AddressTries, SignInPlace] } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring(
      { name: 'failed tries by account', remove: REMOVE_ACCOUNT_TRIES },
      { name: 'failed tries by address', remove: REMOVE_ADDRESS_TRIES },
      { name: 'places of sign-ins', remove: REMOVE_PLACES },
    );
  }
}
