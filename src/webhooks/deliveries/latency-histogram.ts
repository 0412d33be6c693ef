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
