import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { Environment } from '../../config/environment';
import { RowRetention } from '../../database/row-retention';
import { InvitationsModule } from '../../invitations/invitations.module';
import { NoticesModule } from '../notices/notices.module';
import { SessionPagesModule } from '../session-pages/session-pages.module';
import { SignInWays } from '../ways/sign-in-ways';
import { WaysModule } from '../ways/ways.module';
import { type SignInOffer, WaysToSignIn } from '../session-pages/ways-to-sign-in';
import { ReceivedLogoutToken } from './received-logout-token.entity';
import { RelyingParties } from './relying-parties';
import { SignUpRules } from './sign-up-rules';
import { SsoController } from './sso.controller';
import { SsoFlows } from './sso-flows';
import { SsoLogoutController } from './sso-logout.controller';
import { REMOVE_EXPIRED } from './sso-logout.sql';
import { SsoLogout } from './sso-logout.service';
import { providerButton } from './sso-pages';
import { SsoSignIn } from './sso-sign-in.service';

/** Signing in at the company's OpenID provider (ADR 29). */
@Module({
  imports: [AuthModule, InvitationsModule, NoticesModule, SessionPagesModule, WaysModule],
  controllers: [SsoController, SsoLogoutController],
  providers: [RelyingParties, SignUpRules, SsoFlows, SsoLogout, SsoSignIn],
  exports: [RelyingParties],
})
export class SsoModule {
  static readonly declares = { entities: [ReceivedLogoutToken] } as const;

  constructor(
    parties: RelyingParties,
    offered: WaysToSignIn,
    ways: SignInWays,
    retention: RowRetention,
    { passwordSignIn }: Environment,
  ) {
    for (const { provider } of parties.all) ways.acceptIssuer(provider.issuer);
    retention.registerExpiring({ name: 'the logout tokens', remove: REMOVE_EXPIRED });
    if (!passwordSignIn) offered.withoutPasswords();
    offered.register(
      ...parties.all.map((party, order) => ({
        order,
        show: ({ returnTo }: SignInOffer) => {
          // In the background: the page does not wait for it.
          if (party.isDown) party.discover().catch(() => undefined);
          return providerButton(party.provider, returnTo, party.isDown);
        },
      })),
    );
  }
}
