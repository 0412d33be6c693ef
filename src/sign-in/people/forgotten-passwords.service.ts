import { Injectable, Logger } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { NewMail } from '../../mail/mail-content';
import { Mails } from '../../mail/mails.service';
import { Accounts } from '../../users/accounts.service';
import { Passwords } from '../passwords/passwords.service';
import { Protection } from '../protection/protection.service';
import { WaysToSignIn } from '../session-pages/ways-to-sign-in';
import { forgottenPasswordMail } from './people.mail';
import { PasswordResets, REQUESTED_VALID_MS } from './password-resets.service';

const KIND = 'PASSWORD_FORGOTTEN';

/** Links for people who forgot their password, by mail. */
@Injectable()
export class ForgottenPasswords {
  private readonly logger = new Logger(ForgottenPasswords.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly resets: PasswordResets,
    private readonly protection: Protection,
    private readonly ways: WaysToSignIn,
    private readonly mails: Mails,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** Whether people can ask: mail is sent, and they sign in with passwords here. */
  get arePossible(): boolean {
    return this.mails.areOn && this.ways.hasPasswords;
  }

  /**
   * Notes that someone typed an address. Whether there is an account is not looked at here, so that the same takes
   * place, in the same time, for every address; `compose` does it later.
   *
   * @throws RateLimitedError after too many requests for the address, or from the network address
   */
  async request(request: IncomingMessage, typed: string): Promise<void> {
    const { isKnown } = await this.protection.admit(request, typed, 'password-reset');
    const expiresAt = new Date(this.clock.now().getTime() + REQUESTED_VALID_MS);
    await this.mails.postLater(this.dataSource.manager, { kind: KIND, typed, isKnown, expiresAt });
  }

  /**
   * @param manager of the transaction that stores the mail
   * @returns the mail, to the address of the account and not the typed one; undefined unless an open account signs in
   *   with this address and a password
   */
  async compose(manager: EntityManager, typed: string): Promise<NewMail | undefined> {
    const userId = await this.accounts.holderOf(manager, typed);
    if (userId === undefined || !(await this.accounts.hold(manager, userId))) return undefined;
    // Again, under the lock.
    if ((await this.accounts.holderOf(manager, typed)) !== userId) return undefined;
    if (!(await this.passwords.has(manager, userId))) return undefined;
    const reset = await this.resets.request(manager, userId);
    if (!reset) return undefined;
    const { email, link, expiresAt } = reset;
    this.logger.log(`A password reset link for account ${userId} was asked for.`);
    const { publicUrl } = this.environment;
    return {
      kind: KIND,
      aboutId: userId,
      to: email,
      expiresAt,
      ...forgottenPasswordMail({ publicUrl, link, expiresAt }),
    };
  }
}
