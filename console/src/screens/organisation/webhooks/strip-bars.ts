/** An hour of a strip, with the heights of its bars as parts of the largest of the strip. */
export interface StripHour {
  /** When it begins, in milliseconds. */
  at: number;
  succeeded: number;
  failed: number;
  up: number;
  down: number;
}

const HOUR_MS = 3_600_000;
/** Of the height: a single attempt among thousands is still seen. */
const LEAST = 0.12;

/** @param from when the first hour begins */
export function stripHours(from: string, succeeded: readonly number[], failed: readonly number[]): StripHour[] {
  const most = Math.max(1, ...succeeded, ...failed);
  const height = (count: number) => (count === 0 ? 0 : Math.max(LEAST, count / most));
  return succeeded.map((count, place) => {
    const failures = failed[place] ?? 0;
    return {
      at: Date.parse(from) + place * HOUR_MS,
      succeeded: count,
      failed: failures,
      up: height(count),
      down: height(failures),
    };
  });
}
