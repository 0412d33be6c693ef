/**
 * Number of buckets of a histogram. The last one starts at 27.5 s, close to the longest deadline, and is open-ended.
 */
export const BUCKETS = 60;

const BUCKETS_PER_DOUBLING = 4;

/**
 * The bucket of a duration in the histograms of `webhook_hours.latencies`. Bucket `i` contains durations from 2^(i/4)
 * ms to 2^((i+1)/4) ms, so that a figure derived from it is off by at most a ninth, whether it is 5 ms or 5 s. The
 * first bucket also contains shorter durations, the last one longer ones.
 *
 * @param durationMs at least 0
 * @returns from 0 to `BUCKETS - 1`
 */
export function bucketOf(durationMs: number): number {
  const bucket = Math.floor(Math.log2(Math.max(1, durationMs)) * BUCKETS_PER_DOUBLING);
  return Math.min(bucket, BUCKETS - 1);
}

/**
 * A percentile by nearest rank: `p` per cent of the durations are no longer than it.
 *
 * @param latencies the number of durations in each bucket
 * @param p above 0, at most 100
 * @returns whole milliseconds: the geometric mean of the bounds of that duration's bucket; null without durations
 */
export function percentile(latencies: readonly number[], p: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil((total * p) / 100));
  let passed = 0;
  const bucket = latencies.findIndex((count) => (passed += count) >= rank);
  return Math.round(2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING));
}

/**
 * The bounds of the coarse histogram that people look at, in milliseconds: each bar has the durations up to its bound and
 * above the one before. A twelfth bar has what took longer than the last.
 */
export const HISTOGRAM_BOUNDS: readonly number[] = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000];

/** A bucket whose middle is this much above a bound still counts below it, so that what timed out after 15 s does. */
const TOLERANCE = 1.01;

/**
 * The same durations in twelve bars. A bucket goes where its middle is, as `percentile` shows it, so a duration within a
 * tenth of a bound may be counted on its other side.
 *
 * @param latencies the number of durations in each bucket
 * @returns the number of durations of each bar; one more than there are bounds
 */
export function barsOf(latencies: readonly number[]): number[] {
  const bars = Array<number>(HISTOGRAM_BOUNDS.length + 1).fill(0);
  latencies.forEach((count, bucket) => {
    const middle = 2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING);
    const bar = HISTOGRAM_BOUNDS.findIndex((bound) => middle <= bound * TOLERANCE);
    bars[bar === -1 ? HISTOGRAM_BOUNDS.length : bar]! += count;
  });
  return bars;
}
