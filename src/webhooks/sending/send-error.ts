import { TooLongError } from './connection';

/**
 * Why an attempt failed; stable, stored with the attempt and shown to the owner of the endpoint.
 *
 * - `target_refused`: the endpoint cannot be called as it is set up: its address or one of its headers is not allowed
 * - `address_refused`: the host, or every address of it, is neither public nor in a network that the operator opened
 * - `dns_failed`: the name has no address, or the DNS gave no answer
 * - `connection_failed`: no connection came about, or it broke before the answer had ended
 * - `tls_failed`: no TLS came about; mostly the certificate is not good
 * - `timeout`: the deadline passed before the last byte of the answer
 * - `redirect`: the status is 3xx, which is never followed
 * - `http_status`: the status is neither 2xx nor 3xx
 * - `invalid_response`: what came is not HTTP, or its head has no end
 * - `interrupted`: this process broke the attempt off, since it stops or has a fault; says nothing of the receiver
 */
export const SEND_ERROR_CODES = [
  'target_refused',
  'address_refused',
  'dns_failed',
  'connection_failed',
  'tls_failed',
  'timeout',
  'redirect',
  'http_status',
  'invalid_response',
  'interrupted',
] as const;

export type SendErrorCode = (typeof SEND_ERROR_CODES)[number];

/** What went wrong with an attempt. */
export interface SendError {
  code: SendErrorCode;
  /** Short, for the owner of the endpoint; holds no secret, no header and no address that the owner did not give. */
  message: string;
}

/** An attempt failed; what is thrown on the way to the `SendError`. */
export class SendFailure extends Error implements SendError {
  constructor(
    readonly code: SendErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'SendFailure';
  }
}

const CONNECTION_MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  EHOSTUNREACH: 'There is no route to the address.',
  ENETUNREACH: 'There is no route to the address.',
  EADDRNOTAVAIL: 'There is no route to the address.',
  ETIMEDOUT: 'The connection was not accepted in time.',
  ECONNRESET: 'The connection was closed before there was an answer.',
};

const UNTRUSTED = 'The certificate was not issued by a trusted authority';
const TLS_MESSAGES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: `${UNTRUSTED}: it is self-signed.`,
  SELF_SIGNED_CERT_IN_CHAIN: `${UNTRUSTED}.`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNTRUSTED}; perhaps the server does not send the intermediate one.`,
  UNABLE_TO_GET_ISSUER_CERT: `${UNTRUSTED}; perhaps the server does not send the intermediate one.`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${UNTRUSTED}; perhaps the server does not send the intermediate one.`,
  ECONNRESET: 'The connection was closed during the TLS handshake.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The receiver does not speak TLS on this port.',
};

/** @returns what to say of a connection that did not come about */
export function connectionFailure(error: unknown): SendFailure {
  const code = codeOf(error);
  return new SendFailure('connection_failed', CONNECTION_MESSAGES[code] ?? `The connection failed${inBrackets(code)}.`);
}

/** @returns what to say of a TLS handshake that failed */
export function tlsFailure(error: unknown): SendFailure {
  const code = codeOf(error);
  return new SendFailure('tls_failed', TLS_MESSAGES[code] ?? `The TLS handshake failed${inBrackets(code)}.`);
}

/**
 * @param error from undici, after the request was handed to it
 * @param hasHead whether the head of the answer had come
 */
export function answerFailure(error: Error, hasHead: boolean): SendFailure {
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') {
    return new SendFailure('target_refused', "One of the endpoint's own headers cannot be sent.");
  }
  if (error instanceof TooLongError) {
    return new SendFailure('invalid_response', 'The head of the answer is too long.');
  }
  if (isInvalid(error, hasHead)) return new SendFailure('invalid_response', 'The answer is not valid HTTP/1.1.');
  // A server may complain of the handshake after our side of it is through (RFC 8446, section 4.4.4).
  if (code.startsWith('ERR_SSL_')) return tlsFailure(error);
  const when = hasHead ? 'the answer had ended' : 'there was an answer';
  return new SendFailure('connection_failed', `The connection was closed before ${when}.`);
}

/** @returns what the status says, or null when it is a success */
export function statusError(status: number): SendError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return { code: 'redirect', message: `Answered with the redirect ${status}; redirects are not followed.` };
  }
  return { code: 'http_status', message: `Answered with status ${status}.` };
}

/**
 * Undici's parser does not always give a code, and gives the one of a body that is too short also where there is none
 * yet. An answer that nobody asked for, `100` or an upgrade, it calls bad.
 */
function isInvalid(error: Error, hasHead: boolean): boolean {
  const code = codeOf(error);
  return (
    error.name === 'HTTPParserError' ||
    (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !hasHead) ||
    (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(error.message))
  );
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}

function inBrackets(code: string): string {
  return code === '' ? '' : ` (${code})`;
}
