/** The kind of failure behind a code. `http/answers/error-status.ts` maps each kind to a status. */
export type ErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'rateLimited'
  | 'notImplemented'
  | 'internal'
  | 'unavailable'
  /** What the transport rejects before any module sees the request; the transport gives each of its codes a status. */
  | 'protocol';

/** One `code` of an error body (contract, section 2), and everything that other modules need to know about it. */
export interface ErrorCode<K extends ErrorKind = ErrorKind> {
  /** Stable: clients switch on it. */
  readonly code: string;
  readonly kind: K;
  /** For `notFound`: the subject of "… was not found." */
  readonly noun?: string;
  /** An example `detail` for the OpenAPI document; that of a `notFound` follows from its noun. */
  readonly example?: string;
  /** For `conflict`: constraints and indexes whose violation a caller can cause, each with the `detail` to send. */
  readonly constraints?: Readonly<Record<string, string>>;
}

/** What a code has to declare, depending on its kind. */
type Declaration =
  | { readonly code: string; readonly kind: 'notFound'; readonly noun: string; readonly example?: string }
  | {
      readonly code: string;
      readonly kind: 'conflict';
      readonly example?: string;
      readonly constraints?: Readonly<Record<string, string>>;
    }
  | { readonly code: string; readonly kind: Exclude<ErrorKind, 'notFound' | 'conflict'>; readonly example?: string };

/**
 * Declares the error codes of a module, in its `*.errors.ts`. The module lists them in `declares`, from which the
 * OpenAPI document and the translation of database errors take them.
 *
 * @param codes by the name used in code: `ThingNotFound`
 * @returns the same codes; each keeps its kind, so the compiler lets an error take only a code that fits
 */
export function defineErrors<const D extends Readonly<Record<string, Declaration>>>(
  codes: D,
): { readonly [N in keyof D]: ErrorCode<D[N]['kind']> } {
  return codes;
}

/** The codes of no particular module. A module's `ErrorCode` includes these and those of the modules it depends on. */
export const ErrorCode = defineErrors({
  AuthenticationRequired: {
    code: 'authentication_required',
    kind: 'unauthenticated',
    example: 'This operation requires an access token: send "Authorization: Bearer …".',
  },
  InvalidToken: { code: 'invalid_token', kind: 'unauthenticated', example: 'The access token has expired.' },
  Forbidden: { code: 'forbidden', kind: 'forbidden', example: 'Only a platform administrator can do this.' },
  InsufficientScope: {
    code: 'insufficient_scope',
    kind: 'forbidden',
    example: 'This requires the scope catalog:read, which the access token does not have.',
  },
  NotFound: {
    code: 'not_found',
    kind: 'notFound',
    noun: 'Resource',
    example: '/v1/paths does not exist; see /docs.',
  },
  RateLimited: { code: 'rate_limited', kind: 'rateLimited', example: 'At most 10 of these requests per minute.' },
  NotImplemented: { code: 'not_implemented', kind: 'notImplemented', example: 'This is not supported.' },
  InternalError: {
    code: 'internal_error',
    kind: 'internal',
    example: 'Something went wrong on our side. Quote request 3f1c….',
  },
  ServiceUnavailable: {
    code: 'service_unavailable',
    kind: 'unavailable',
    example: 'The database cannot be reached. Try again shortly.',
  },
  AuthorizationServerUnavailable: {
    code: 'authorization_server_unavailable',
    kind: 'unavailable',
    example: 'The authorization server did not answer. Try again shortly.',
  },
});

/**
 * A failure that the caller hears about. Independent of HTTP: the filter in `http/` maps its kind to a status.
 * `message` is for people and becomes `detail`; it must never contain a secret or another user's data.
 */
export class DomainError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;

  constructor({ code, kind }: ErrorCode, detail: string) {
    super(detail);
    this.name = new.target.name;
    this.code = code;
    this.kind = kind;
  }
}

/** The thing does not exist, or the caller may not see it: the response is the same (contract, section 1). */
export class NotFoundError extends DomainError {
  constructor(code: ErrorCode<'notFound'>, id: string | number) {
    super(code, `${code.noun} ${id} was not found.`);
  }
}

/**
 * @param row the result of a look-up
 * @param id the requested id, for the message
 * @returns the row
 * @throws NotFoundError if the look-up found nothing
 */
export function requireFound<Row extends object>(
  row: Row | null | undefined,
  code: ErrorCode<'notFound'>,
  id: string | number,
): Row {
  if (!row) throw new NotFoundError(code, id);
  return row;
}

/** A uniqueness or state conflict. */
export class ConflictError extends DomainError {
  constructor(code: ErrorCode<'conflict'>, detail: string) {
    super(code, detail);
  }
}

/** The caller may see the thing but not do this to it, whatever the role. */
export class ForbiddenError extends DomainError {
  constructor(detail: string) {
    super(ErrorCode.Forbidden, detail);
  }
}

/**
 * The credential lacks scopes that this requires, whatever the roles of its account are (RFC 6750, section 3.1). The
 * client can ask for a token with them.
 */
export class InsufficientScopeError extends DomainError {
  /** @param missing the scopes that the credential lacks; at least one */
  constructor(readonly missing: readonly string[]) {
    const scopes = `scope${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`;
    super(ErrorCode.InsufficientScope, `This requires the ${scopes}, which the access token does not have.`);
  }
}

/**
 * No usable access token. `reason` becomes the `error_description` of RFC 6750, section 3.1; without a token there is
 * no `error` attribute at all, as that section requires.
 */
export class AuthenticationError extends DomainError {
  /** The scope that the route requires, for the client that requests a token; set by the access guard. */
  scope?: string;

  constructor(code: ErrorCode<'unauthenticated'>, detail: string) {
    super(code, detail);
  }
}

/** The database or the authorization server cannot be reached; the caller can try again. */
export class UnavailableError extends DomainError {
  constructor(
    code: ErrorCode<'unavailable'>,
    detail: string,
    /** Whole seconds. */
    readonly retryAfter: number,
    options?: { cause: unknown },
  ) {
    super(code, detail);
    if (options) this.cause = options.cause;
  }
}

/** A rate limit as the caller is told of it (draft-ietf-httpapi-ratelimit-headers-11, section 3.1). */
export interface RatePolicy {
  /** Lower case letters and hyphens. */
  readonly name: string;
  readonly quota: number;
  /** The period in which the quota can be used; undefined: so many at the same time. */
  readonly seconds?: number;
}

/**
 * The caller exceeded a rate limit; nothing was done. It has no stack: nobody would read it, and collecting it took a tenth of
 * the time of a refusal.
 */
export class RateLimitedError extends DomainError {
  /** Whole seconds. */
  readonly retryAfter: number;
  readonly policy: RatePolicy;

  constructor(detail: string, retryAfter: number, policy: RatePolicy) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(ErrorCode.RateLimited, detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.retryAfter = retryAfter;
    this.policy = policy;
  }
}

/** The names of pydantic 2, which clients of such APIs already know (contract, section 2). */
export type FaultType =
  | 'missing'
  | 'extra_forbidden'
  | 'uuid_parsing'
  | 'bool_parsing'
  | 'bool_type'
  | 'int_parsing'
  | 'string_type'
  | 'string_too_short'
  | 'string_too_long'
  | 'list_type'
  | 'dict_type'
  | 'enum'
  | 'url_parsing'
  | 'url_scheme'
  | 'datetime_parsing'
  | 'json_invalid'
  | 'value_error'
  | 'greater_than_equal'
  | 'less_than_equal';

/** One error in a request; `loc` begins with `path`, `query`, `header` or `body`. */
export interface Fault {
  loc: string[];
  msg: string;
  type: FaultType;
}

/**
 * The maximum number of errors reported for one request; validation stops at the last of them. Enough to fix a body by,
 * and few enough to find, write and send in a few milliseconds.
 */
export const MAX_FAULTS = 100;

/** The number of characters kept of a field name in `loc`. Callers choose some of these names. */
const MAX_NAME_LENGTH = 100;

/** The request does not conform to the contract; nothing was changed. */
export class ValidationError extends Error {
  readonly faults: Fault[];

  /** @param faults only the first `MAX_FAULTS` are kept, with long names in `loc` truncated */
  constructor(faults: readonly Fault[]) {
    const kept = faults.slice(0, MAX_FAULTS).map((fault) => ({ ...fault, loc: fault.loc.map(shortName) }));
    super(kept.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '));
    this.faults = kept;
    this.name = 'ValidationError';
  }
}

function shortName(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}
