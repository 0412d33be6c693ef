import { Module } from '@nestjs/common';
import { SignOuts } from '../../auth/sessions/sign-outs';
import { AuthModule } from '../../auth/auth.module';
import { RowRetention } from '../../database/row-retention';
import { execute } from '../../database/statements';
import { OrganisationsModule } from '../../organisations/organisations.module';
import { WaysModule } from '../ways/ways.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { ProtectionModule } from '../protection/protection.module';
import { AccountInvitation } from './account-invitation.entity';
import { AccountInvitationsController } from './account-invitations.controller';
import { AccountInvitations, VALID_DAYS } from './account-invitations.service';
import { Administrators } from './administrators';
import { InvitationPageController } from './invitation-page.controller';
import { InvitationPage } from './invitation-page.service';
import { PasswordResetPageController } from './password-reset-page.controller';
import { PasswordResetPage } from './password-reset-page.service';
import { PasswordReset } from './password-reset.entity';
import { PasswordResets } from './password-resets.service';
import { REMOVE_RESET } from './password-resets.sql';
import { PEOPLE_ERRORS } from './people.errors';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';
import { USER_STATES } from '../../users/account-administration.sql';

const EXPIRED_READABLE_DAYS = 30;

/** What platform administrators do with accounts, and the links that they hand out. */
@Module({
  imports: [AuthModule, OrganisationsModule, PasswordsModule, ProtectionModule, WaysModule],
  controllers: [AccountInvitationsController, InvitationPageController, PasswordResetPageController, PeopleController],
  providers: [AccountInvitations, Administrators, InvitationPage, PasswordResetPage, PasswordResets, PeopleService],
})
export class PeopleModule {
  static readonly declares = {
    entities: [AccountInvitation, PasswordReset],
    errors: PEOPLE_ERRORS,
    enums: { UserState: USER_STATES },
    tags: [['People', 'The accounts of others, for platform administrators.']],
  } as const;

  constructor(retention: RowRetention, signOuts: SignOuts) {
    signOuts.register(async (manager, userId) => void (await execute(manager, REMOVE_RESET, [userId])));
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
