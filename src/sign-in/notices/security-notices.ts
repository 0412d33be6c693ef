import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { momentInMail } from '../../mail/mail-text';
import { Mails } from '../../mail/mails.service';
import { Accounts } from '../../users/accounts.service';

const WORTH_SENDING_MS = 48 * 3_600_000;
const SIGNED_IN = 'Somebody who was signed in to your account did this.';
const BY_LINK =
  'Somebody did this with a link for a new password: one that was mailed to you, or that an administrator of this server made.';
const AT_PROVIDER = `${SIGNED_IN} They also signed in at that identity provider.`;

/** What can happen to the ways in which a person signs in, and who causes it. */
const CHANGES = {
  'password-set': ['Your password was set or changed', SIGNED_IN],
  'password-reset': ['Your password was changed by a link', BY_LINK],
  'password-removed': ['Your password was removed', SIGNED_IN],
  'passkey-added': ['A passkey was added to your account', SIGNED_IN],
  'passkey-removed': ['A passkey of your account was removed', SIGNED_IN],
  'recovery-codes-replaced': ['Your recovery codes were replaced', SIGNED_IN],
  'identity-linked': ['An identity provider was linked to your account', AT_PROVIDER],
  'identity-removed': ['An identity provider was unlinked from your account', SIGNED_IN],
} as const;

/** Writes to people whose ways to sign in were changed, so that they notice if it was someone else. */
@Injectable()
export class SecurityNotices {
  constructor(
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Nothing without `SMTP_URL`, or if the account has no address.
   *
   * @param manager of the transaction that makes the change
   */
  async post(manager: EntityManager, userId: string, change: keyof typeof CHANGES): Promise<void> {
    if (!this.mails.areOn) return;
    const email = await this.accounts.addressOf(manager, userId);
    if (email === undefined) return;
    const { publicUrl } = this.environment;
    const now = this.clock.now();
    const [subject, who] = CHANGES[change];
    await this.mails.post(manager, {
      kind: 'SECURITY_NOTICE',
      aboutId: userId,
      to: email,
      subject,
      body: [
        `${subject}. This is about ${email} at ${publicUrl}, and happened on ${momentInMail(now)}.`,
        who,
        'If it was you, there is nothing to do.',
        'If it was not you, set another password at once, and look at how you sign in and where you are signed in:',
        { link: `${publicUrl}/account` },
        'If you cannot sign in any more, ask an administrator of this server for help.',
      ],
      expiresAt: new Date(now.getTime() + WORTH_SENDING_MS),
    });
  }
}
