import { Module } from '@nestjs/common';
import { RowRetention } from '../../database/row-retention';
import { AccountTries } from './account-tries.entity';
import { AddressTries } from './address-tries.entity';
import { Protection } from './protection.service';
import { REMOVE_ACCOUNT_TRIES, REMOVE_ADDRESS_TRIES } from './tries.sql';

/** What keeps strangers from guessing. */
@Module({ providers: [Protection], exports: [Protection] })
export class ProtectionModule {
  static readonly declares = { entities: [AccountTries, AddressTries] } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring(
      { name: 'failed tries by account', remove: REMOVE_ACCOUNT_TRIES },
      { name: 'failed tries by address', remove: REMOVE_ADDRESS_TRIES },
    );
  }
}
