import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CallVerdict } from '../settings/call-outcome';

const PERIOD_MS = 60_000;
/** The refused calls of at most so many principals are counted at the same time. */
const MAX_COUNTED = 5_000;

/**
 * Different things that one principal is refused in a minute and that have a row each. One row for all of them would let
 * a stolen token hide what it tries next behind the first refusal.
 */
export const MAX_REASONS = 60;

/**
 * Bounds the rows of calls that no server is asked for: those that are have a rate (`CallRates`), but a principal that is refused
 * can go on as fast as requests are admitted, and would fill the record. A principal has one row a minute for the same
 * refusal, and at most 60 in all (contract, 13.8).
 */
export class RefusedRows {
  private readonly periods = new LRUCache<string, { readonly since: number; readonly reasons: Set<string> }>({
    max: MAX_COUNTED,
  });

  /** @param reason what is refused, and why */
  admit(principal: string, outcome: CallVerdict['outcome'], reason: readonly unknown[]): boolean {
    if (outcome !== 'RATE_LIMITED' && outcome !== 'DENIED') return true;
    const now = performance.now();
    let period = this.periods.get(principal);
    // The minute begins with the first of them.
    if (!period || now - period.since >= PERIOD_MS)
      this.periods.set(principal, (period = { since: now, reasons: new Set() }));
    // Names have any length.
    const key = hash('sha256', JSON.stringify(reason), 'base64').slice(0, 16);
    if (period.reasons.has(key) || period.reasons.size >= MAX_REASONS) return false;
    period.reasons.add(key);
    return true;
  }
}
