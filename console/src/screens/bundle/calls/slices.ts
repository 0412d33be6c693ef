import type { CallStatistics } from '../../../api/schema';

/** What was counted in a part of a period. */
export interface CountedSlice {
  /** In milliseconds. */
  from: number;
  calls: number;
  errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

const NOTHING = { calls: 0, errors: 0, p50_ms: null, p95_ms: null, p99_ms: null };
/** What the API gives at most, and some more. */
const MAX_SLICES = 100;

/** @returns the parts of the period, oldest first; the API leaves out those without calls */
export function slicesOf({ from, to, groups, part_seconds: seconds }: CallStatistics): CountedSlice[] {
  const length = (seconds ?? 0) * 1_000;
  if (length <= 0) return [];
  const counted = new Map(groups.map((group) => [Date.parse(group.begins_at ?? ''), group]));
  const end = Date.parse(to);
  const slices: CountedSlice[] = [];
  for (let at = Math.floor(Date.parse(from) / length) * length; at < end; at += length) {
    if (slices.length >= MAX_SLICES) break;
    const { calls, errors, p50_ms, p95_ms, p99_ms } = counted.get(at) ?? NOTHING;
    slices.push({ from: at, calls, errors, p50_ms, p95_ms, p99_ms });
  }
  return slices;
}

/** Columns as a chart takes them: seconds since 1970, and a row for each line. */
export type Series = [number[], ...(number | null)[][]];

/** @returns how many calls there were in each part, and how many of them were errors */
export const rateSeries = (slices: readonly CountedSlice[]): Series => [
  slices.map(({ from }) => from / 1_000),
  slices.map(({ calls }) => calls),
  slices.map(({ errors }) => errors),
];

/** @returns how long calls took in each part, in milliseconds; null where none has ended */
export const durationSeries = (slices: readonly CountedSlice[]): Series => [
  slices.map(({ from }) => from / 1_000),
  slices.map(({ p50_ms: value }) => value),
  slices.map(({ p95_ms: value }) => value),
  slices.map(({ p99_ms: value }) => value),
];

/** @returns whether there is anything to draw */
export const hasCalls = (slices: readonly CountedSlice[]): boolean => slices.some(({ calls }) => calls > 0);
