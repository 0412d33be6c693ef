import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { InvitationsModule } from '../../invitations/invitations.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { ProtectionModule } from '../protection/protection.module';
import { HomeController } from './home.controller';
import { PasswordSignIn } from './password-sign-in';
import { SignInController } from './sign-in.controller';
import { SignOutController } from './sign-out.controller';
import { WaysToSignIn } from './ways-to-sign-in';

/** The pages on which a session begins and ends. */
@Module({
  imports: [AuthModule, InvitationsModule, PasswordsModule, ProtectionModule],
  controllers: [HomeController, SignInController, SignOutController],
  providers: [PasswordSignIn, WaysToSignIn],
  exports: [WaysToSignIn],
})
export class SessionPagesModule {
  static readonly declares = { entities: [] } as const;
}
