import { Global, Module } from '@nestjs/common';
import { Revocations, TokenRenewal } from '../credentials/oauth-ports';
import { ConnectOffers } from '../edge/connect-offers';
import { ConnectModule } from './connect.module';
import { OAuthConnectOffers } from './oauth-connect-offers';
import { OAuthRevocations } from './oauth-revocations';
import { OAuthTokenRenewal } from './oauth-token-renewal';

/**
 * Binds the classes by which `credentials/` and `edge/` ask for OAuth to those of `connect/` that know it. Global, because
 * they inject them and must not import `connect/`; a module of its own, because all of `ConnectModule` would otherwise be
 * global.
 */
@Global()
@Module({
  imports: [ConnectModule],
  providers: [
    { provide: ConnectOffers, useExisting: OAuthConnectOffers },
    { provide: Revocations, useExisting: OAuthRevocations },
    { provide: TokenRenewal, useExisting: OAuthTokenRenewal },
  ],
  exports: [ConnectOffers, Revocations, TokenRenewal],
})
export class ConnectBindingModule {}
