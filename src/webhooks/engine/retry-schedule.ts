/**
 * The waits before the attempts of a delivery, each counted from the end of the one before; milliseconds (Standard
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

/** No wait is longer, whatever a receiver asks for. */
const LONGEST_MS = Math.max(...RETRY_DELAYS_MS);

const JITTER = 0.2;

/** What the schedule needs to know of an attempt that failed. */
export interface FailedAttempt {
  /** Its place in the schedule; from 0. */
  step: number;
  /** Null when no answer came. */
  responseStatus: number | null;
  /** The header of that name, as received. */
  retryAfter: string | null;
}

/**
 * When to try again. Each wait varies by a fifth in either direction, so that what failed together does not come back
 * together. A receiver that says when to come back (429 and 503 only) is given more time than the schedule would give
 * it, up to the longest wait, and never less: a delivery must not use up its attempts in a minute.
 *
 * @param endedAt when the attempt was over
 * @param random from 0 inclusive to 1 exclusive
 * @returns null when that was the last attempt, or when the receiver is gone for good (410)
 */
export function nextAttemptAt(attempt: FailedAttempt, endedAt: Date, random: number): Date | null {
  const delay = RETRY_DELAYS_MS[attempt.step + 1];
  if (delay === undefined || attempt.responseStatus === 410) return null;
  const scheduled = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  const wished =
    attempt.responseStatus === 429 || attempt.responseStatus === 503 ? waitOf(attempt.retryAfter, endedAt) : 0;
  return new Date(endedAt.getTime() + Math.max(scheduled, Math.min(wished, LONGEST_MS)));
}

/** @returns milliseconds; 0 for what is neither seconds nor a date (RFC 9110, section 10.2.3) */
function waitOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  // Of the three forms of a date (section 5.6.7) the last one, of asctime, does not name its time zone.
  if (!/^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? /.test(text)) return 0;
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
