import { Module } from '@nestjs/common';
import { MailModule } from '../../mail/mail.module';
import { SecurityNotices } from './security-notices';

@Module({ imports: [MailModule], providers: [SecurityNotices], exports: [SecurityNotices] })
export class NoticesModule {}
