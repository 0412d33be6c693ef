import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { InstantField } from '../../http/requests/fields';
import type { WebhookLane } from '../queue/webhook-lane.entity';
import { HISTOGRAM_BOUNDS, barsOf, percentile } from './latency-histogram';
import type { WebhookHour } from './webhook-hour.entity';

const COUNT = { type: 'integer' as const, minimum: 0 };

const LATENCY = {
  type: 'integer' as const,
  minimum: 0,
  nullable: true,
  example: 92,
  description:
    'This percentage of the attempts took at most this long, accurate to about a tenth. Null without attempts.',
};

export class WebhookStatsQuery {
  @InstantField({ required: false, description: 'Absent: 24 hours before `to`.' })
  from?: string;

  @InstantField({ required: false, description: 'Absent, or in the future: now. At most 31 days after `from`.' })
  to?: string;
}

/** Counts and durations of attempts, including failed ones. */
export class WebhookAttemptCountsOut {
  @ApiProperty(COUNT)
  succeeded: number;

  @ApiProperty(COUNT)
  failed: number;

  @ApiProperty(LATENCY)
  p50_ms: number | null;

  @ApiProperty(LATENCY)
  p95_ms: number | null;

  @ApiProperty(LATENCY)
  p99_ms: number | null;
}

export class WebhookHourOut extends WebhookAttemptCountsOut {
  @InstantField({ example: '2026-11-20T08:00:00.000Z', description: 'The start of the hour.' })
  hour: string;
}

/** A bar of the histogram of durations. */
export class WebhookLatencyBarOut {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 200,
    description:
      'The longest duration in it, in milliseconds, accurate to about a tenth. Null in the last one: longer.',
  })
  up_to_ms: number | null;

  @ApiProperty({ ...COUNT, description: 'The attempts that took at most this long, and longer than the bar before.' })
  count: number;
}

export class WebhookStatsOut {
  @InstantField({ example: '2026-11-19T08:00:00.000Z', description: 'The start of the first hour.' })
  from: string;

  @InstantField({ example: '2026-11-20T09:00:00.000Z', description: 'The end of the last hour.' })
  to: string;

  @ApiProperty({ type: WebhookAttemptCountsOut, description: 'The totals of all hours.' })
  totals: WebhookAttemptCountsOut;

  @ApiProperty({
    type: [WebhookHourOut],
    description:
      'Grouped by the hour (UTC) in which an attempt started, oldest first; hours without attempts are omitted.',
  })
  hours: WebhookHourOut[];

  @ApiProperty({
    type: [WebhookLatencyBarOut],
    minItems: HISTOGRAM_BOUNDS.length + 1,
    maxItems: HISTOGRAM_BOUNDS.length + 1,
    description: 'How long the attempts of all hours took, in twelve bars from 10 ms to 15 s and longer.',
  })
  latencies: WebhookLatencyBarOut[];

  @ApiProperty({
    ...COUNT,
    maximum: 10_000,
    description: 'The number of deliveries queued or in flight now; counted up to 10,000.',
  })
  pending: number;

  @ApiProperty({ description: 'False if there are more than `pending`.' })
  pending_is_exact: boolean;

  @InstantField({
    nullable: true,
    description:
      'When the first waiting delivery is due; if in the past, the queue is behind by that much. Null if none is waiting.',
  })
  oldest_pending_at: string | null;

  @InstantField({
    nullable: true,
    description: 'The start of the current run of failures; null if the latest attempt succeeded.',
  })
  failing_since: string | null;
}

/** An hour as selected by the service. */
export type HourRow = Pick<Columns<WebhookHour>, 'hour' | 'succeeded' | 'failed' | 'latencies'>;

/** The queue as selected by the service. */
export type BacklogRow = Pick<Columns<WebhookLane>, 'failing_since'> & {
  /** Counted up to one more than is reported. */
  pending: number;
  oldest_pending_at: Date | null;
};

/** The queue of an endpoint is counted up to this number. */
export const MAX_PENDING = 10_000;

export function toStats(from: Date, to: Date, hours: HourRow[], backlog: BacklogRow | undefined): WebhookStatsOut {
  const pending = backlog?.pending ?? 0;
  const totals = sumOf(hours);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    totals: toCounts(totals),
    hours: hours.map((row) => ({ hour: row.hour.toISOString(), ...toCounts(row) })),
    latencies: barsOf(totals.latencies).map((count, bar) => ({ up_to_ms: HISTOGRAM_BOUNDS[bar] ?? null, count })),
    pending: Math.min(pending, MAX_PENDING),
    pending_is_exact: pending <= MAX_PENDING,
    oldest_pending_at: backlog?.oldest_pending_at?.toISOString() ?? null,
    failing_since: backlog?.failing_since?.toISOString() ?? null,
  };
}

type Counts = Omit<HourRow, 'hour'>;

function toCounts({ succeeded, failed, latencies }: Counts): WebhookAttemptCountsOut {
  return {
    succeeded,
    failed,
    p50_ms: percentile(latencies, 50),
    p95_ms: percentile(latencies, 95),
    p99_ms: percentile(latencies, 99),
  };
}

function sumOf(hours: HourRow[]): Counts {
  const sum: Counts = { succeeded: 0, failed: 0, latencies: [] };
  for (const { succeeded, failed, latencies } of hours) {
    sum.succeeded += succeeded;
    sum.failed += failed;
    latencies.forEach((count, bucket) => (sum.latencies[bucket] = (sum.latencies[bucket] ?? 0) + count));
  }
  return sum;
}
