import { Module } from '@nestjs/common';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { Accounts } from '../users/accounts.service';
import { UsersModule } from '../users/users.module';
import { AccessGuard } from './access.guard';
import { BearerStrategy } from './bearer.strategy';
import { DepartedAccounts } from './departed-accounts';
import { ExternalIssuer } from './external-issuer';
import { Issuer } from './issuer';
import { OwnIssuer } from './own-issuer';
import { ConsoleCallers } from './sessions/console-callers';
import { StoredSession } from './sessions/session.entity';
import { Sessions } from './sessions/sessions.service';
import { PersonalAccessToken } from './personal-tokens/personal-access-token.entity';
import { PERSONAL_ACCESS_TOKEN_ERRORS } from './personal-tokens/personal-access-token.errors';
import { PersonalAccessTokensController } from './personal-tokens/personal-access-tokens.controller';
import { PersonalTokenVerifier } from './personal-tokens/personal-token-verifier';
import { PersonalTokens } from './personal-tokens/personal-tokens.service';
import { SCOPE_NAMES } from './scopes';
import { KeyRotation } from './signing-keys/key-rotation.schedule';
import { StoredSigningKey } from './signing-keys/signing-key.entity';
import { SigningKeyStore } from './signing-keys/signing-key-store';
import { SigningKeys } from './signing-keys/signing-keys.service';
import { REMOVE_ENDED } from './sessions/sessions.sql';
import { TokenMemory } from './token-memory';
import { TokenVerifier } from './token-verifier';
import { WellKnownController } from './well-known.controller';

@Module({
  imports: [UsersModule],
  controllers: [WellKnownController, PersonalAccessTokensController],
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
    Sessions,
    ConsoleCallers,
    PersonalTokenVerifier,
    PersonalTokens,
    TokenVerifier,
    BearerStrategy,
    AccessGuard,
  ],
  exports: [AccessGuard, Sessions, SigningKeys, TokenMemory, UsersModule],
})
export class AuthModule {
  static readonly declares = {
    entities: [PersonalAccessToken, StoredSession, StoredSigningKey],
    errors: PERSONAL_ACCESS_TOKEN_ERRORS,
    enums: { Scope: SCOPE_NAMES },
    tags: [['Auth', 'Metadata of the authorization server.']],
  } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring({ name: 'sessions', remove: REMOVE_ENDED });
  }
}
