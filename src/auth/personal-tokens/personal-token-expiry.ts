import { ValidationError } from '../../errors/errors';
import { tokenExpiry } from '../secret-tokens/token-expiry';

const DAY_MS = 86_400_000;
export const DEFAULT_LIFE_DAYS = 90;
/** A leap year. */
export const MAX_LIFE_DAYS = 366;

/**
 * Parses `expires_at` of the body that requests a token, which always expires.
 *
 * @returns 90 days from now if it is absent
 * @throws ValidationError if it is not in the future, or more than 366 days from now
 */
export function personalTokenExpiry(value: string | undefined, now: Date): Date {
  const daysAhead = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const expiresAt = tokenExpiry(value, now) ?? daysAhead(DEFAULT_LIFE_DAYS);
  if (expiresAt <= daysAhead(MAX_LIFE_DAYS)) return expiresAt;
  const msg = `Must be at most ${MAX_LIFE_DAYS} days from now.`;
  throw new ValidationError([{ loc: ['body', 'expires_at'], msg, type: 'value_error' }]);
}
