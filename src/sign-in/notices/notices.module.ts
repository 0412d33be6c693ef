import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { MailModule } from '../../mail/mail.module';
import { SecurityNotices } from './security-notices';

@Module({ imports: [AuthModule, MailModule], providers: [SecurityNotices], exports: [SecurityNotices] })
export class NoticesModule {}
