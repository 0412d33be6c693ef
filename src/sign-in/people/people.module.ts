import { Module } from '@nestjs/common';
import { SignOuts } from '../../auth/sessions/sign-outs';
import { AuthModule } from '../../auth/auth.module';
import { RowRetention } from '../../database/row-retention';
import { execute } from '../../database/statements';
import { OrganisationsModule } from '../../organisations/organisations.module';
import { MailModule } from '../../mail/mail.module';
import { MailWorker } from '../../mail/mail-worker';
import { NoticesModule } from '../notices/notices.module';
import { SessionPagesModule } from '../session-pages/session-pages.module';
import { WaysModule } from '../ways/ways.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { ProtectionModule } from '../protection/protection.module';
import { AccountInvitation } from './account-invitation.entity';
import { AccountInvitationsController } from './account-invitations.controller';
import { AccountInvitations, VALID_DAYS } from './account-invitations.service';
import { Administrators } from './administrators';
import { ForgottenPasswordController } from './forgotten-password.controller';
import { ForgottenPasswords } from './forgotten-passwords.service';
import { InvitationPageController } from './invitation-page.controller';
import { InvitationPage } from './invitation-page.service';
import { PasswordResetPageController } from './password-reset-page.controller';
import { PasswordResetPage } from './password-reset-page.service';
import { PasswordReset } from './password-reset.entity';
import { PasswordResets } from './password-resets.service';
import { REMOVE_EXPIRED_REQUESTS, REMOVE_RESETS } from './password-resets.sql';
import { PEOPLE_ERRORS } from './people.errors';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';
import { RequestedPasswordReset } from './requested-password-reset.entity';
import { USER_STATES } from '../../users/account-administration.sql';

const EXPIRED_READABLE_DAYS = 30;

/** What platform administrators do with accounts, and the links that they hand out. */
@Module({
  imports: [
    AuthModule,
    MailModule,
    NoticesModule,
    OrganisationsModule,
    PasswordsModule,
    ProtectionModule,
    SessionPagesModule,
    WaysModule,
  ],
  controllers: [
    AccountInvitationsController,
    ForgottenPasswordController,
    InvitationPageController,
    PasswordResetPageController,
    PeopleController,
  ],
  providers: [
    AccountInvitations,
    Administrators,
    ForgottenPasswords,
    InvitationPage,
    PasswordResetPage,
    PasswordResets,
    PeopleService,
  ],
})
export class PeopleModule {
  static readonly declares = {
    entities: [AccountInvitation, PasswordReset, RequestedPasswordReset],
    errors: PEOPLE_ERRORS,
    enums: { UserState: USER_STATES },
    tags: [['People', 'The accounts of others, for platform administrators.']],
  } as const;

  constructor(retention: RowRetention, signOuts: SignOuts, worker: MailWorker, forgotten: ForgottenPasswords) {
    worker.composeWith('PASSWORD_FORGOTTEN', (manager, typed) => forgotten.compose(manager, typed));
    signOuts.register(async (manager, userId) => void (await execute(manager, REMOVE_RESETS, [userId])));
    retention.registerExpiring({ name: 'password reset links that were asked for', remove: REMOVE_EXPIRED_REQUESTS });
    retention.register(
      {
        name: 'invitations to have an account',
        days: VALID_DAYS + EXPIRED_READABLE_DAYS,
        remove: `
          DELETE FROM account_invitations WHERE id IN (
            SELECT id FROM account_invitations WHERE id < $1 ORDER BY id LIMIT $2)`,
      },
      {
        name: 'password reset links',
        days: 2,
        remove: `
          DELETE FROM password_resets WHERE id IN (
            SELECT id FROM password_resets WHERE id < $1 ORDER BY id LIMIT $2)`,
      },
    );
  }
}
