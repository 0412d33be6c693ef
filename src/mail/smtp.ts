import type * as Nodemailer from 'nodemailer';
import type { MailSettings } from '../config/mail-settings';
import { addressKey } from '../users/address';
import { htmlOf, isMailable, type MailBody, textOf } from './mail-text';

/** For everything from the DNS query to the last reply. */
const DEADLINE_MS = 20_000;

/** A mail as it is handed to the mail server. */
export interface OutgoingMail {
  /** The same at each attempt, so that who gets the mail twice can see that it is one. */
  id: string;
  to: string;
  subject: string;
  body: MailBody;
  date: Date;
}

/** The mail server did not accept a mail. The message has nothing of the mail, nor the server's own words. */
export class SmtpError extends Error {
  constructor(
    message: string,
    /** Whether it would not accept it later either (RFC 5321, section 4.2.1). */
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = 'SmtpError';
  }
}

/** Hands mails to the mail server, each on a connection of its own. */
export class Smtp {
  private transport?: Nodemailer.Transporter;

  /** @param deadlineMs for one mail */
  constructor(
    private readonly settings: MailSettings,
    private readonly deadlineMs = DEADLINE_MS,
  ) {}

  /** @throws SmtpError */
  async send({ id, to, subject, body, date }: OutgoingMail): Promise<void> {
    const { from } = this.settings;
    // The library takes any text for a list of addresses, that of the envelope too.
    if (!isMailable(to)) throw new SmtpError('EADDRESS', true);
    const address = withAsciiDomain(to);
    try {
      this.transport ??= this.connect();
      await this.transport.sendMail({
        // As objects and not as text, which would be parsed: what is in a name stays there.
        from,
        to: { name: '', address },
        envelope: { from: from.address, to: [address] },
        subject: subject.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '),
        text: textOf(body),
        html: htmlOf(body),
        date,
        messageId: `<${id}@${domainOf(from.address)}>`,
        // RFC 3834, section 5: no one's out-of-office note answers. The second is what Exchange looks at.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        xMailer: false,
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(this.deadlineMs),
      });
    } catch (error) {
      throw toSmtpError(error);
    }
  }

  private connect(): Nodemailer.Transporter {
    // Loaded here, as most processes never send a mail: 50 ms of each start.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
    const { createTransport } = require('nodemailer') as typeof Nodemailer;
    const { host, port, isTls, requiresStartTls, credentials } = this.settings;
    return createTransport({
      host,
      port,
      secure: isTls,
      requireTLS: requiresStartTls,
      // On this machine: certificates for its name are rare, and no one listens in between.
      ignoreTLS: !requiresStartTls,
      // Said, as an environment variable can turn the default off.
      tls: { rejectUnauthorized: true },
      auth: credentials && { user: credentials.user, pass: credentials.password },
      dnsTimeout: this.deadlineMs,
      connectionTimeout: this.deadlineMs,
      greetingTimeout: this.deadlineMs,
      socketTimeout: this.deadlineMs,
    });
  }
}

/** With the domain as addresses are compared (ADR 16), so that mail goes where the comparison says. */
function withAsciiDomain(address: string): string {
  return `${address.slice(0, address.lastIndexOf('@'))}@${domainOf(addressKey(address))}`;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function toSmtpError(error: unknown): SmtpError {
  const { code, name, responseCode, response, command } = error as Partial<Record<string, unknown>>;
  const kind = isWord(code) ? code : isWord(name) ? name : 'Error';
  const [, enhanced] = typeof response === 'string' ? (/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []) : [];
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  const step = isWord(command) && command !== 'API' && command !== 'CONN' ? command : undefined;
  const message = [kind, reply, enhanced, step].filter((part) => part !== undefined).join(' ');
  // Only what is about this mail: a rejected password or sender is the operator's to repair.
  const isAboutMail = step === 'RCPT TO' || step === 'DATA';
  return new SmtpError(message, isAboutMail && reply !== undefined && reply >= 500 && reply < 600);
}

function isWord(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z_]{1,30}( [A-Z]{1,10})?$/.test(text);
}
