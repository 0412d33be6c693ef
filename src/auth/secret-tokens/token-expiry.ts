import { ValidationError } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';

/**
 * Reads `expires_at` of the body that asks for a token.
 *
 * @returns null for a token that never expires
 * @throws ValidationError when it would have expired already
 */
export function tokenExpiry(value: string | null | undefined, now: Date): Date | null {
  if (value == null) return null;
  const expiresAt = parseInstant(value);
  if (expiresAt && expiresAt > now) return expiresAt;
  throw new ValidationError([{ loc: ['body', 'expires_at'], msg: 'Must be in the future.', type: 'value_error' }]);
}
