/** Why an account cannot be connected, or its tokens not be renewed; each has a page (`connect-pages.ts`). */
export type ConnectFailureKind =
  /** The server, or the one where people sign in for it, does not answer, or answers with a failure of its own. */
  | 'unreachable'
  /** One of them has an address to which nothing is sent: not https, not public, or no address of the web at all. */
  | 'unsafe'
  /** It does not say, or does not offer, what the protocol requires. */
  | 'unsupported'
  /** What it says of itself is about another server. */
  | 'mismatch'
  /** It accepts only clients that someone has registered there. */
  | 'unregistered'
  /** It does not accept us as a client. */
  | 'unknown-client'
  /** The person, or the server for them, said no. */
  | 'denied'
  /** It reported another error. */
  | 'refused'
  /** The code or the refresh token is not good any more. */
  | 'expired'
  /** Too much is being asked of such servers at the moment. */
  | 'busy';

/** An account could not be connected. `message` is for the log, and has nothing in it that came from outside but a code. */
export class ConnectFailure extends Error {
  /** @param code the error code of OAuth, if there was one */
  constructor(
    readonly kind: ConnectFailureKind,
    message: string = kind,
    readonly code?: string,
  ) {
    super(message);
    this.name = 'ConnectFailure';
  }

  /** Whether the same may work later, without anyone doing anything. */
  get isTransient(): boolean {
    return this.kind === 'unreachable' || this.kind === 'busy';
  }
}

/** Error codes are short ASCII (RFC 6749, section 5.2); this one comes from outside. */
export function shownCode(code: string): string {
  return code.replace(/[^\x21-\x7e]/g, '?').slice(0, 60);
}
