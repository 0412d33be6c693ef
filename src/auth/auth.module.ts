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
import { PersonSessions } from './sessions/person-sessions.service';
import { PersonSessionsController, SessionController } from './sessions/sessions.controller';
import { SESSION_ERRORS } from './sessions/session.errors';
import { StoredSession } from './sessions/session.entity';
import { Sessions } from './sessions/sessions.service';
import { SignOuts } from './sessions/sign-outs';
import { REMOVE_ENDED } from './sessions/sessions.sql';
import { signingKey } from './signing-key';
import { TokenMemory } from './token-memory';
import { TokenVerifier } from './token-verifier';
import { WellKnownController } from './well-known.controller';

@Module({
  imports: [UsersModule],
  controllers: [WellKnownController, SessionController, PersonSessionsController],
  providers: [
    {
      provide: Issuer,
      inject: [Environment, Accounts, Clock],
      useFactory: async (environment: Environment, accounts: Accounts, clock: Clock): Promise<Issuer> => {
        const { externalIssuer, publicUrl, dataDir, audience } = environment;
        if (externalIssuer) return new ExternalIssuer(externalIssuer, clock, audience);
        return OwnIssuer.create(publicUrl, await signingKey(dataDir), accounts);
      },
    },
    { provide: TokenMemory, inject: [Clock], useFactory: (clock: Clock) => new TokenMemory(clock) },
    DepartedAccounts,
    Sessions,
    ConsoleCallers,
    PersonSessions,
    SignOuts,
    TokenVerifier,
    BearerStrategy,
    AccessGuard,
  ],
  exports: [AccessGuard, Sessions, SignOuts, TokenMemory, UsersModule],
})
export class AuthModule {
  static readonly declares = {
    entities: [StoredSession],
    errors: SESSION_ERRORS,
    tags: [
      ['Auth', 'Metadata of the authorization server.'],
      ['Sessions', 'Where you are signed in.'],
    ],
  } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring({ name: 'sessions', remove: REMOVE_ENDED });
  }
}
