import { AuthenticationError, ErrorCode } from '../errors/errors';

/** When the issuer made the claims of a token, in seconds since the epoch. */
interface Issued {
  saidAt?: number;
}

/**
 * A token from before the deletion of an account belongs to that account. It neither creates a new account, which
 * no one asked for, nor gives access to one that the user has created since. Nor does one from before a closed account
 * was opened again.
 *
 * @param endedAt when the identity's previous account was deleted, or its account was opened again, if it ever was
 * @throws AuthenticationError for such a token and for a token without an issue time
 */
export function requireLater(profile: Issued, endedAt: Date | null | undefined): void {
  if (isLater(profile, endedAt)) return;
  throw new AuthenticationError(
    ErrorCode.InvalidToken,
    'The account was deleted or closed after this token was issued. Sign in again: only a token that was issued afterwards counts.',
  );
}

/** Tokens have whole seconds: within the second of the end the order is unknown. */
export function isLater({ saidAt }: Issued, endedAt: Date | null | undefined): boolean {
  return !endedAt || (saidAt !== undefined && saidAt * 1_000 > endedAt.getTime());
}
