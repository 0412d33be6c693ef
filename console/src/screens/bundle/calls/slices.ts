import type { Period } from './filter';

/** A part of a period, in milliseconds; its end does not belong to it. */
export interface Slice {
  from: number;
  to: number;
}

/** What was counted in a slice. */
export interface SliceFigures {
  calls: number;
  errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export type CountedSlice = Slice & SliceFigures;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a slice is: at most 31 of them, since each is asked for. */
const LENGTHS: Record<Period, number> = {
  '1': 5 * MINUTE_MS,
  '6': 30 * MINUTE_MS,
  '24': HOUR_MS,
  '168': 12 * HOUR_MS,
  '744': 24 * HOUR_MS,
};

/**
 * @returns the slices of a period that ends now, oldest first. They begin at round times, so that those of the past are
 * the same when it is drawn again; the first and the last are shorter.
 */
export function slicesOf(hours: Period, now: number): Slice[] {
  const length = LENGTHS[hours];
  const begin = now - Number(hours) * HOUR_MS;
  const slices: Slice[] = [];
  for (let from = Math.ceil(begin / length) * length; from < now; from += length) {
    slices.push({ from, to: Math.min(from + length, now) });
  }
  return slices;
}

/** @returns whether nothing is added to it any more, a minute after its end: calls are recorded within a second */
export const isPast = ({ to }: Slice, now: number): boolean => to + MINUTE_MS <= now;

/** Columns as a chart takes them: seconds since 1970, and a row for each line. */
export type Series = [number[], ...(number | null)[][]];

/** @returns how many calls there were in each slice, and how many of them were errors */
export const rateSeries = (slices: readonly CountedSlice[]): Series => [
  slices.map(({ from }) => from / 1_000),
  slices.map(({ calls }) => calls),
  slices.map(({ errors }) => errors),
];

/** @returns how long calls took in each slice, in milliseconds; null where none has ended */
export const durationSeries = (slices: readonly CountedSlice[]): Series => [
  slices.map(({ from }) => from / 1_000),
  slices.map(({ p50_ms: value }) => value),
  slices.map(({ p95_ms: value }) => value),
];

/** @returns whether there is anything to draw */
export const hasCalls = (slices: readonly CountedSlice[]): boolean => slices.some(({ calls }) => calls > 0);
