import { isObject, RpcCode } from '../protocol/json-rpc';
import type { Era } from '../protocol/revisions';
import { MODERN_CODES } from './era-verdict';
import type { UpstreamAnswer } from './exchange';
import type { UpstreamCallResult } from './upstream';
import { failureOfStatus } from '../protocol/upstream-failure';

/** Statuses that say the same whatever the body says. */
const REFUSALS: readonly number[] = [401, 403, 429];

/**
 * What an upstream has answered to a call.
 *
 * @throws UpstreamFailure if that is neither a result nor an error of the protocol
 */
export function outcomeOf({ status, message, challenge }: UpstreamAnswer, era: Era): UpstreamCallResult {
  const { result, error } = message ?? {};
  if (REFUSALS.includes(status)) throw failureOfStatus(status, challenge);
  if (isObject(result)) return { result, era };
  if (isObject(error)) return { error, era };
  throw failureOfStatus(status);
}

/**
 * Whether a request of the modern era was answered as by a server that does not know the era, which would have refused it
 * (MCP 2026-07-28, Streamable HTTP, "Backward Compatibility").
 */
export function isStrangeToModern({ status, message }: UpstreamAnswer): boolean {
  const code = codeOf(message);
  if (code === RpcCode.UnsupportedProtocolVersion) return true;
  if (status < 400 || status >= 500 || status === 408 || REFUSALS.includes(status)) return false;
  // Such as -32000, "No valid session", of the official SDK; codes of the modern era are no such sign.
  return code === undefined || code === RpcCode.InvalidRequest || code === RpcCode.MethodNotFound || isLegacyCode(code);
}

/** Whether a request of the legacy era was answered by a server that only speaks the modern one. */
export function isOfModernOnly({ status, message }: UpstreamAnswer): boolean {
  return status === 400 && MODERN_CODES.includes(codeOf(message));
}

/** Whether a request of the modern era was refused because its headers are not those that the definition of its tool wants. */
export function wantsOtherHeaders({ status, message }: UpstreamAnswer): boolean {
  return status === 400 && codeOf(message) === RpcCode.HeaderMismatch;
}

/** Whether an answer suggests that a list is out of date: it does not know the name, or wants other headers. */
export function suggestsStaleLists({ message }: UpstreamAnswer): boolean {
  const code = codeOf(message);
  return code === RpcCode.InvalidParams || code === RpcCode.HeaderMismatch || code === RpcCode.ResourceNotFound;
}

function codeOf(message: UpstreamAnswer['message']): number | undefined {
  const error = message?.error;
  return isObject(error) && typeof error.code === 'number' ? error.code : undefined;
}

/** Left to implementations (MCP 2026-07-28, basic, "Error Codes"). */
function isLegacyCode(code: number): boolean {
  return code <= -32_000 && code >= -32_019 && code !== RpcCode.ResourceNotFound;
}
