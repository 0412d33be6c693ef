import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { ConflictError, DomainError, ErrorCode, UnavailableError } from '../errors/errors';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
]);

/**
 * SQLSTATEs of a server that is unavailable: connection exceptions (08), no resources (53), operator intervention such
 * as shutdown or a cancelled statement (57), a standby that became the target after a failover (25006), a transaction that
 * waited too long, in between (25P03) or for a lock (55P03), and conflicts between transactions that retrying did not
 * solve (40).
 */
const UNAVAILABLE_STATES = /^(08|53|57|40001$|40P01$|25006$|25P03$|55P03$)/;

/**
 * A server that rejects connections: a changed password (28), a database that is gone or being copied (3D000, 55000).
 * At startup that is the operator's mistake, reported immediately; later it is temporary, and a caller should try
 * again.
 */
const CLOSED_STATES = /^(28|3D000$|55000$)/;

/** node-postgres reports a lost connection by text only. */
const UNAVAILABLE_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|connection error and is not queryable|client was closed|driver not connected|connection is not established/i;

interface PostgresError {
  code?: unknown;
  constraint?: unknown;
  message?: unknown;
  driverError?: unknown;
  errors?: unknown;
}

/** TypeORM wraps what node-postgres throws; a refused dual-stack connection arrives as an AggregateError. */
function unwrap(error: unknown): PostgresError {
  if (typeof error !== 'object' || error === null) return {};
  const { driverError, errors } = error as PostgresError;
  if (typeof driverError === 'object' && driverError !== null) return unwrap(driverError);
  if (Array.isArray(errors) && errors.length > 0 && (error as PostgresError).code === undefined)
    return unwrap(errors[0]);
  return error;
}

/** @returns whether the same transaction may simply be run again: a deadlock or a serialization failure. */
export function isRetryable(error: unknown): boolean {
  const { code } = unwrap(error);
  return code === '40001' || code === '40P01';
}

/** @returns whether a statement waited too long for a lock (`lock_timeout`), or was the victim of a deadlock */
export function couldNotLock(error: unknown): boolean {
  const { code } = unwrap(error);
  return code === '55P03' || code === '40P01';
}

/** @returns whether a statement exceeded its timeout, or was cancelled */
export function hasTakenTooLong(error: unknown): boolean {
  return unwrap(error).code === '57014';
}

/** @returns whether the database could not be reached or could not serve, as opposed to rejecting a statement */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError) {
    // TypeORM releases a connection as soon as it breaks; the next statement of the transaction then fails like this.
    return true;
  }
  const { code, message } = unwrap(error);
  if (typeof code === 'string' && (UNREACHABLE.has(code) || UNAVAILABLE_STATES.test(code))) return true;
  return code === undefined && typeof message === 'string' && UNAVAILABLE_TEXTS.test(message);
}

/** @returns whether a statement named a table that does not exist */
export function isMissingTable(error: unknown): boolean {
  return unwrap(error).code === '42P01';
}

/** @returns the name of the unique constraint or index that a statement violated, if that is why it failed */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = unwrap(error);
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined;
}

/**
 * The only place that knows SQLSTATEs. What the violation of a unique constraint means is declared with the error
 * codes.
 */
export class DatabaseErrors {
  private readonly conflicts: ReadonlyMap<string, [code: ErrorCode<'conflict'>, detail: string]>;

  /** @param codes of all modules */
  constructor(codes: readonly ErrorCode[]) {
    this.conflicts = new Map(
      codes
        .filter(isConflict)
        .flatMap((code) =>
          Object.entries(code.constraints ?? {}).map(([constraint, detail]) => [constraint, [code, detail]]),
        ),
    );
  }

  /** The names of the constraints and indexes that the codes mention. */
  get constraints(): string[] {
    return [...this.conflicts.keys()];
  }

  /**
   * @param error whatever a query threw
   * @returns the error for the caller, or undefined if it is a defect of ours (and so a 500)
   */
  translate(error: unknown): DomainError | undefined {
    const { code } = unwrap(error);
    if (isUnavailable(error) || (typeof code === 'string' && CLOSED_STATES.test(code))) {
      return new UnavailableError(
        ErrorCode.ServiceUnavailable,
        'The database cannot be reached. Try again shortly.',
        1,
        { cause: error },
      );
    }
    const conflict = this.conflicts.get(violatedUnique(error) ?? '');
    return conflict && new ConflictError(...conflict);
  }
}

function isConflict(code: ErrorCode): code is ErrorCode<'conflict'> {
  return code.kind === 'conflict';
}
