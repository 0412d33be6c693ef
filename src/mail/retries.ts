const FIRST_REST_MS = 30_000;
const MAX_REST_MS = 3_600_000;

/** With the rests between them about 13 hours: a mail server that is down is noticed and repaired in that time. */
export const MAX_ATTEMPTS = 20;

/**
 * @param attempt the number of the failed one, from 1 on
 * @returns milliseconds until the next: half a minute, then twice as long each time, up to an hour; up to a tenth more,
 *   so that the mails of an outage do not all come at once
 */
export function restAfter(attempt: number): number {
  const rest = Math.min(FIRST_REST_MS * 2 ** Math.min(attempt - 1, 20), MAX_REST_MS);
  return Math.round(rest * (1 + Math.random() / 10));
}
