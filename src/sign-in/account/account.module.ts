import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { InvitationsModule } from '../../invitations/invitations.module';
import { NoticesModule } from '../notices/notices.module';
import { PasskeysModule } from '../passkeys/passkeys.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { ProtectionModule } from '../protection/protection.module';
import { SsoModule } from '../sso/sso.module';
import { WaysModule } from '../ways/ways.module';
import { AccountPageController } from './account-page.controller';
import { AccountAuditLogController, OwnAuditLogController } from './audit-log/account-audit-log.controller';
import { AccountAuditLog } from './audit-log/account-audit-log.service';
import { AccountPage } from './account-page.service';
import { MyIdentitiesController } from './my-identities.controller';
import { MyPasskeysController } from './my-passkeys.controller';
import { OwnAccount } from './own-account.service';

/** What people do with their own accounts. */
@Module({
  imports: [
    AuthModule,
    InvitationsModule,
    NoticesModule,
    PasskeysModule,
    PasswordsModule,
    ProtectionModule,
    SsoModule,
    WaysModule,
  ],
  controllers: [
    AccountAuditLogController,
    AccountPageController,
    MyIdentitiesController,
    MyPasskeysController,
    OwnAuditLogController,
  ],
  providers: [AccountAuditLog, AccountPage, OwnAccount],
})
export class AccountModule {}
