import { ApiProperty } from '@nestjs/swagger';
import type { FindOptionsSelect } from 'typeorm';
import { EnumField, IdField, InstantField } from '../http/requests/fields';
import { PageQuery } from '../http/requests/page';
import { MAIL_KINDS, MAIL_STATUSES, type MailKind, type MailStatus } from './mail-kind';
import type { Mail } from './mail.entity';

export class MailQuery extends PageQuery {
  @EnumField(MAIL_STATUSES, { required: false, description: 'Only mails with this status.' })
  status?: MailStatus;
}

/** What became of a mail. Its recipient and its text are not shown. */
export class MailOut {
  @IdField({ description: 'Also the first part of its `Message-ID`.' })
  id: string;

  @ApiProperty({ enum: MAIL_KINDS, enumName: 'MailKind' })
  kind: MailKind;

  @IdField({ nullable: true, description: 'The account or invitation that it is about; null if there is none yet.' })
  about_id: string | null;

  @ApiProperty({
    enum: MAIL_STATUSES,
    enumName: 'MailStatus',
    description: '`SENT`: the mail server accepted it. `FAILED`: it was given up.',
  })
  status: MailStatus;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  attempt_count: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'EENVELOPE 550 5.1.1 RCPT TO',
    description:
      'The kind of error, the reply code and the command of the latest failed attempt; or the reason why no attempt is made: `expired`, `withdrawn`, or `no account` with the address that somebody entered.',
  })
  last_error: string | null;

  @InstantField({ nullable: true, description: 'Null once it was sent or given up.' })
  next_attempt_at: string | null;

  @InstantField({ description: 'When it is given up at the latest.' })
  expires_at: string;

  @InstantField()
  created_at: string;

  @InstantField({ nullable: true, description: 'When it was sent or given up.' })
  finished_at: string | null;
}

/** All but the recipient and the text. */
export const SHOWN_COLUMNS = {
  ...{ id: true, kind: true, aboutId: true, status: true, attemptCount: true, lastError: true },
  ...{ nextAttemptAt: true, expiresAt: true, createdAt: true, finishedAt: true },
} as const satisfies FindOptionsSelect<Mail>;

export function toMail(mail: Pick<Mail, keyof typeof SHOWN_COLUMNS>): MailOut {
  return {
    id: mail.id,
    kind: mail.kind,
    about_id: mail.aboutId,
    status: mail.status,
    attempt_count: mail.attemptCount,
    last_error: mail.lastError,
    next_attempt_at: mail.nextAttemptAt?.toISOString() ?? null,
    expires_at: mail.expiresAt.toISOString(),
    created_at: mail.createdAt.toISOString(),
    finished_at: mail.finishedAt?.toISOString() ?? null,
  };
}
