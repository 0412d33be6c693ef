import { Module } from '@nestjs/common';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Accounts } from '../users/accounts.service';
import { UsersModule } from '../users/users.module';
import { AccessGuard } from './access.guard';
import { AudienceGuard } from './audience.guard';
import { ArtifactRetention } from './authorization-server/artifact-retention';
import { AuthorizationServer } from './authorization-server/authorization-server';
import { OAUTH_CLIENT_ERRORS } from './authorization-server/clients/oauth-client.errors';
import { OAuthClientsController } from './authorization-server/clients/oauth-clients.controller';
import { OAuthClientsService } from './authorization-server/clients/oauth-clients.service';
import { ConsentController } from './authorization-server/consent.controller';
import { ConsentPage } from './authorization-server/consent-page';
import { GrantsController } from './authorization-server/grants/grants.controller';
import { GrantsService } from './authorization-server/grants/grants.service';
import { OAuthArtifact } from './authorization-server/oauth-artifact.entity';
import { CLIENT_SOURCES, OAuthClient } from './authorization-server/oauth-client.entity';
import { OAuthClientSecret } from './authorization-server/oauth-client-secret.entity';
import { ProtocolController } from './authorization-server/protocol.controller';
import { TokenStatus } from './authorization-server/token-status';
import { BearerStrategy } from './bearer.strategy';
import { DepartedAccounts } from './departed-accounts';
import { ExternalIssuer } from './external-issuer';
import { Issuer } from './issuer';
import { OwnIssuer } from './own-issuer';
import { ConsoleCallers } from './sessions/console-callers';
import { StoredSession } from './sessions/session.entity';
import { Sessions } from './sessions/sessions.service';
import { signingKey } from './signing-key';
import { TokenMemory } from './token-memory';
import { TokenVerifier } from './token-verifier';
import { WellKnownController } from './well-known.controller';

@Module({
  imports: [UsersModule],
  controllers: [WellKnownController, ProtocolController, ConsentController, OAuthClientsController, GrantsController],
  providers: [
    {
      provide: Issuer,
      inject: [Environment, Accounts, Clock, TokenStatus],
      useFactory: async (
        environment: Environment,
        accounts: Accounts,
        clock: Clock,
        status: TokenStatus,
      ): Promise<Issuer> => {
        const { externalIssuer, publicUrl, dataDir, audience } = environment;
        if (externalIssuer) return new ExternalIssuer(externalIssuer, clock, audience);
        return OwnIssuer.create(publicUrl, await signingKey(dataDir), accounts, status);
      },
    },
    { provide: TokenMemory, inject: [Clock], useFactory: (clock: Clock) => new TokenMemory(clock) },
    DepartedAccounts,
    Sessions,
    TokenStatus,
    AuthorizationServer,
    ConsentPage,
    ArtifactRetention,
    OAuthClientsService,
    GrantsService,
    ConsoleCallers,
    TokenVerifier,
    BearerStrategy,
    AccessGuard,
    AudienceGuard,
  ],
  exports: [AccessGuard, AuthorizationServer, Sessions, TokenMemory, UsersModule],
})
export class AuthModule {
  static readonly declares = {
    entities: [StoredSession, OAuthArtifact, OAuthClient, OAuthClientSecret],
    errors: OAUTH_CLIENT_ERRORS,
    enums: {
      OAuthClientSource: CLIENT_SOURCES,
    },
    tags: [
      ['Auth', 'The authorization server.'],
      ['OAuth Clients', 'Programs that may ask people for access.'],
    ],
  } as const;
}
