import { ValidationError } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';

/**
 * Parses `expires_at` of the body that requests a token.
 *
 * @returns null for a token that never expires
 * @throws ValidationError if it is not in the future
 */
export function tokenExpiry(value: string | null | undefined, now: Date): Date | null {
  if (value == null) return null;
  const expiresAt = parseInstant(value);
  if (expiresAt && expiresAt > now) return expiresAt;
  throw new ValidationError([{ loc: ['body', 'expires_at'], msg: 'Must be in the future.', type: 'value_error' }]);
}
