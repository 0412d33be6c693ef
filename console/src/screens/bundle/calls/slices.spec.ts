import fc from 'fast-check';
import { ORDERED_PERIODS } from './filter';
import { type CountedSlice, durationSeries, hasCalls, isPast, rateSeries, slicesOf } from './slices';

const HOUR_MS = 3_600_000;

describe('The slices of a period', () => {
  it('follow each other up to now, at round times, and are few', () => {
    const now = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2030-01-01') });
    fc.assert(
      fc.property(fc.constantFrom(...ORDERED_PERIODS), now, (hours, end) => {
        const slices = slicesOf(hours, end);
        expect(slices.length).toBeGreaterThanOrEqual(11);
        expect(slices.length).toBeLessThanOrEqual(31);
        expect(slices.at(-1)?.to).toBe(end);
        expect(slices[0]?.from).toBeGreaterThanOrEqual(end - Number(hours) * HOUR_MS);
        for (const [index, { from, to }] of slices.entries()) {
          expect(from).toBeLessThan(to);
          expect(from % 300_000).toBe(0);
          if (index > 0) expect(from).toBe(slices[index - 1]?.to);
        }
      }),
    );
  });

  it('are the same later, but for the last', () => {
    const now = Date.parse('2026-11-28T12:20:00Z');
    const later = slicesOf('24', now + 60_000);
    expect(later.slice(0, -1)).toEqual(slicesOf('24', now).slice(0, -1));
  });

  it('are past a minute after their end', () => {
    expect(isPast({ from: 0, to: 1_000 }, 60_999)).toBe(false);
    expect(isPast({ from: 0, to: 1_000 }, 61_000)).toBe(true);
  });
});

describe('What is drawn of them', () => {
  const slices: CountedSlice[] = [
    { from: 0, to: 1_000, calls: 4, errors: 1, p50_ms: 10, p95_ms: 20 },
    { from: 1_000, to: 2_000, calls: 0, errors: 0, p50_ms: null, p95_ms: null },
  ];

  it('has a column for each slice, and a gap where nothing has ended', () => {
    expect(rateSeries(slices)).toEqual([
      [0, 1],
      [4, 0],
      [1, 0],
    ]);
    expect(durationSeries(slices)).toEqual([
      [0, 1],
      [10, null],
      [20, null],
    ]);
  });

  it('is nothing if nothing was called', () => {
    expect(hasCalls(slices)).toBe(true);
    expect(hasCalls(slices.slice(1))).toBe(false);
  });
});
