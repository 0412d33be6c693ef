import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MailKind, MailStatus } from './mail-kind';

/** A mail on its way, or the memory of one. */
@Entity('mails', { comment: 'owner: mail' })
@Index('mails_next_attempt_at_idx', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('mails_expires_at_idx', ['expiresAt'], { where: 'sealed IS NOT NULL' })
@Index('mails_recipient_idx', ['recipient', 'kind', 'createdAt'])
@Index('mails_status_idx', ['status', 'id'])
@Check('mails_status_check', `status IN ('PENDING', 'SENT', 'FAILED')`)
@Check('mails_content_check', `(status = 'PENDING') = (sealed IS NOT NULL)`)
@Check('mails_next_attempt_check', `(status = 'PENDING') = (next_attempt_at IS NOT NULL)`)
@Check('mails_finished_check', `(status = 'PENDING') = (finished_at IS NULL)`)
export class Mail {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mails_pkey' })
  id: string;

  @Column('text')
  kind: MailKind;

  /** The account or invitation; null while it is not known whether there is an account. */
  @Index('mails_about_id_idx')
  @Column('uuid', { name: 'about_id', nullable: true })
  aboutId: string | null;

  /** A keyed digest of the address, to limit how many it gets. */
  @Column('bytea')
  recipient: Buffer;

  /** Address and text, encrypted with `SECRETS_KEY`, as the text may contain a link that lets a person in. */
  @Column('bytea', { nullable: true })
  sealed: Buffer | null;

  @Column('text')
  status: MailStatus;

  @Column('integer', { name: 'attempt_count' })
  attemptCount: number;

  /** While an attempt is under way: when another process may make the next one. */
  @Column('timestamp with time zone', { name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  /** Without the words of the mail server, which may repeat the mail. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;

  /** It is not sent any more then. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;
}
