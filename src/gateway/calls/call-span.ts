import { ValidationError } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';

const DAY_MS = 24 * 3_600_000;

/**
 * What one request may look at. Each day is a partition with its indexes, all of which a statement locks: those of ten years
 * at once are more than PostgreSQL has room for (`max_locks_per_transaction`).
 */
export const MAX_DAYS = 31;

/** A time, of whose end nothing is part. */
export interface CallSpan {
  readonly from: Date;
  readonly to: Date;
}

/**
 * @param query the ends that someone asks for, in the form that was validated
 * @param days how long it is if only the end is known
 * @throws ValidationError if it is empty or too long
 */
export function spanOf(query: { from?: string; to?: string }, now: Date, days: number): CallSpan {
  const wanted = (query.to === undefined ? undefined : parseInstant(query.to)) ?? now;
  // What has just come is part of it.
  const to = wanted < now ? wanted : new Date(now.getTime() + 1);
  const from =
    (query.from === undefined ? undefined : parseInstant(query.from)) ?? new Date(to.getTime() - days * DAY_MS);
  if (from >= to) throw fault('Must be in the past and earlier than to.');
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS + 1) throw fault(`Must be at most ${MAX_DAYS} days before to.`);
  return { from, to };
}

function fault(msg: string): ValidationError {
  return new ValidationError([{ loc: ['query', 'from'], msg, type: 'value_error' }]);
}
