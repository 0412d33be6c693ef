import { Module } from '@nestjs/common';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { Accounts } from '../users/accounts.service';
import { AccountLog } from '../users/account-log/account-log';
import { UsersModule } from '../users/users.module';
import { AccessGuard } from './access.guard';
import { ACCOUNT_EVENTS } from './account.events';
import { ArtifactRetention } from './authorization-server/artifact-retention';
import { AuthorizationServer } from './authorization-server/authorization-server';
import { MembershipOffers } from './authorization-server/membership-offers';
import { OAUTH_CLIENT_ERRORS } from './authorization-server/clients/oauth-client.errors';
import { OAUTH_CLIENT_EVENTS } from './authorization-server/clients/oauth-client.events';
import { OAuthClientsController } from './authorization-server/clients/oauth-clients.controller';
import { OAuthClientsService } from './authorization-server/clients/oauth-clients.service';
import { ConsentController } from './authorization-server/consent.controller';
import { ConsentPage } from './authorization-server/consent-page';
import { EndedSessions } from './authorization-server/ended-sessions';
import { endGrantsOf } from './authorization-server/grants/grant-departure';
import { GrantsController } from './authorization-server/grants/grants.controller';
import { GrantsService } from './authorization-server/grants/grants.service';
import { OAuthArtifact } from './authorization-server/oauth-artifact.entity';
import { CLIENT_SOURCES, OAuthClient } from './authorization-server/oauth-client.entity';
import { OAuthClientSecret } from './authorization-server/oauth-client-secret.entity';
import { ProtocolController } from './authorization-server/protocol.controller';
import { APPLICATION_TYPES, CLIENT_AUTH_METHODS } from './authorization-server/client-rules';
import { CLIENT_GRANT_TYPES } from './authorization-server/clients/oauth-client.dto';
import { RESPONSE_MODES, TOKEN_TYPE_HINTS } from './authorization-server/protocol-parameters';
import { ProtocolErrors } from './authorization-server/protocol-errors';
import { TokenStatus } from './authorization-server/token-status';
import { BearerStrategy } from './bearer.strategy';
import { DepartedAccounts } from './departed-accounts';
import { EndedTokens } from './ended-tokens';
import { ExternalIssuer } from './external-issuer';
import { Issuer } from './issuer';
import { OwnIssuer } from './own-issuer';
import { ConsoleCallers } from './sessions/console-callers';
import { PersonSessions } from './sessions/person-sessions.service';
import { PersonSessionsController, SessionController } from './sessions/sessions.controller';
import { SESSION_ERRORS } from './sessions/session.errors';
import { StoredSession } from './sessions/session.entity';
import { Sessions } from './sessions/sessions.service';
import { PersonalAccessToken } from './personal-tokens/personal-access-token.entity';
import { PERSONAL_ACCESS_TOKEN_ERRORS } from './personal-tokens/personal-access-token.errors';
import { PersonalAccessTokensController } from './personal-tokens/personal-access-tokens.controller';
import { PersonalTokenVerifier } from './personal-tokens/personal-token-verifier';
import { removePersonalTokens } from './personal-tokens/personal-token-departure';
import { PersonalTokens } from './personal-tokens/personal-tokens.service';
import { RecentSignIn } from './recent-sign-in';
import { SCOPE_NAMES, TOKEN_SCOPE_NAMES } from './scopes';
import { SEALED_AUTH_COLUMNS } from './sealed-columns';
import { KeyRotation } from './signing-keys/key-rotation.schedule';
import { StoredSigningKey } from './signing-keys/signing-key.entity';
import { SigningKeyStore } from './signing-keys/signing-key-store';
import { SigningKeys } from './signing-keys/signing-keys.service';
import { SignOuts } from './sessions/sign-outs';
import { TokenMemory } from './token-memory';
import { TokenVerifier } from './token-verifier';
import { WellKnownController } from './well-known.controller';

@Module({
  imports: [UsersModule],
  controllers: [
    WellKnownController,
    SessionController,
    PersonSessionsController,
    ProtocolController,
    ConsentController,
    OAuthClientsController,
    GrantsController,
    PersonalAccessTokensController,
  ],
  providers: [
    {
      provide: Issuer,
      inject: [Environment, SigningKeys, Accounts, Clock, TokenStatus],
      useFactory: (
        environment: Environment,
        keys: SigningKeys,
        accounts: Accounts,
        clock: Clock,
        status: TokenStatus,
      ): Issuer => {
        const { externalIssuer, publicUrl, audiences } = environment;
        if (externalIssuer) return new ExternalIssuer(externalIssuer, clock, audiences);
        return new OwnIssuer(publicUrl, keys, accounts, status);
      },
    },
    { provide: TokenMemory, inject: [Clock], useFactory: (clock: Clock) => new TokenMemory(clock) },
    SigningKeyStore,
    SigningKeys,
    KeyRotation,
    DepartedAccounts,
    EndedTokens,
    Sessions,
    TokenStatus,
    AuthorizationServer,
    ConsentPage,
    MembershipOffers,
    ProtocolErrors,
    ArtifactRetention,
    EndedSessions,
    OAuthClientsService,
    GrantsService,
    ConsoleCallers,
    PersonalTokenVerifier,
    PersonalTokens,
    PersonSessions,
    SignOuts,
    RecentSignIn,
    TokenVerifier,
    BearerStrategy,
    AccessGuard,
  ],
  exports: [
    AccessGuard,
    MembershipOffers,
    AuthorizationServer,
    EndedTokens,
    GrantsService,
    Issuer,
    PersonalTokens,
    RecentSignIn,
    Sessions,
    SignOuts,
    SigningKeys,
    TokenMemory,
    TokenVerifier,
    UsersModule,
  ],
})
export class AuthModule {
  static readonly declares = {
    entities: [PersonalAccessToken, StoredSession, StoredSigningKey, OAuthArtifact, OAuthClient, OAuthClientSecret],
    sealed: SEALED_AUTH_COLUMNS,
    errors: { ...PERSONAL_ACCESS_TOKEN_ERRORS, ...OAUTH_CLIENT_ERRORS, ...SESSION_ERRORS },
    events: [ACCOUNT_EVENTS, OAUTH_CLIENT_EVENTS],
    enums: {
      OAuthApplicationType: APPLICATION_TYPES,
      OAuthClientAuthMethod: CLIENT_AUTH_METHODS,
      OAuthClientSource: CLIENT_SOURCES,
      OAuthGrantType: CLIENT_GRANT_TYPES,
      OAuthResponseMode: RESPONSE_MODES,
      OAuthTokenTypeHint: TOKEN_TYPE_HINTS,
      Scope: SCOPE_NAMES,
      TokenScope: TOKEN_SCOPE_NAMES,
    },
    tags: [
      ['Auth', 'The authorization server.'],
      ['OAuth Clients', 'Programs that may ask people for access.'],
      ['Sessions', 'Where you are signed in.'],
    ],
  } as const;

  constructor(retention: RowRetention, signOuts: SignOuts, accountLog: AccountLog, ended: EndedSessions) {
    signOuts.register(endGrantsOf, removePersonalTokens(accountLog));
    retention.registerEnding({ name: 'sessions', removeSome: (now) => ended.removeSome(now) });
  }
}
