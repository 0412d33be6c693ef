import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { RowRetention } from '../database/row-retention';
import { MAIL_KINDS, MAIL_STATUSES } from './mail-kind';
import { MailSeal } from './mail-seal';
import { MailWorker } from './mail-worker';
import { Mail } from './mail.entity';
import { MailsController } from './mails.controller';
import { Mails } from './mails.service';
import { EXPIRE_MAILS } from './mails.sql';
import { SEALED_MAIL_COLUMNS } from './sealed-columns';

const KEPT_DAYS = 30;

/** Mail, for instances that have `SMTP_URL`. */
@Module({
  imports: [AuthModule],
  controllers: [MailsController],
  providers: [MailSeal, Mails, MailWorker],
  exports: [Mails, MailWorker],
})
export class MailModule {
  static readonly declares = {
    entities: [Mail],
    sealed: SEALED_MAIL_COLUMNS,
    enums: { MailKind: MAIL_KINDS, MailStatus: MAIL_STATUSES },
  } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring({ name: 'mails that expired', remove: EXPIRE_MAILS });
    retention.register({
      name: 'mails',
      days: KEPT_DAYS,
      remove: `DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE id < $1 ORDER BY id LIMIT $2)`,
    });
  }
}
