import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { BundlesModule } from '../../bundles/bundles.module';
import { RowRetention } from '../../database/row-retention';
import { CredentialsModule } from '../credentials/credentials.module';
import { EdgeModule } from '../edge/edge.module';
import { UpstreamsModule } from '../upstreams/upstreams.module';
import { AuthorizationServers } from './authorization-servers';
import { ClientDocumentController } from './client-document.controller';
import { ClientRegistrations, REMOVE_UNUSED_REGISTRATIONS, SEALED_REGISTRATION_COLUMNS } from './client-registrations';
import { ConnectFinish } from './connect-finish.service';
import { ConnectFlow } from './connect-flow.entity';
import { ConnectFlows, REMOVE_ABANDONED_FLOWS } from './connect-flows';
import { ConnectLinks } from './connect-links';
import { ConnectNeeds } from './connect-needs';
import { ConnectPageController } from './connect-page.controller';
import { ConnectPage } from './connect-page.service';
import { ConnectStart } from './connect-start.service';
import { ConnectTargets } from './connect-targets';
import { ConnectController } from './connect.controller';
import { ConnectService } from './connect.service';
import { OAuthClientRegistration } from './oauth-client-registration.entity';
import { OAuthClient } from './oauth-client';
import { OAuthConnectOffers } from './oauth-connect-offers';
import { OAuthFetch } from './oauth-fetch';
import { OAuthRevocations } from './oauth-revocations';
import { OAuthTokenRenewal } from './oauth-token-renewal';
import { OAuthTokens } from './oauth-tokens';
import { OAuthUrls } from './oauth-urls';
import { RegisteredClients } from './registered-clients';
import { ConnectFormSeal } from './connect-form-seal';
import { TokenEndpoints } from './token-endpoints';

/**
 * Connects accounts of people at the servers of bundles, by OAuth or by a form for secrets, and keeps their tokens good.
 *
 * In come people with a link to our page; authorization servers send them back to it. Out go credentials, which
 * `credentials/` stores; requests to authorization servers; and what `ConnectBindingModule` gives to folders below this one.
 * It keeps our registrations at authorization servers, and who is at one of them right now. No token passes through the
 * MCP client.
 */
@Module({
  imports: [AuthModule, BundlesModule, CredentialsModule, EdgeModule, UpstreamsModule],
  controllers: [ClientDocumentController, ConnectController, ConnectPageController],
  providers: [
    ConnectFinish,
    AuthorizationServers,
    ClientRegistrations,
    ConnectFlows,
    ConnectLinks,
    ConnectNeeds,
    OAuthConnectOffers,
    ConnectPage,
    ConnectService,
    ConnectTargets,
    ConnectStart,
    OAuthClient,
    OAuthFetch,
    OAuthTokens,
    OAuthUrls,
    RegisteredClients,
    OAuthRevocations,
    ConnectFormSeal,
    TokenEndpoints,
    OAuthTokenRenewal,
  ],
  exports: [OAuthConnectOffers, OAuthRevocations, OAuthTokenRenewal],
})
export class ConnectModule {
  static readonly declares = {
    entities: [OAuthClientRegistration, ConnectFlow],
    sealed: SEALED_REGISTRATION_COLUMNS,
  } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring(
      { name: 'people at authorization servers', remove: REMOVE_ABANDONED_FLOWS },
      { name: 'unused OAuth client registrations', remove: REMOVE_UNUSED_REGISTRATIONS },
    );
  }
}
