import { Module } from '@nestjs/common';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Accounts } from '../users/accounts.service';
import { UsersModule } from '../users/users.module';
import { AccessGuard } from './access.guard';
import { BearerStrategy } from './bearer.strategy';
import { DepartedAccounts } from './departed-accounts';
import { ExternalIssuer } from './external-issuer';
import { Issuer } from './issuer';
import { OwnIssuer } from './own-issuer';
import { KeyRotation } from './signing-keys/key-rotation.schedule';
import { StoredSigningKey } from './signing-keys/signing-key.entity';
import { SigningKeyStore } from './signing-keys/signing-key-store';
import { SigningKeys } from './signing-keys/signing-keys.service';
import { TokenMemory } from './token-memory';
import { TokenVerifier } from './token-verifier';
import { WellKnownController } from './well-known.controller';

@Module({
  imports: [UsersModule],
  controllers: [WellKnownController],
  providers: [
    {
      provide: Issuer,
      inject: [Environment, SigningKeys, Accounts, Clock],
      useFactory: (environment: Environment, keys: SigningKeys, accounts: Accounts, clock: Clock): Issuer => {
        const { externalIssuer, publicUrl, audiences } = environment;
        if (externalIssuer) return new ExternalIssuer(externalIssuer, clock, audiences);
        return new OwnIssuer(publicUrl, keys, accounts);
      },
    },
    { provide: TokenMemory, inject: [Clock], useFactory: (clock: Clock) => new TokenMemory(clock) },
    SigningKeyStore,
    SigningKeys,
    KeyRotation,
    DepartedAccounts,
    TokenVerifier,
    BearerStrategy,
    AccessGuard,
  ],
  exports: [AccessGuard, SigningKeys, TokenMemory, UsersModule],
})
export class AuthModule {
  static readonly declares = {
    entities: [StoredSigningKey],
    tags: [['Auth', 'Metadata of the authorization server.']],
  } as const;
}
