import { TYPED_ID } from '../../../api/id';
import type { AuditAction } from '../../../api/schema';

/** What the address says. */
export interface AuditSearch {
  action?: string;
  actor?: string;
  subject?: string;
  /** Days: 2026-11-28. */
  from?: string;
  to?: string;
}

/** What the API is asked for. */
export interface AuditFilter {
  action?: AuditAction;
  actor_id?: string;
  subject_id?: string;
  from?: string;
  to?: string;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * @param search the parameters of the address, which a person may have typed: what is no value is left out
 * @param actions all that there are
 */
export function filterOf(search: AuditSearch, actions: readonly AuditAction[]): AuditFilter {
  const action = actions.find((one) => one === search.action);
  const [from, to] = [beginOf(search.from), beginOf(search.to, 1)];
  return {
    ...(action !== undefined && { action }),
    ...(isId(search.actor) && { actor_id: search.actor }),
    ...(isId(search.subject) && { subject_id: search.subject }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** @returns whether anything is left out by the filter */
export const isFiltered = (filter: AuditFilter): boolean => Object.keys(filter).length > 0;

function isId(text: string | undefined): text is string {
  return text !== undefined && TYPED_ID.test(text);
}

/** @returns the instant at which a day begins here, or one so many days later */
function beginOf(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = DAY.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  const begin = new Date(Number(year), Number(month) - 1, Number(date) + later);
  // A day such as 2026-02-30 would be another one.
  const same = new Date(Number(year), Number(month) - 1, Number(date));
  return same.getDate() === Number(date) && same.getMonth() === Number(month) - 1 ? begin.toISOString() : undefined;
}
