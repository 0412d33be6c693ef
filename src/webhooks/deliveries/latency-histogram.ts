/** Of a histogram: the last one begins at 27.5 s, which is near the longest deadline, and has no end. */
export const BUCKETS = 60;

const BUCKETS_PER_DOUBLING = 4;

/**
 * The bucket of a duration in the histograms of `webhook_hours.latencies`. Bucket `i` holds what takes from 2^(i/4) ms
 * up to 2^((i+1)/4) ms, so that a figure read from it is wrong by a ninth part at most, be it of 5 ms or of 5 s; the
 * first one holds shorter durations too, the last one longer ones.
 *
 * @param durationMs at least 0
 * @returns from 0 to `BUCKETS - 1`
 */
export function bucketOf(durationMs: number): number {
  const bucket = Math.floor(Math.log2(Math.max(1, durationMs)) * BUCKETS_PER_DOUBLING);
  return Math.min(bucket, BUCKETS - 1);
}

/**
 * A percentile by nearest rank: so many per cent of the durations are no longer than it.
 *
 * @param latencies how many durations each bucket holds
 * @param p above 0, at most 100
 * @returns whole milliseconds: the geometric middle of the bucket in which that duration lies; null without durations
 */
export function percentile(latencies: readonly number[], p: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil((total * p) / 100));
  let passed = 0;
  const bucket = latencies.findIndex((count) => (passed += count) >= rank);
  return Math.round(2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING));
}
