import { isObject, RpcCode } from '../protocol/json-rpc';
import type { UpstreamAnswer } from './exchange';
import type { UpstreamFailure } from '../protocol/upstream-failure';

/**
 * What an answer says about the session in which it was asked for. `gone`: the server says that the session is over; `refused`:
 * it answers as one whose session is over, or that wants credentials; `unsure`: a `ping` in the session has to show it.
 */
export interface SessionDoubt {
  readonly kind: 'gone' | 'refused' | 'unsure';
  /** Whether the request cannot have begun, so that it can be sent again in another session. */
  readonly isRepeatable: boolean;
}

/** What a `ping` in a session has shown; `unknown`: the server is too busy, or out of reach, for an answer. */
export type PingVerdict = 'alive' | 'lost' | 'unknown';

/** Too many requests, and what was not answered in time: a session outlives both. 524 is what Cloudflare answers for 504. */
const PATIENT: readonly number[] = [408, 429, 504, 524];
/** What stands in front of a server answers so while the server is away for a moment; Cloudflare and others with 520 to 530. */
const AWAY: readonly number[] = [...PATIENT, 502, 503, 520, 521, 522, 523, 529, 530];
/** The statuses of a request that no server has begun, once it is clear that the session was the reason. */
const NOT_BEGUN: readonly number[] = [400, 401, 404, 410];
/** The code for "session not found" of the official SDKs; the TypeScript SDK uses it for "request timed out", too. */
const SESSION_NOT_FOUND = -32_001;
/** What the official SDKs answer when what is behind the server has gone: "connection closed", an internal error. */
const OF_THE_SERVER: readonly number[] = [-32_000, RpcCode.InternalError, RpcCode.InvalidRequest];
/** Errors about what was asked for: a server that answers them knows the session. */
const OF_THE_REQUEST: readonly number[] = [
  RpcCode.ParseError,
  RpcCode.MethodNotFound,
  RpcCode.InvalidParams,
  RpcCode.ResourceNotFound,
  RpcCode.HeaderMismatch,
  RpcCode.MissingRequiredClientCapability,
  RpcCode.UnsupportedProtocolVersion,
];
const NAMES_SESSION = /session|not (?:yet |been )*initiali[sz]ed|before initiali[sz]/i;
const NAMES_TIME_OUT = /timed?[ -]?out/i;

/**
 * Whether a request has failed because its session, or the handshake, is not known any more (contract, 13.4).
 *
 * @param sessionId undefined: the upstream keeps none, so it can only have lost the handshake
 * @returns undefined: the answer says nothing about the session
 */
export function sessionDoubt(
  { status, message }: UpstreamAnswer,
  sessionId: string | undefined,
): SessionDoubt | undefined {
  if (PATIENT.includes(status)) return undefined;
  const isRepeatable = NOT_BEGUN.includes(status);
  if (sessionId !== undefined) {
    if (status === 404 || status === 410) return { kind: 'gone', isRepeatable };
    if (status === 401) return { kind: 'refused', isRepeatable };
  }
  if (status === 401 || isObject(message?.result)) return undefined;
  const { code, text } = errorIn(message);
  const isSuccess = status < 300;
  // With a status of success it may be a session of what the tool works with, such as a browser.
  if (NAMES_SESSION.test(text)) return { kind: sessionId === undefined || isSuccess ? 'unsure' : 'gone', isRepeatable };
  if (NAMES_TIME_OUT.test(text)) return undefined;
  if (sessionId !== undefined && code === SESSION_NOT_FOUND) return { kind: 'gone', isRepeatable };
  if (code !== undefined && OF_THE_REQUEST.includes(code)) return undefined;
  if (isSuccess && code !== undefined && !OF_THE_SERVER.includes(code)) return undefined;
  return { kind: 'unsure', isRepeatable };
}

/** Whether a failure without an answer leaves it open that the session is lost: a connection that was closed does. */
export function isDoubtful({ code, mayHaveRun }: UpstreamFailure): boolean {
  return code === 'upstream_unreachable' && mayHaveRun;
}

/** @param answer to `ping` */
export function pingVerdict({ status, message }: UpstreamAnswer): PingVerdict {
  if (isObject(message?.result)) return 'alive';
  if (AWAY.includes(status)) return 'unknown';
  const { code, text } = errorIn(message);
  if (NAMES_TIME_OUT.test(text)) return 'unknown';
  // Some servers have no `ping`, but know the session.
  return code === RpcCode.MethodNotFound || code === RpcCode.InvalidParams ? 'alive' : 'lost';
}

function errorIn(message: UpstreamAnswer['message']): { code: number | undefined; text: string } {
  const error = message?.error;
  if (!isObject(error)) return { code: undefined, text: '' };
  const { code, message: text } = error;
  return {
    code: typeof code === 'number' ? code : undefined,
    text: typeof text === 'string' ? text.slice(0, 1_024) : '',
  };
}
