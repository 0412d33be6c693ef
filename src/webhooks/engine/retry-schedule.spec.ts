import fc from 'fast-check';
import { nextAttemptAt, RETRY_DELAYS_MS } from './retry-schedule';

const ENDED = new Date('2026-11-21T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds until the next attempt; null if there is none. */
function wait(
  step: number,
  random: number,
  answer: { status?: number | null; retryAfter?: string } = {},
): number | null {
  const { status = 500, retryAfter = null } = answer;
  const next = nextAttemptAt({ step, responseStatus: status, retryAfter }, ENDED, random);
  return next === null ? null : next.getTime() - ENDED.getTime();
}

describe('The retry schedule', () => {
  // From section 8 of the contract.
  it.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('waits after failed attempt %i for %i ms, plus or minus a fifth', (attempt, delay) => {
    const step = attempt - 1;
    expect(wait(step, 0.5)).toBe(delay);
    expect(wait(step, 0)).toBe(delay * 0.8);
    expect(wait(step, 0.999_999_999)).toBe(delay * 1.2);
  });

  it('ends with the tenth attempt', () => {
    expect(RETRY_DELAYS_MS).toHaveLength(10);
    expect(wait(9, 0.5)).toBeNull();
    expect(wait(9, 0.5, { status: 503, retryAfter: '60' })).toBeNull();
  });

  it('takes three days, three hours and a half without jitter', () => {
    const total = RETRY_DELAYS_MS.reduce<number>((sum, delay) => sum + delay, 0);
    expect(total).toBe(75 * HOUR + 35 * MINUTE + 5 * SECOND);
  });

  it('spreads its waits evenly', () => {
    const waits = Array.from({ length: 10_000 }, (_, i) => Number(wait(3, i / 10_000)) / (2 * HOUR));
    for (let tenth = 0; tenth < 10; tenth++) {
      const low = 0.8 + tenth * 0.04;
      const share = waits.filter((factor) => factor >= low && factor < low + 0.04).length;
      expect(Math.abs(share - 1_000)).toBeLessThanOrEqual(2);
    }
  });

  it('ends at once with a 410', () => {
    for (let step = 0; step < 10; step++) expect(wait(step, 0.5, { status: 410, retryAfter: '5' })).toBeNull();
  });
});

describe('Retry-After of a webhook answer', () => {
  it.each([429, 503])('in a %i extends the wait, as seconds or as a date', (status) => {
    expect(wait(0, 0.5, { status, retryAfter: '120' })).toBe(120 * SECOND);
    expect(wait(0, 0.5, { status, retryAfter: ' 120 ' })).toBe(120 * SECOND);
    expect(wait(0, 0.5, { status, retryAfter: 'Sat, 21 Nov 2026 12:02:00 GMT' })).toBe(120 * SECOND);
    expect(wait(0, 0.5, { status, retryAfter: 'Saturday, 21-Nov-26 12:02:00 GMT' })).toBe(120 * SECOND);
    expect(wait(0, 0.5, { status, retryAfter: 'Sat Nov 21 12:02:00 2026' })).toBe(120 * SECOND);
  });

  it.each([200, 302, 400, 408, 500, 502, 504, null])('in a %s is ignored', (status) => {
    expect(wait(0, 0.5, { status, retryAfter: '120' })).toBe(5 * SECOND);
  });

  it('never shortens the wait below the schedule', () => {
    expect(wait(2, 0.5, { status: 429, retryAfter: '1' })).toBe(30 * MINUTE);
    expect(wait(2, 0, { status: 429, retryAfter: '0' })).toBe(24 * MINUTE);
    expect(wait(2, 0.5, { status: 429, retryAfter: 'Sat, 21 Nov 2026 11:00:00 GMT' })).toBe(30 * MINUTE);
  });

  it('never extends the wait above the longest one', () => {
    expect(wait(0, 0.5, { status: 503, retryAfter: '999999999999999' })).toBe(24 * HOUR);
    expect(wait(0, 0.5, { status: 503, retryAfter: 'Fri, 21 Nov 2036 12:00:00 GMT' })).toBe(24 * HOUR);
  });

  it.each(['', '-1', '1.5', '1e3', '0x10', 'soon', '120 s', '2026-11-21T12:02:00Z', 'Sat, 99 Nov 2026', '١٢'])(
    'is ignored if invalid: "%s"',
    (retryAfter) => expect(wait(0, 0.5, { status: 503, retryAfter })).toBe(5 * SECOND),
  );

  it('keeps every wait within the limits of the schedule, whatever a receiver sends', () => {
    const status = fc.oneof(fc.constantFrom(429, 503), fc.integer({ min: 100, max: 599 }));
    const retryAfter = fc.oneof(
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.nat(8),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        status,
        retryAfter,
        (step, random, code, header) => {
          const given = wait(step, random, { status: code, retryAfter: header });
          if (code === 410) return given === null;
          const least = Math.round(Number(RETRY_DELAYS_MS[step + 1]) * (0.8 + 0.4 * random));
          const isHeeded = code === 429 || code === 503;
          return given !== null && given >= least && given <= (isHeeded ? Math.max(least, 24 * HOUR) : least);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
