import { isIP } from 'node:net';
import type { EnvironmentReader } from './environment-reader';
import { parseUrl } from './parse-url';

/** The mail server, and from whom mail comes. */
export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps`). */
  isTls: boolean;
  /** Without TLS from the first byte: nothing is sent before STARTTLS (RFC 3207). Only a server on this machine needs none. */
  requiresStartTls: boolean;
  credentials?: { user: string; password: string };
  from: { name: string; address: string };
}

const URL_EXAMPLE = 'smtps://user:password@mail.example.com:465';
const FROM_EXAMPLE = 'Toolyard <toolyard@example.com>';
/** Submission (RFC 6409) and submission over TLS (RFC 8314). */
const PORTS = { smtp: 587, smtps: 465 };
const NAME = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*\.?$/;
const FROM = /^(?:"?([^"<>\p{C}]*?)"?\s*<([^<>]+)>|([^<>]+))$/u;
/** Letters of an atom (RFC 5322, section 3.2.3), and a domain of the DNS. */
const ADDRESS = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;

/** @returns undefined without `SMTP_URL`: no mail is sent then */
export function readMailSettings(read: EnvironmentReader): MailSettings | undefined {
  const text = read.secret('SMTP_URL');
  const from = readFrom(read, text !== undefined);
  if (text === undefined) return undefined;
  const server = readServer(read, text);
  return server && from && { ...server, from };
}

function readServer(read: EnvironmentReader, text: string): Omit<MailSettings, 'from'> | undefined {
  const fault = (what: string): undefined => read.fault('SMTP_URL', what, URL_EXAMPLE) as undefined;
  const url = parseUrl(text);
  const [, scheme] = /^(smtps?):\/\//i.exec(text) ?? [];
  if (!url || scheme === undefined) return fault('is not a URL that starts with smtp:// or smtps://');
  const isTls = scheme.toLowerCase() === 'smtps';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0 && !NAME.test(host)) return fault('has no host name or address');
  if (!['', '/'].includes(url.pathname) || /[?#]/.test(text))
    return fault('has more than user, password, host and port; other characters of a password are written as %23');
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || password === undefined) return fault('has a "%" that is not followed by two hex digits');
  if ((user === '') !== (password === '')) return fault('has a user without a password, or the reverse');
  const port = url.port === '' ? PORTS[isTls ? 'smtps' : 'smtp'] : Number(url.port);
  if (port === 0) return fault('has port 0');
  return {
    host,
    port,
    isTls,
    requiresStartTls: !isTls && !isLoopback(host),
    credentials: user === '' ? undefined : { user, password },
  };
}

function readFrom(read: EnvironmentReader, hasServer: boolean): MailSettings['from'] | undefined {
  const text = read.optional('MAIL_FROM');
  if (text === undefined) {
    if (hasServer) read.fault('MAIL_FROM', 'is required together with SMTP_URL', FROM_EXAMPLE);
    return undefined;
  }
  if (!hasServer) read.fault('MAIL_FROM', 'is set, but SMTP_URL is not', `SMTP_URL=${URL_EXAMPLE}`);
  const [, name = '', inBrackets, bare] = FROM.exec(text) ?? [];
  const address = (inBrackets ?? bare ?? '').trim();
  if (ADDRESS.test(address)) return { name: name.trim(), address };
  read.fault('MAIL_FROM', 'is not an e-mail address, or a name and an address in angle brackets', FROM_EXAMPLE);
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
