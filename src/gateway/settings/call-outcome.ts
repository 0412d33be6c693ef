/**
 * What became of a call, as its row says. `STARTED`: it is under way, or the process that passed it was killed; only where
 * the row precedes the call (`STRICT`).
 */
export const CALL_OUTCOMES = [
  'STARTED',
  'OK',
  'TOOL_ERROR',
  'UPSTREAM_ERROR',
  'TIMEOUT',
  'CANCELLED',
  'DENIED',
  'CREDENTIAL_REQUIRED',
  'DEFINITION_CHANGED',
  'RATE_LIMITED',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** What a call has come to. */
export interface CallVerdict {
  readonly outcome: Exclude<CallOutcome, 'STARTED'>;
  /** A `code` of `com.toolyard/error`, or of JSON-RPC, or a word of ours; null: there is nothing to say. */
  readonly errorCode: string | null;
}

/** The outcomes of the codes that clients get in `com.toolyard/error`; every other one is the server's failure. */
const OF_CODES: ReadonlyMap<string, CallVerdict['outcome']> = new Map<string, CallVerdict['outcome']>([
  ['upstream_timeout', 'TIMEOUT'],
  ['credential_required', 'CREDENTIAL_REQUIRED'],
  ['definition_changed', 'DEFINITION_CHANGED'],
  ['denied', 'DENIED'],
  ['rate_limited', 'RATE_LIMITED'],
]);

/** @param code that a client gets in `com.toolyard/error` */
export function verdictOfCode(code: string): CallVerdict {
  return { outcome: OF_CODES.get(code) ?? 'UPSTREAM_ERROR', errorCode: code };
}
