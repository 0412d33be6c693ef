import { LRUCache } from 'lru-cache';
import type { CallVerdict } from './call-outcome';

const PERIOD_MS = 60_000;
/** Whose refused calls are counted at the same time. */
const MOST_COUNTED = 20_000;

/** Rows of refused calls of one principal, by one method, at one bundle in a minute; others are counted in a metric only. */
export const REFUSED_ROWS = {
  /** All of them say the same. */
  RATE_LIMITED: 1,
  /** A wrong name says what was tried. */
  DENIED: 60,
} as const;

/**
 * Bounds the rows of calls that no server is asked for: those that are have a rate (`CallRates`), but a principal that is refused
 * can go on as fast as requests are admitted, and would fill the record.
 */
export class RefusedRows {
  private readonly counts = new LRUCache<string, { since: number; count: number }>({ max: MOST_COUNTED });

  /** @param place the principal, the bundle and the method @returns whether the call has a row */
  admit(place: string, outcome: CallVerdict['outcome']): boolean {
    if (outcome !== 'RATE_LIMITED' && outcome !== 'DENIED') return true;
    const key = `${outcome} ${place}`;
    const now = performance.now();
    let counted = this.counts.get(key);
    // The minute begins with the first of them.
    if (!counted || now - counted.since >= PERIOD_MS) this.counts.set(key, (counted = { since: now, count: 0 }));
    counted.count++;
    return counted.count <= REFUSED_ROWS[outcome];
  }
}
