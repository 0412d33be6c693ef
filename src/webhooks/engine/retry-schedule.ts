/**
 * The delays before the attempts of a delivery, each measured from the end of the previous one; milliseconds (Standard
 * Webhooks 1.0, "Deliverability and reliability"; contract, section 8).
 */
export const RETRY_DELAYS_MS = [
  0,
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
] as const;

/** The maximum delay, whatever a receiver requests. */
const MAX_DELAY_MS = Math.max(...RETRY_DELAYS_MS);

const JITTER = 0.2;

/** What the schedule needs to know about a failed attempt. */
export interface FailedAttempt {
  /** Its position in the schedule; from 0. */
  step: number;
  /** Null if there was no response. */
  responseStatus: number | null;
  /** The `Retry-After` header as received. */
  retryAfter: string | null;
}

/**
 * The time of the next attempt. Each delay varies by a fifth in either direction, so that deliveries that failed
 * together are not retried together. A receiver that sends Retry-After (with 429 or 503 only) can extend the scheduled
 * delay up to the maximum, but not shorten it: a delivery must not use up its attempts in a minute.
 *
 * @param endedAt when the attempt ended
 * @param random from 0 inclusive to 1 exclusive
 * @returns null if that was the last attempt or the receiver is permanently gone (410)
 */
export function nextAttemptAt(attempt: FailedAttempt, endedAt: Date, random: number): Date | null {
  const delay = RETRY_DELAYS_MS[attempt.step + 1];
  if (delay === undefined || attempt.responseStatus === 410) return null;
  const scheduled = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  const requested =
    attempt.responseStatus === 429 || attempt.responseStatus === 503 ? waitOf(attempt.retryAfter, endedAt) : 0;
  return new Date(endedAt.getTime() + Math.max(scheduled, Math.min(requested, MAX_DELAY_MS)));
}

/** @returns milliseconds; 0 if it is neither seconds nor a date (RFC 9110, section 10.2.3) */
function waitOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  // Of the three date formats (section 5.6.7), the last one, asctime, does not include a time zone.
  if (!/^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? /.test(text)) return 0;
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
