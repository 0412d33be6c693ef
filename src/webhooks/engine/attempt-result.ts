import { BUCKETS, bucketOf } from '../deliveries/latency-histogram';

/** The result of one attempt as it is recorded. Instants are ISO 8601, because it is sent to the database as JSON. */
export interface AttemptResult {
  endpoint_id: string;
  delivery_id: string;
  claim_id: string;
  number: number;
  event_type: string;
  /** The target as stored, and the generation of the lane, at the time of the attempt. */
  target_url: string;
  /** Hexadecimal; null if there is none. */
  encrypted_query: string | null;
  generation: number;
  started_at: string;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  /** A code; null if it succeeded. */
  error: string | null;
  error_message: string | null;
  /** Null if there is no further attempt. */
  next_at: string | null;
}

const HOUR_MS = 3_600_000;

/** @returns counts and durations of the attempts that started in each hour (UTC), by endpoint */
export function countByHour(results: readonly AttemptResult[]) {
  const hours = new Map<
    string,
    { endpoint_id: string; hour: string; succeeded: number; failed: number; latencies: number[] }
  >();
  for (const { endpoint_id, started_at, duration_ms, error } of results) {
    const hour = new Date(Math.floor(Date.parse(started_at) / HOUR_MS) * HOUR_MS).toISOString();
    const key = `${endpoint_id} ${hour}`;
    const counts = hours.get(key) ?? {
      endpoint_id,
      hour,
      succeeded: 0,
      failed: 0,
      latencies: Array<number>(BUCKETS).fill(0),
    };
    hours.set(key, counts);
    if (error === null) counts.succeeded += 1;
    else counts.failed += 1;
    const bucket = bucketOf(duration_ms);
    counts.latencies[bucket] = (counts.latencies[bucket] ?? 0) + 1;
  }
  return [...hours.values()];
}

/**
 * @returns for each endpoint whether there was a success, and when the first failure after the last one ended; failures
 *   inside this service are ignored, as they reveal nothing about the receiver
 */
export function outcomeByEndpoint(results: readonly AttemptResult[]) {
  const endedAt = ({ started_at, duration_ms }: AttemptResult) => Date.parse(started_at) + duration_ms;
  const outcomes = new Map<string, { endpoint_id: string; succeeded: boolean; failing_from: string | null }>();
  for (const result of [...results].sort((a, b) => endedAt(a) - endedAt(b))) {
    const { endpoint_id, error } = result;
    const outcome = outcomes.get(endpoint_id) ?? { endpoint_id, succeeded: false, failing_from: null };
    outcomes.set(endpoint_id, outcome);
    if (error === 'interrupted') continue;
    if (error === null) Object.assign(outcome, { succeeded: true, failing_from: null });
    else outcome.failing_from ??= new Date(endedAt(result)).toISOString();
  }
  return [...outcomes.values()];
}

/**
 * What can be recorded together: one result of each delivery. A process that was paused for longer than its lease may have
 * sent the same delivery twice.
 *
 * @returns the latest of each delivery, and the others
 */
export function latestOfEach(results: readonly AttemptResult[]): { latest: AttemptResult[]; others: AttemptResult[] } {
  const latest = new Map(results.map((result) => [result.delivery_id, result]));
  return {
    latest: [...latest.values()],
    others: results.filter((result) => latest.get(result.delivery_id) !== result),
  };
}
