import { ValidationError } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';
import type { WebhookRecoveryCreate } from './recovery.dto';

/**
 * @returns the period of a recovery that is asked for now
 * @throws ValidationError if it is empty
 */
export function spanOf({ since, until }: WebhookRecoveryCreate, now: Date): { since: Date; until: Date } {
  const from = parseInstant(since) ?? now;
  const requestedUntil = (until == null ? undefined : parseInstant(until)) ?? now;
  const faults = [
    ...(from >= now ? [{ loc: ['body', 'since'], msg: 'Must be in the past.', type: 'value_error' as const }] : []),
    ...(from >= requestedUntil && requestedUntil !== now
      ? [{ loc: ['body', 'until'], msg: 'Must be later than since.', type: 'value_error' as const }]
      : []),
  ];
  if (faults.length > 0) throw new ValidationError(faults);
  return { since: from, until: requestedUntil < now ? requestedUntil : now };
}
