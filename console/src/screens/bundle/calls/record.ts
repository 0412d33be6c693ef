import type { Call } from '../../../api/schema';

/** A call, with the reading of the first page by which it came; 0: it was there when the record was opened. */
export interface Arrival {
  call: Call;
  round: number;
}

/** What came since the record was opened. */
export interface Arrivals {
  /** How often the first page was read again. */
  round: number;
  /** By their ids. */
  calls: ReadonlyMap<string, Arrival>;
  /** Whether calls may be missing between those that came and those that were there: then it is opened again. */
  hasGap: boolean;
}

export const NOTHING_YET: Arrivals = { round: 0, calls: new Map(), hasGap: false };

/** The first page, which is read again and again. */
export const PAGE_SIZE = 100;
/** From here on it is opened again, so that a page that is open for a week does not grow. */
const MAX_ARRIVALS = 2_000;

/**
 * @param known the ids of calls that were there when the record was opened
 * @param page the first page, read again
 */
export function withPage(arrivals: Arrivals, known: ReadonlySet<string>, page: readonly Call[]): Arrivals {
  const round = arrivals.round + 1;
  const calls = new Map(arrivals.calls);
  let isKnown = false;
  for (const call of page) {
    const former = calls.get(call.id);
    if (former || known.has(call.id)) isKnown = true;
    // What has not changed stays the same object, so that its row is not drawn again.
    if (former && isSame(former.call, call)) continue;
    calls.set(call.id, { call, round: former?.round ?? (known.has(call.id) ? 0 : round) });
  }
  const isCutOff = page.length >= PAGE_SIZE && !isKnown;
  return { round, calls, hasGap: arrivals.hasGap || isCutOff || calls.size > MAX_ARRIVALS };
}

/** Of a call, nothing changes but by its end. */
const isSame = (one: Call, other: Call): boolean =>
  one.outcome === other.outcome && one.duration_ms === other.duration_ms;

/**
 * @param opened the calls that were there when the record was opened, and older ones
 * @param upTo the reading up to which calls are shown; later ones are held back. Undefined: all
 * @returns what is shown, newest first
 */
export function shownCalls(opened: readonly Call[], arrivals: Arrivals, upTo: number | undefined): Call[] {
  const isShown = ({ round }: Arrival): boolean => upTo === undefined || round <= upTo;
  const openedIds = new Set(opened.map(({ id }) => id));
  const arrived = [...arrivals.calls.values()].filter((one) => isShown(one) && !openedIds.has(one.call.id));
  const all = [
    ...arrived.map(({ call }) => call),
    ...opened.map((call) => {
      const later = arrivals.calls.get(call.id)?.call;
      return later && !isSame(later, call) ? later : call;
    }),
  ];
  // An id begins with the time of its call (UUID version 7).
  return all.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** @returns how many calls are held back */
export function heldCount(arrivals: Arrivals, upTo: number | undefined): number {
  if (upTo === undefined) return 0;
  return [...arrivals.calls.values()].filter(({ round }) => round > upTo).length;
}
