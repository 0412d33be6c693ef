import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanContext } from '@opentelemetry/api';
import { currentSpanContext, outsideTraces } from '../tracing/tracing';

/** Just over `statement_timeout`: PostgreSQL ends a statement that is only slow, and we end one that is stuck. */
const LONG_WORK_MS = 65_000;

/** The database did not respond to a request in time. Its code is one of those that mean "unavailable". */
export class DatabaseDeadlineError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database did not answer before the deadline of the request.');
    this.name = 'DatabaseDeadlineError';
  }
}

/** Too many requests wait for a connection already. Its code is PostgreSQL's for too many connections. */
export class DatabaseQueueError extends Error {
  readonly code = '53300';

  constructor() {
    super('Too many requests are waiting for the database.');
    this.name = 'DatabaseQueueError';
  }
}

/**
 * The time that one request may spend on the database, for all its statements and waits for a connection together.
 * Everything else (reading a body, calling another service) does not count. Work outside of requests has no deadline:
 * the loops of the worker, imports, migrations.
 */
export class DatabaseDeadline {
  private usedMs = 0;
  private budgetMs: number;

  /**
   * @param ordinaryMs how long the request may wait for the database in total
   * @param isOver whether the request was answered; anything after that is background work, without a deadline
   */
  constructor(
    private readonly ordinaryMs: number,
    readonly isOver: () => boolean,
  ) {
    this.budgetMs = ordinaryMs;
  }

  /** Milliseconds remaining if the current wait began at `startedAt` (of `performance.now()`). */
  remainingAt(startedAt: number): number {
    return this.budgetMs - this.usedMs - (performance.now() - startedAt);
  }

  /** Counts a wait that has ended. */
  count(startedAt: number): void {
    this.usedMs += performance.now() - startedAt;
  }

  /** Gives the request as long as PostgreSQL gives a statement. */
  extend(): void {
    this.budgetMs = Math.max(this.budgetMs, this.usedMs + LONG_WORK_MS);
  }

  /** A separate deadline for a step of the same request, with the full time of a request. */
  ofStep(): DatabaseDeadline {
    return new DatabaseDeadline(this.ordinaryMs, this.isOver);
  }

  /** For a statement that several requests wait for: the full time of one, whether or not that one is still there. */
  ofGroup(): DatabaseDeadline {
    return new DatabaseDeadline(this.ordinaryMs, () => false);
  }

  /** A separate deadline for the end of the same request: the remaining time, but at least this many milliseconds. */
  ofEnd(atLeastMs: number): DatabaseDeadline {
    return new DatabaseDeadline(Math.max(atLeastMs, this.remainingAt(performance.now())), this.isOver);
  }
}

/** What everything started by a request can look up. One store for both, since each slows every promise a little. */
interface RequestScope {
  requestId: string;
  deadline: DatabaseDeadline;
  trace: SpanContext | undefined;
}

const requests = new AsyncLocalStorage<RequestScope>();

/**
 * Runs the work of one request, and everything it starts, under a deadline for the database.
 *
 * @param trace the trace of the request, if it belongs to one
 */
export function inRequest<T>(requestId: string, deadline: DatabaseDeadline, work: () => T, trace?: SpanContext): T {
  return requests.run({ requestId, deadline, trace }, work);
}

/** @returns the span that this belongs to, or else the trace of the request; undefined: none */
export function currentTrace(): SpanContext | undefined {
  return currentSpanContext() ?? requests.getStore()?.trace;
}

/** @returns the id of the request that this belongs to, for the log; undefined outside of requests */
export function currentRequestId(): string | undefined {
  return requests.getStore()?.requestId;
}

/** @returns the deadline of the current request, unless it was answered */
export function databaseDeadline(): DatabaseDeadline | undefined {
  const deadline = requests.getStore()?.deadline;
  return deadline === undefined || deadline.isOver() ? undefined : deadline;
}

/**
 * For operations that legitimately take longer, such as one over 100,000 users: the request may use as much time as
 * PostgreSQL allows one statement (60 s). Has no effect outside of requests.
 */
export function allowLongDatabaseWork(): void {
  databaseDeadline()?.extend();
}

/**
 * For requests of many short steps that are long in total, such as a batch: each step may take as long as a request, so
 * that an unresponsive database is still detected within seconds.
 */
export function withDatabaseTimeOfStep<T>(work: () => T): T {
  return withOwnDeadline((deadline) => deadline.ofStep(), work);
}

/** For a statement that answers several requests at once: it has the time of one, even if the one that it runs for leaves. */
export function withDatabaseTimeOfGroup<T>(work: () => T): T {
  return withOwnDeadline((deadline) => deadline.ofGroup(), work);
}

/** Counts, for the current request, a wait for a statement that runs for several, which began at `startedAt`. */
export function countDatabaseTime(startedAt: number): void {
  databaseDeadline()?.count(startedAt);
}

/** For what has to be written even if the request has used up its time. */
export function withDatabaseTimeAtLeast<T>(milliseconds: number, work: () => T): T {
  return withOwnDeadline((deadline) => deadline.ofEnd(milliseconds), work);
}

function withOwnDeadline<T>(derive: (deadline: DatabaseDeadline) => DatabaseDeadline, work: () => T): T {
  const scope = requests.getStore();
  return scope && !scope.deadline.isOver()
    ? inRequest(scope.requestId, derive(scope.deadline), work, scope.trace)
    : work();
}

/** Runs what a request only wakes up, such as a loop of the worker, without the request's deadline, id and trace. */
export function outsideRequests<T>(work: () => T): T {
  return requests.exit(() => outsideTraces(work));
}

/**
 * Waits, within the deadline of the request, for something that other requests do with the database.
 *
 * @throws DatabaseDeadlineError if the deadline passes
 */
export async function withinDatabaseDeadline(others: Promise<unknown>): Promise<void> {
  const deadline = databaseDeadline();
  if (!deadline) {
    await others;
    return;
  }
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DatabaseDeadlineError()), deadline.remainingAt(startedAt));
  });
  try {
    await Promise.race([others, late]);
  } finally {
    clearTimeout(timer);
    deadline.count(startedAt);
  }
}
