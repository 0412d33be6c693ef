import type { WebhookHour, WebhookStats } from '../../../api/schema';

const HOUR_MS = 3_600_000;

/** Seconds of the hours, and the values of each line. */
export type Series = [number[], ...(number | null)[][]];

interface Hour extends Omit<WebhookHour, 'hour'> {
  /** Milliseconds. */
  at: number;
}

const NOTHING = { succeeded: 0, failed: 0, p50_ms: null, p95_ms: null, p99_ms: null };

/** @returns every hour of the period, oldest first; the API leaves out those without attempts */
export function everyHour({ from, to, hours }: Pick<WebhookStats, 'from' | 'to' | 'hours'>): Hour[] {
  const counted = new Map(hours.map((hour) => [Date.parse(hour.hour), hour]));
  const first = Date.parse(from);
  const count = Math.max(0, Math.round((Date.parse(to) - first) / HOUR_MS));
  return Array.from({ length: count }, (_, place) => {
    const at = first + place * HOUR_MS;
    const { succeeded, failed, p50_ms, p95_ms, p99_ms } = counted.get(at) ?? NOTHING;
    return { at, succeeded, failed, p50_ms, p95_ms, p99_ms };
  });
}

const seconds = (hours: readonly Hour[]) => hours.map(({ at }) => at / 1_000);

export const attemptSeries = (hours: readonly Hour[]): Series => [
  seconds(hours),
  hours.map(({ succeeded }) => succeeded),
  hours.map(({ failed }) => failed),
];

export const durationSeries = (hours: readonly Hour[]): Series => [
  seconds(hours),
  hours.map(({ p50_ms }) => p50_ms),
  hours.map(({ p95_ms }) => p95_ms),
  hours.map(({ p99_ms }) => p99_ms),
];
