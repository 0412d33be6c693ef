import type { ImportFacts, KeyFacts, QueueFacts } from '../../metrics/health-sources';

export const HEALTH_STATES = ['OK', 'WARN', 'BAD'] as const;
/** `WARN`: look at it today. `BAD`: people notice, or soon will. */
export type HealthState = (typeof HEALTH_STATES)[number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A worker takes what waits within a second; what it does not take in a minute is late. */
export const QUEUE_LATE_MS = MINUTE_MS;
export const QUEUE_STUCK_MS = 10 * MINUTE_MS;

/** The counts are refreshed every 8 hours. */
export const COUNTS_LATE_MS = 9 * HOUR_MS;
export const COUNTS_STUCK_MS = DAY_MS;

/** A running import notes each page. */
export const IMPORT_STUCK_MS = 15 * MINUTE_MS;
export const IMPORT_BAD_MS = DAY_MS;

/** A process says every 10 s that it lives; see `replicas.service.ts`. */
export const REPLICA_ALIVE_MS = 30 * SECOND_MS;

/** A key signs for 30 days; workers may be down for a day without a delay. */
export const SIGNING_LATE_MS = 32 * DAY_MS;
export const SIGNING_STUCK_MS = 60 * DAY_MS;
/** `SECRETS_KEY` changes only when an operator does it. */
export const ENCRYPTION_OLD_MS = 365 * DAY_MS;

/** @returns the worst of the states; `OK` of none */
export function worst(states: readonly HealthState[]): HealthState {
  return HEALTH_STATES[Math.max(0, ...states.map((state) => HEALTH_STATES.indexOf(state)))] ?? 'OK';
}

/** @param releases of the live processes; more than one is right only while a new one is rolled out */
export function stateOfVersions(releases: readonly string[]): HealthState {
  return new Set(releases).size > 1 ? 'WARN' : 'OK';
}

/** @param unknown migrations of a newer release, which this one can serve with */
export function stateOfMigrations({ pending, unknown }: { pending: number; unknown: number }): HealthState {
  if (pending > 0) return 'BAD';
  return unknown > 0 ? 'WARN' : 'OK';
}

export function stateOfCounts(refreshedAt: Date | null, now: Date): HealthState {
  if (refreshedAt === null) return 'WARN';
  return byAge(now.getTime() - refreshedAt.getTime(), COUNTS_LATE_MS, COUNTS_STUCK_MS);
}

export function stateOfQueue({ depth, countedUpTo, oldestAt }: QueueFacts, now: Date): HealthState {
  const age = oldestAt === null ? 0 : now.getTime() - oldestAt.getTime();
  return worst([byAge(age, QUEUE_LATE_MS, QUEUE_STUCK_MS), depth >= countedUpTo ? 'WARN' : 'OK']);
}

/** Imports by hand fail before the eyes of a person; only those that run by themselves can be late. */
export function stateOfImports(facts: ImportFacts, now: Date): HealthState {
  const { from, intervalMinutes, last, finishedAt, quarantinedToday } = facts;
  const states: HealthState[] = [quarantinedToday > 0 ? 'WARN' : 'OK'];
  if (last?.status === 'failed') states.push('WARN');
  if (last?.status === 'running' && now.getTime() - last.updatedAt.getTime() > IMPORT_STUCK_MS) states.push('WARN');
  if (from !== null && last !== null) {
    const longest = Math.max(IMPORT_BAD_MS, 3 * intervalMinutes * MINUTE_MS);
    if (now.getTime() - (finishedAt ?? last.startedAt).getTime() > longest) states.push('BAD');
  }
  return worst(states);
}

/** @param lost processes that ended without a word within the last hour */
export function stateOfReplicas({ api, worker, lost }: { api: number; worker: number; lost: number }): HealthState {
  if (worker === 0 || api === 0) return 'BAD';
  return lost > 0 ? 'WARN' : 'OK';
}

export function stateOfKey({ purpose, use, since }: KeyFacts, now: Date): HealthState {
  const age = now.getTime() - since.getTime();
  if (use === 'UNKNOWN') return 'BAD';
  if (purpose === 'SIGNING') return use === 'CURRENT' ? byAge(age, SIGNING_LATE_MS, SIGNING_STUCK_MS) : 'OK';
  return use === 'FORMER' || age > ENCRYPTION_OLD_MS ? 'WARN' : 'OK';
}

/** Also of a clock that is a little ahead, which makes ages negative. */
function byAge(age: number, late: number, stuck: number): HealthState {
  if (age > stuck) return 'BAD';
  return age > late ? 'WARN' : 'OK';
}
