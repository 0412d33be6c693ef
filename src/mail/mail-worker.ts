import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import type { Columns } from '../database/columns';
import { outsideRequests } from '../database/deadline';
import { Notifications } from '../database/notifications';
import { many, one } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { HealthSources, type QueueFacts } from '../metrics/health-sources';
import type { NewMail, SealedContent } from './mail-content';
import type { MailKind } from './mail-kind';
import { MailSeal } from './mail-seal';
import { Mail } from './mail.entity';
import { CLAIM_MAILS, DUE_MAILS, MAILS_CHANNEL } from './mails.sql';
import { MAX_ATTEMPTS, restAfter } from './retries';
import { Smtp, SmtpError } from './smtp';

/** In case a notification was lost, and for the next attempts. */
const REST_MS = 5_000;
const AT_ONCE = 4;
/** Waiting mails are counted up to this number, which is also how many can wait at most. */
const COUNTED_UP_TO = 10_000;
/** Much longer than an attempt takes (`smtp.ts`): afterwards its process must have died. */
const LEASE_MS = 120_000;

type ClaimedMail = Pick<Columns<Mail>, 'id' | 'kind' | 'attempt_count' | 'expires_at'> & { sealed: Buffer };

/**
 * Decides at its turn whether a mail that a stranger asked for is sent, and to which address.
 *
 * @param typed the address that they typed
 * @returns undefined if there is nothing to send
 */
export type Composer = (manager: EntityManager, typed: string) => Promise<NewMail | undefined>;

/**
 * Sends what was posted, in every process that runs `worker`: each mail is claimed by one of them at a time. A mail is
 * sent twice only if the process dies, or the connection breaks, between the server's acceptance and our note of it.
 */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MailWorker.name);
  private readonly smtp?: Smtp;
  private readonly composers = new Map<MailKind, Composer>();
  private running?: Promise<void>;
  private hasNews = false;
  private isEnding = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly seal: MailSeal,
    private readonly clock: Clock,
    notifications: Notifications,
    health: HealthSources,
    { mail, run }: Environment,
  ) {
    health.register({ queues: () => this.queues() });
    if (!mail || !run.has('worker')) return;
    this.smtp = new Smtp(mail);
    notifications.listen(MAILS_CHANNEL, () => void this.run());
  }

  private async queues(): Promise<QueueFacts[]> {
    const values = [this.clock.now(), COUNTED_UP_TO];
    const due = await one<{ depth: number; oldest_at: Date | null }>(this.dataSource, DUE_MAILS, values);
    return [{ name: 'MAILS', depth: due.depth, countedUpTo: COUNTED_UP_TO, oldestAt: due.oldest_at }];
  }

  /** For mails of `Mails.postLater`; called at startup. */
  composeWith(kind: MailKind, composer: Composer): void {
    this.composers.set(kind, composer);
  }

  onApplicationBootstrap(): void {
    void this.run();
  }

  /** Before connections are closed: attempts under way end, and are noted. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  /** Sends everything that is due. Never rejects. */
  @Interval('mail', REST_MS)
  run(): Promise<void> {
    if (!this.smtp || this.isEnding) return Promise.resolve();
    this.hasNews = true;
    this.running ??= outsideRequests(() => this.sendDue(this.smtp)).finally(() => (this.running = undefined));
    return this.running;
  }

  private async sendDue(smtp: Smtp | undefined): Promise<void> {
    try {
      while (smtp && this.hasNews && !this.isEnding) {
        this.hasNews = false;
        const now = this.clock.now();
        const until = new Date(now.getTime() + LEASE_MS);
        const claimed = await many<ClaimedMail>(this.dataSource, CLAIM_MAILS, [now, until, AT_ONCE]);
        await Promise.all(claimed.map((mail) => this.attempt(smtp, mail)));
        if (claimed.length > 0) this.hasNews = true;
      }
    } catch (error) {
      // The next run tries again.
      this.logger.warn(`Mails could not be read: ${(error as Error).message}`);
    }
  }

  private async attempt(smtp: Smtp, mail: ClaimedMail): Promise<void> {
    const { id, kind, attempt_count: attempt } = mail;
    try {
      if (mail.expires_at <= this.clock.now()) return await this.finish(mail, 'FAILED', 'expired');
      const content = await this.contentOf(mail);
      // Kept like those that are sent: both count for how many are posted for an address.
      if (!content) return await this.finish(mail, 'FAILED', 'no account');
      await smtp.send({ id, ...content, date: this.clock.now() });
      await this.finish(mail, 'SENT', null);
      this.logger.log(`Mail ${id} (${kind}) was sent.`);
    } catch (error) {
      // Whatever else it is, its message may have parts of the mail.
      const problem = error instanceof SmtpError ? error : new SmtpError((error as Error).name, false);
      await this.handle(mail, problem).catch((failure: unknown) =>
        this.logger.warn(`Attempt ${attempt} of mail ${id} was not noted: ${(failure as Error).message}`),
      );
    }
  }

  /** Tries again later, or gives up. */
  private async handle(mail: ClaimedMail, { message, isFinal }: SmtpError): Promise<void> {
    const { id, kind, attempt_count: attempt, expires_at: expiresAt } = mail;
    const next = new Date(this.clock.now().getTime() + restAfter(attempt));
    if (isFinal || attempt >= MAX_ATTEMPTS || next >= expiresAt) {
      await this.finish(mail, 'FAILED', message);
      this.logger.warn(`Mail ${id} (${kind}) was given up after ${attempt} attempts: ${message}`);
    } else {
      await this.note(this.dataSource.manager, mail, { nextAttemptAt: next, lastError: message });
      this.logger.warn(`Mail ${id} (${kind}) could not be sent: ${message}. Next attempt at ${next.toISOString()}.`);
    }
  }

  /** @returns undefined if there is nothing to send, or it was withdrawn */
  private async contentOf(claimed: ClaimedMail) {
    const { id, kind, sealed } = claimed;
    const content = this.seal.open(id, sealed);
    if (!('typed' in content)) return content;
    return inTransaction(this.dataSource, async (manager) => {
      const mail = await this.composers.get(kind)?.(manager, content.typed);
      if (!mail) return undefined;
      const { to, subject, body, aboutId, expiresAt } = mail;
      const composed: SealedContent = { to, subject, body };
      const isStored = await this.note(manager, claimed, { sealed: this.seal.seal(id, composed), aboutId, expiresAt });
      return isStored ? composed : undefined;
    });
  }

  private async finish(mail: ClaimedMail, status: 'SENT' | 'FAILED', lastError: string | null): Promise<void> {
    const finishedAt = this.clock.now();
    await this.note(this.dataSource.manager, mail, {
      status,
      sealed: null,
      nextAttemptAt: null,
      lastError,
      finishedAt,
    });
  }

  /** @returns false, and notes nothing, if it was withdrawn or claimed again meanwhile */
  private async note(
    manager: EntityManager,
    { id, attempt_count: attemptCount }: ClaimedMail,
    change: Partial<Mail>,
  ): Promise<boolean> {
    const { affected } = await manager.getRepository(Mail).update({ id, attemptCount, status: 'PENDING' }, change);
    return affected === 1;
  }
}
