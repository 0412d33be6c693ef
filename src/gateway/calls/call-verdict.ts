import { DomainError, RateLimitedError } from '../../errors/errors';
import { ownErrorCode } from './call-failures';
import { type JsonObject, type RpcError, RpcFailure } from '../protocol/json-rpc';
import { type CallVerdict, verdictOfCode } from '../settings/call-outcome';

/** The client has taken the call back. */
export const CANCELLED: CallVerdict = { outcome: 'CANCELLED', errorCode: null };

/** The row could not be written, so the server was not asked. */
export const NOT_RECORDED: CallVerdict = { outcome: 'DENIED', errorCode: 'not_recorded' };

const OK: CallVerdict = { outcome: 'OK', errorCode: null };

/** What the client has got. */
type Answered = { readonly result: JsonObject } | { readonly error: RpcError } | undefined;

/**
 * What an answer means.
 *
 * @param wasAsked whether the request went to the server; an error without that is a refusal
 */
export function verdictOf(answer: Answered, wasAsked: boolean): CallVerdict {
  if (answer === undefined) return OK;
  if ('result' in answer) {
    const code = ownErrorCode(answer.result._meta);
    if (code !== undefined) return verdictOfCode(code);
    return answer.result.isError === true ? { outcome: 'TOOL_ERROR', errorCode: null } : OK;
  }
  const { code: rpcCode, data } = answer.error;
  const code = ownErrorCode(data);
  if (code !== undefined) return verdictOfCode(code);
  return { outcome: wasAsked ? 'UPSTREAM_ERROR' : 'DENIED', errorCode: String(rpcCode) };
}

/** What it means that a call was not answered: it was refused, or something of ours has failed. */
export function verdictOfError(error: unknown): CallVerdict {
  if (error instanceof RateLimitedError) return { outcome: 'RATE_LIMITED', errorCode: error.code };
  if (error instanceof RpcFailure && error.status < 500) return { outcome: 'DENIED', errorCode: String(error.code) };
  if (!(error instanceof DomainError)) return { outcome: 'UPSTREAM_ERROR', errorCode: 'internal_error' };
  const isOurs = error.kind === 'internal' || error.kind === 'unavailable';
  return { outcome: isOurs ? 'UPSTREAM_ERROR' : 'DENIED', errorCode: error.code };
}
