import type { Caller } from '../../auth/caller';
import { type MailBody, momentInMail, nameInMail } from '../../mail/mail-text';

/** A link that is mailed. */
interface MailedLink {
  publicUrl: string;
  link: string;
  expiresAt: Date;
}

/** What a mail says, without its recipient. */
interface MailText {
  subject: string;
  body: MailBody;
}

/** With name and address: platform administrators are known to those whom they invite. */
function administrator({ name, email }: Pick<Caller, 'name' | 'email'>): string {
  const shown = nameInMail(name, '');
  const both = email === null ? shown : shown === '' ? email : `${shown} (${email})`;
  return both === '' ? 'An administrator' : `${both}, an administrator,`;
}

export function accountInvitationMail(caller: Caller, { publicUrl, link, expiresAt }: MailedLink): MailText {
  return {
    subject: 'You are invited to Toolyard',
    body: [
      `${administrator(caller)} invites you to have an account at ${publicUrl}.`,
      'Choose a name and a password here:',
      { link },
      `The link works once, until ${momentInMail(expiresAt)}. Give it to nobody: who uses it has the account.`,
      'If you did not expect this, do nothing. No account is made without you.',
    ],
  };
}

export function passwordResetMail(caller: Caller, { publicUrl, link, expiresAt }: MailedLink): MailText {
  return {
    subject: 'Set a new password for Toolyard',
    body: [
      `${administrator(caller)} made a link with which you set a new password for your account at ${publicUrl}:`,
      { link },
      `The link works once, until ${momentInMail(expiresAt)}. Give it to nobody. Using it signs you out everywhere.`,
      'If you did not ask for this, do nothing, and tell an administrator. Your password stays as it is.',
    ],
  };
}

export function forgottenPasswordMail({ publicUrl, link, expiresAt }: MailedLink): MailText {
  return {
    subject: 'Set a new password for Toolyard',
    body: [
      `Somebody, probably you, forgot the password of your account at ${publicUrl}. Set a new one here:`,
      { link },
      `The link works once, until ${momentInMail(expiresAt)}. Give it to nobody. Using it signs you out everywhere.`,
      'If you did not ask for this, do nothing. Your password stays as it is.',
    ],
  };
}
