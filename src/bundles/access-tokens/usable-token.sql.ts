import { isInsider } from '../bundle-insider.sql';

/**
 * Whether an access token `tokens` opens its bundle `bundles`: it has not expired, and its creator has an account that
 * is not closed and who belongs to the bundle now: a directory may have taken their role since.
 *
 * @param now an SQL parameter, such as `$2`
 */
export function isUsableToken(now: `$${number}`): string {
  return `(
    (tokens.expires_at IS NULL OR tokens.expires_at > ${now})
    AND EXISTS (SELECT 1 FROM users WHERE users.id = tokens.created_by AND users.closed_at IS NULL)
    AND ${isInsider('tokens.created_by')})`;
}
