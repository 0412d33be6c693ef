import { ConnectFinish } from './connect-finish.service';
import { AuthorizationServers } from './authorization-servers';
import { ClientRegistrations } from './client-registrations';
import { ConnectFlows } from './connect-flows';
import { ConnectLinks } from './connect-links';
import { ConnectNeeds } from './connect-needs';
import { ConnectOffers } from '../edge/connect-offers';
import { Revocations, TokenRenewal } from '../credentials/oauth-ports';
import { OAuthConnectOffers } from './oauth-connect-offers';
import { ConnectPage } from './connect-page.service';
import { ConnectService } from './connect.service';
import { ConnectTargets } from './connect-targets';
import { ConnectStart } from './connect-start.service';
import { OAuthClient } from './oauth-client';
import { OAuthFetch } from './oauth-fetch';
import { OAuthTokenRenewal } from './oauth-token-renewal';
import { OAuthTokens } from './oauth-tokens';
import { OAuthUrls } from './oauth-urls';
import { RegisteredClients } from './registered-clients';
import { OAuthRevocations } from './oauth-revocations';
import { ConnectFormSeal } from './connect-form-seal';
import { TokenEndpoints } from './token-endpoints';

/** What connects accounts at the servers of bundles, and keeps their tokens good. */
export const CONNECT_PROVIDERS = [
  ConnectFinish,
  AuthorizationServers,
  ClientRegistrations,
  ConnectFlows,
  ConnectLinks,
  ConnectNeeds,
  OAuthConnectOffers,
  { provide: ConnectOffers, useExisting: OAuthConnectOffers },
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
  { provide: Revocations, useExisting: OAuthRevocations },
  ConnectFormSeal,
  TokenEndpoints,
  OAuthTokenRenewal,
  { provide: TokenRenewal, useExisting: OAuthTokenRenewal },
];
