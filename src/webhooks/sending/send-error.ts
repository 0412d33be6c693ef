import { TooLongError } from './connection';

/**
 * Why an attempt failed; stable, stored with the attempt and shown to the owner of the endpoint.
 *
 * - `target_refused`: the endpoint's configuration is not allowed: its address or one of its headers
 * - `address_refused`: the host, or each of its addresses, is neither public nor in a network that the operator allowed
 * - `dns_failed`: the name has no address, or the DNS did not respond
 * - `connection_failed`: no connection was established, or it was closed before the response was complete
 * - `tls_failed`: the TLS handshake failed, usually because of an invalid certificate
 * - `timeout`: the deadline passed before the last byte of the response
 * - `redirect`: the status is 3xx, which is never followed
 * - `http_status`: the status is neither 2xx nor 3xx
 * - `invalid_response`: the response is not HTTP, or its headers do not end
 * - `interrupted`: this process aborted the attempt on shutdown or an internal error; not the receiver's fault
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

/** The error of an attempt. */
export interface SendError {
  code: SendErrorCode;
  /** Short, for the owner of the endpoint; contains no secret, header or address that the owner did not provide. */
  message: string;
}

/** Thrown when an attempt fails; becomes the `SendError` of its result. */
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
  ETIMEDOUT: 'The connection timed out.',
  ECONNRESET: 'The connection was closed before a response was received.',
};

const UNTRUSTED = 'The certificate was not issued by a trusted authority';
const TLS_MESSAGES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: `${UNTRUSTED}: it is self-signed.`,
  SELF_SIGNED_CERT_IN_CHAIN: `${UNTRUSTED}.`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNTRUSTED}; the server may not send the intermediate certificate.`,
  UNABLE_TO_GET_ISSUER_CERT: `${UNTRUSTED}; the server may not send the intermediate certificate.`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${UNTRUSTED}; the server may not send the intermediate certificate.`,
  ECONNRESET: 'The connection was closed during the TLS handshake.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The receiver does not speak TLS on this port.',
};

/** @returns the failure for a connection that was not established */
export function connectionFailure(error: unknown): SendFailure {
  const code = codeOf(error);
  return new SendFailure('connection_failed', CONNECTION_MESSAGES[code] ?? `The connection failed${inBrackets(code)}.`);
}

/** @returns the failure for a TLS handshake */
export function tlsFailure(error: unknown): SendFailure {
  const code = codeOf(error);
  return new SendFailure('tls_failed', TLS_MESSAGES[code] ?? `The TLS handshake failed${inBrackets(code)}.`);
}

/**
 * @param error from undici, after it accepted the request
 * @param hasHead whether the response headers had arrived
 */
export function answerFailure(error: Error, hasHead: boolean): SendFailure {
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') {
    return new SendFailure('target_refused', "One of the endpoint's custom headers cannot be sent.");
  }
  if (error instanceof TooLongError) {
    return new SendFailure('invalid_response', 'The response headers are too long.');
  }
  if (isInvalid(error, hasHead)) return new SendFailure('invalid_response', 'The response is not valid HTTP/1.1.');
  // A server may reject the handshake after our side has completed it (RFC 8446, section 4.4.4).
  if (code.startsWith('ERR_SSL_')) return tlsFailure(error);
  const when = hasHead ? 'the response was complete' : 'a response was received';
  return new SendFailure('connection_failed', `The connection was closed before ${when}.`);
}

/** @returns the error for a status, or null if it is a success */
export function statusError(status: number): SendError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    const message = `The receiver responded with a redirect (${status}); redirects are not followed.`;
    return { code: 'redirect', message };
  }
  return { code: 'http_status', message: `The receiver responded with status ${status}.` };
}

/**
 * Undici's parser does not always set a code, and uses the code for a body that is too short also when there is no body
 * yet. It calls an unsolicited response, `100` or an upgrade, bad.
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
