import type { Sample } from './load';

/** What a scenario has to keep to. */
export interface Goals {
  /** Whether a request may be answered 503 with `Retry-After`. */
  mayBeUnavailable?: boolean;
  /** Failures that the scenario explains, such as requests in flight on a process that was killed. */
  explains?: (sample: Sample) => boolean;
  /** Milliseconds. */
  p99?: number;
  /** Seconds until no request fails any more, after the end of the fault. */
  recovery?: number;
  /** Whether no process may use much more memory than before. */
  flatMemory?: boolean;
}

/** What happened while a scenario ran. */
export interface Observed {
  name: string;
  goals: Goals;
  samples: readonly Sample[];
  /** Of `performance.now()`; undefined: there was no fault that ends. */
  faultEnded?: number;
  memoryBefore: Record<string, number>;
  memoryAfter: Record<string, number>;
  /** Acknowledged changes that are not in the database. */
  lostChanges: readonly string[];
  /** Acknowledged events that did not arrive. */
  lostEvents: readonly string[];
  expectedEvents: number;
  /** Goals of its own that it missed. */
  problems: readonly string[];
}

/** A line of the table. */
export interface Row {
  cells: string[];
  problems: string[];
}

export const HEADINGS = [
  'scenario',
  'requests',
  'failed',
  '503',
  'p50 ms',
  'p99 ms',
  'recovered after',
  'RSS before → after, MiB',
  'lost changes',
  'lost events',
  'verdict',
];

/** How much memory may grow, unless it stays below what a process has after some minutes of the same load. */
const MEMORY_GROWTH = 1.2;
const USUAL_MIB = 320;

/** Holds what was observed against the goals. */
export function judge(observed: Observed): Row {
  const { name, goals, samples } = observed;
  const failed = samples.filter(({ outcome }) => outcome === 'failed');
  const unexplained = failed.filter((sample) => !goals.explains?.(sample));
  const unavailable = samples.filter(({ outcome }) => outcome === 'unavailable');
  const times = samples.map(({ from, to }) => to - from).sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0);
  const slow = samples.filter(({ from, to }) => to - from > (goals.p99 ?? Infinity));
  const recovered = recovery(observed);
  const problems = [...observed.problems];
  if (samples.length === 0) problems.push('no request was sent');
  if (unexplained.length > 0) problems.push(`${unexplained.length} failed: ${summary(unexplained)}`);
  if (!goals.mayBeUnavailable && unavailable.length > 0)
    problems.push(`${unavailable.length} answered 503: ${summary(unavailable)}`);
  if (goals.p99 !== undefined && (p99 ?? 0) > goals.p99)
    problems.push(`p99 is ${Math.round(p99 ?? 0)} ms, not ${goals.p99}: ${summary(slow)}`);
  if (goals.recovery !== undefined && (recovered ?? 0) > goals.recovery)
    problems.push(`recovered after ${recovered?.toFixed(1)} s, not ${goals.recovery}`);
  if (observed.lostChanges.length > 0)
    problems.push(`changes were lost: ${observed.lostChanges.slice(0, 5).join('; ')}`);
  if (observed.lostEvents.length > 0)
    problems.push(`events did not arrive: ${observed.lostEvents.slice(0, 5).join('; ')}`);
  const memory = memoryOf(observed);
  if (goals.flatMemory)
    for (const [role, before, after] of memory)
      if (after > Math.max(before * MEMORY_GROWTH, USUAL_MIB))
        problems.push(`${role} grew from ${Math.round(before)} to ${Math.round(after)} MiB`);
  return {
    problems,
    cells: [
      name,
      String(samples.length),
      failed.length === unexplained.length ? String(failed.length) : `${failed.length} (in flight at a kill)`,
      String(unavailable.length),
      String(Math.round(p50 ?? 0)),
      String(Math.round(p99 ?? 0)),
      recovered === undefined ? '' : `${recovered.toFixed(1)} s`,
      memory.map(([, before, after]) => `${Math.round(before)} → ${Math.round(after)}`).join(', '),
      String(observed.lostChanges.length),
      `${observed.lostEvents.length} of ${observed.expectedEvents}`,
      problems.length === 0 ? 'ok' : 'MISSED',
    ],
  };
}

/** @returns the table as Markdown */
export function table(rows: readonly Row[]): string {
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...rows.map(({ cells }) => cells)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Seconds from the end of the fault to the end of the last request that failed, of those sent after it. */
function recovery({ faultEnded, samples }: Observed): number | undefined {
  if (faultEnded === undefined) return undefined;
  const late = samples.filter(({ outcome, to }) => outcome !== 'ok' && to > faultEnded).map(({ to }) => to);
  return Math.max(0, ...late.map((to) => (to - faultEnded) / 1_000));
}

function memoryOf({ memoryBefore, memoryAfter }: Observed): [role: string, before: number, after: number][] {
  return Object.entries(memoryBefore).map(([role, before]) => [role, before, memoryAfter[role] ?? 0]);
}

/** Each kind of failure with its number, the most frequent first. */
function summary(samples: readonly Sample[]): string {
  const kinds = new Map<string, number>();
  for (const { operation, detail } of samples) {
    const kind = `${operation} ${detail}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').slice(0, 220);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const sorted = [...kinds].sort(([, a], [, b]) => b - a);
  return sorted
    .slice(0, 8)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(' | ');
}
