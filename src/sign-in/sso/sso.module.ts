import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { InvitationsModule } from '../../invitations/invitations.module';
import { ReceivedLogoutToken } from './received-logout-token.entity';
import { RelyingParties } from './relying-parties';
import { SignUpRules } from './sign-up-rules';
import { SsoController } from './sso.controller';
import { SsoFlows } from './sso-flows';
import { SsoLogoutController } from './sso-logout.controller';
import { SsoLogout } from './sso-logout.service';
import { SsoSignIn } from './sso-sign-in.service';

/** Signing in at the company's OpenID provider (ADR 29). */
@Module({
  imports: [AuthModule, InvitationsModule],
  controllers: [SsoController, SsoLogoutController],
  providers: [RelyingParties, SignUpRules, SsoFlows, SsoLogout, SsoSignIn],
  exports: [RelyingParties],
})
export class SsoModule {
  static readonly declares = { entities: [ReceivedLogoutToken] } as const;
}
