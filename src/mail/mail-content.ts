import { type MailBody } from './mail-text';
import { type MailKind } from './mail-kind';

/** A mail to be sent. */
export interface NewMail {
  kind: MailKind;
  /** As the person wrote it. */
  to: string;
  subject: string;
  body: MailBody;
  /** The account or invitation that it is about. */
  aboutId: string;
  /** When it is not worth sending any more, such as the end of its link. */
  expiresAt: Date;
}

/** A mail whose recipient is decided later, if it gets one. */
export interface LaterMail {
  kind: MailKind;
  /** An address that a stranger typed. */
  typed: string;
  /** Whether the stranger is one no more: the account has signed in from that browser or network. */
  isKnown: boolean;
  expiresAt: Date;
}

/** What is sealed in a row: all of a mail that could be a secret, or that names a person. */
export type SealedContent = { to: string; subject: string; body: MailBody } | { typed: string };
