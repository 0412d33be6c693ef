import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { newId } from '../database/id';
import { newestFirst } from '../database/keyset';
import { many } from '../database/statements';
import { ForbiddenError } from '../errors/errors';
import { type Page, Pages } from '../http/requests/page';
import type { LaterMail, NewMail, SealedContent } from './mail-content';
import type { MailKind } from './mail-kind';
import { MailSeal } from './mail-seal';
import { isMailable } from './mail-text';
import { type MailOut, type MailQuery, SHOWN_COLUMNS, toMail } from './mail.dto';
import { Mail } from './mail.entity';
import { INSERT_MAIL } from './mails.sql';

const LIST = 'mails';
/** So many wait at most, however long the mail server is down. */
const MAX_WAITING = 10_000;
/** Anyone with an organisation can send these, so they leave room for the others. */
const FROM_ORGANISATIONS: readonly MailKind[] = ['ORGANISATION_INVITATION', 'SERVER_REQUEST_DECISION'];
const MAX_WAITING_FROM_ORGANISATIONS = 5_000;
/** A recipient gets so many of one kind in 24 hours: invitations or forgotten passwords in a loop fill no mailbox. */
const MAX_PER_RECIPIENT = 10;
/** Strangers can ask for so many; the last ones are for the person, at a browser or network the account has used. */
const MAX_FOR_STRANGERS = 7;

/** What a row needs besides its content. */
interface Row {
  kind: MailKind;
  address: string;
  aboutId: string | null;
  expiresAt: Date;
}

/**
 * The outbox of mail: what is posted in a transaction is sent after its commit, by some process that runs `worker`
 * (`MailWorker`). Without `SMTP_URL` nothing is posted.
 */
@Injectable()
export class Mails {
  private readonly logger = new Logger(Mails.name);
  /** Whether a mail server is configured. */
  readonly areOn: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly seal: MailSeal,
    private readonly clock: Clock,
    private readonly pages: Pages,
    { mail }: Environment,
  ) {
    this.areOn = mail !== undefined;
  }

  /**
   * @param manager of the transaction that causes the mail
   * @returns whether it will be sent: not without `SMTP_URL`, to an address that no mail server takes, or if there are
   *   too many
   */
  async post(manager: EntityManager, { to, subject, body, ...row }: NewMail): Promise<boolean> {
    return this.insert(manager, { ...row, address: to }, { to, subject, body });
  }

  /** Posts what is known only by looking at the account: that is done later, so that the caller learns nothing by time. */
  async postLater(manager: EntityManager, { kind, typed, isKnown, expiresAt }: LaterMail): Promise<void> {
    const most = isKnown ? MAX_PER_RECIPIENT : MAX_FOR_STRANGERS;
    await this.insert(manager, { kind, address: typed, aboutId: null, expiresAt }, { typed }, most);
  }

  /**
   * Does not send what waits, and forgets its content; a mail that is under way still arrives. The rows stay, as they count
   * for how many a recipient gets.
   *
   * @param aboutId the account or invitation that is no more
   */
  async withdraw(manager: EntityManager, aboutId: string): Promise<void> {
    const withdrawn = { status: 'FAILED', sealed: null, nextAttemptAt: null, lastError: 'withdrawn' } as const;
    const finishedAt = this.clock.now();
    await manager.getRepository(Mail).update({ aboutId, status: 'PENDING' }, { ...withdrawn, finishedAt });
  }

  /**
   * Newest first.
   *
   * @throws ForbiddenError
   */
  async list(caller: Caller, { status, ...query }: MailQuery): Promise<Page<MailOut>> {
    if (!caller.isPlatformAdmin) throw new ForbiddenError('Only platform administrators see what was mailed.');
    const page = this.pages.open(LIST, query, { status });
    const where = page.filter.status === undefined ? {} : { status: page.filter.status };
    const mails = this.dataSource.getRepository(Mail);
    return page.close(await mails.find({ ...newestFirst<Mail>(where, page), select: SHOWN_COLUMNS }), toMail);
  }

  private async insert(
    manager: EntityManager,
    { kind, address, aboutId, expiresAt }: Row,
    content: SealedContent,
    most = MAX_PER_RECIPIENT,
  ): Promise<boolean> {
    if (!this.areOn || !isMailable(address)) return false;
    const id = newId();
    const recipients = this.seal.recipients(address);
    const rows = await many(manager, INSERT_MAIL, [
      id,
      kind,
      aboutId,
      recipients[0],
      this.seal.seal(id, content),
      this.clock.now(),
      expiresAt,
      FROM_ORGANISATIONS.includes(kind) ? MAX_WAITING_FROM_ORGANISATIONS : MAX_WAITING,
      most,
      recipients,
    ]);
    if (rows.length === 0)
      this.logger.warn(
        `A mail (${kind}${aboutId === null ? '' : `, about ${aboutId}`}) was not sent: too many are waiting, or its recipient got ${most} in 24 hours.`,
      );
    return rows.length > 0;
  }
}
