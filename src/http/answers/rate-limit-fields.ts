import type { ServerResponse } from 'node:http';
import type { RatePolicy } from '../../errors/errors';

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11): structured fields (RFC 9651).
 *
 * @param left requests that are possible
 * @param seconds until there are more; a whole number
 */
export function setRateLimit(response: ServerResponse, policy: RatePolicy, left: number, seconds: number): void {
  const { name, quota, seconds: window } = policy;
  response.setHeader(
    'RateLimit-Policy',
    window === undefined ? `"${name}";q=${quota};qu="concurrent-requests"` : `"${name}";q=${quota};w=${window}`,
  );
  response.setHeader('RateLimit', `"${name}";r=${left};t=${seconds}`);
}

/** The same, and `Retry-After`: nothing is possible until then. */
export function setRetryAfter(response: ServerResponse, policy: RatePolicy, seconds: number): void {
  response.setHeader('Retry-After', String(seconds));
  setRateLimit(response, policy, 0, seconds);
}
