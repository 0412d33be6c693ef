import fc from 'fast-check';
import { barsOf, bucketOf, BUCKETS, percentile } from './latency-histogram';

function histogramOf(durations: readonly number[]): number[] {
  const latencies = new Array<number>(BUCKETS).fill(0);
  for (const duration of durations) latencies[bucketOf(duration)]! += 1;
  return latencies;
}

const durations = fc.array(fc.integer({ min: 0, max: 30_500 }), { minLength: 1, maxLength: 200 });
const percents = fc.integer({ min: 1, max: 100 });

describe('A histogram of latencies', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 4],
    [4, 8],
    [5, 9],
    [1_024, 40],
    [15_000, 55],
    [16_383, 55],
    [16_384, 56],
    [30_000, 59],
    [10 ** 9, 59],
  ])('puts %d ms into bucket %d', (duration, bucket) => {
    expect(bucketOf(duration)).toBe(bucket);
  });

  it('has a bucket for every duration, in ascending order', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (one, other) => {
        const [shorter, longer] = [Math.min(one, other), Math.max(one, other)];
        expect(bucketOf(shorter)).toBeGreaterThanOrEqual(0);
        expect(bucketOf(longer)).toBeLessThan(BUCKETS);
        expect(bucketOf(shorter)).toBeLessThanOrEqual(bucketOf(longer));
      }),
    );
  });

  it('assigns each duration to the bucket with its bounds', () => {
    const durations = Array.from({ length: 30_000 }, (_, index) => index + 1);
    const isBelow = (duration: number) => duration < 2 ** (bucketOf(duration) / 4);
    const isAbove = (duration: number) =>
      bucketOf(duration) < BUCKETS - 1 && duration >= 2 ** ((bucketOf(duration) + 1) / 4);
    expect(durations.filter(isBelow)).toEqual([]);
    expect(durations.filter(isAbove)).toEqual([]);
  });

  it('has no percentiles without durations', () => {
    expect(percentile(histogramOf([]), 50)).toBeNull();
    expect(percentile([], 99)).toBeNull();
  });

  it.each([
    [[50], 50, 49],
    [[1, 1, 1, 1_000], 50, 1],
    [[1, 1, 1, 1_000], 75, 1],
    [[1, 1, 1, 1_000], 76, 939],
    [[1, 1, 1, 1_000], 100, 939],
  ])('of %j gives percentile %d as %d ms', (latencies, p, expected) => {
    expect(percentile(histogramOf(latencies), p)).toBe(expected);
  });

  it('gives percentiles with an error of at most one bucket and rounding', () => {
    fc.assert(
      fc.property(durations, percents, (latencies, p) => {
        const sorted = [...latencies].sort((a, b) => a - b);
        const exact = Math.max(1, sorted[Math.ceil((sorted.length * p) / 100) - 1] ?? NaN);
        const estimate = percentile(histogramOf(latencies), p);
        expect(Math.abs((estimate ?? NaN) - exact)).toBeLessThanOrEqual(exact * (2 ** (1 / 8) - 1) + 0.5);
      }),
    );
  });

  it('gives percentiles that never decrease with the percentage', () => {
    fc.assert(
      fc.property(durations, percents, percents, (given, one, other) => {
        const latencies = histogramOf(given);
        const [lower, higher] = [Math.min(one, other), Math.max(one, other)];
        expect(percentile(latencies, lower)).toBeLessThanOrEqual(percentile(latencies, higher) ?? NaN);
      }),
    );
  });
});

describe('The bars of a histogram for people', () => {
  it('have every duration in one of twelve, near its bound at the most', () => {
    fc.assert(
      fc.property(fc.nat(40_000), (ms) => {
        const bars = barsOf(histogramOf([ms]));
        expect(bars).toHaveLength(12);
        const [place] = bars.flatMap((count, bar) => (count === 1 ? [bar] : []));
        const bounds = [0, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, Infinity];
        expect(ms).toBeGreaterThanOrEqual((bounds[place ?? NaN] ?? NaN) * 0.9);
        expect(ms).toBeLessThanOrEqual((bounds[(place ?? NaN) + 1] ?? NaN) * 1.1);
      }),
    );
  });

  it('count what timed out after 15 s below it', () => {
    expect(barsOf(histogramOf([15_000, 15_100]))[10]).toBe(2);
  });
});
