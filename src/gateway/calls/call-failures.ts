import { RateLimitedError } from '../../errors/errors';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { isObject, type JsonObject, RpcCode, type RpcError } from '../protocol/json-rpc';

/** A call that has to wait. */
export interface CallRefusal {
  /** Whole seconds. */
  readonly seconds: number;
  readonly detail: string;
  readonly policy: { readonly name: string; readonly quota: number; readonly seconds: number };
}

/** Where results and errors say why a server has not done something; stable. */
export const ERROR_KEY = 'com.toolyard/error';

/** What programs can read. */
interface ErrorData {
  readonly code: string;
  /** The key of the entry; null: it is about none. */
  readonly entry: string | null;
  /** Whether the same request may be sent again: the server has not begun with it. */
  readonly retryable: boolean;
}

/** What we have said, and no server: whatever a server puts there passes as it is. */
const OWN = new WeakSet<object>();

/**
 * @param holder `_meta` of a result, or `data` of an error, on its way to the client
 * @returns the code, if this service says it; undefined: it is the server's answer
 */
export function ownErrorCode(holder: unknown): string | undefined {
  const data = isObject(holder) ? holder[ERROR_KEY] : undefined;
  return isObject(data) && OWN.has(data) ? (data as unknown as ErrorData).code : undefined;
}

/**
 * @param text what a person can do about it, instead of what is wrong
 * @returns the result of a tool whose server has failed: a model reads it and can go on without, or try again
 */
export function failedTool(failure: UpstreamFailure, entry: string, text = sentence(failure, entry)): JsonObject {
  return toolError(text, dataOf(failure, entry));
}

/** @param entry null: of a search @returns the result of a tool that is called too often */
export function refusedTool({ detail }: CallRefusal, entry: string | null): JsonObject {
  return toolError(detail, { code: 'rate_limited', entry, retryable: true });
}

/** @returns the result of a tool whose definition has changed: it is not called until an editor has approved that */
export function changedTool(entry: string): JsonObject {
  return toolError(changedSentence(entry), { code: 'definition_changed', entry, retryable: false });
}

/** @returns the same for a prompt */
export function changedRead(entry: string): RpcError {
  const data = { code: 'definition_changed', entry, retryable: false };
  return { code: RpcCode.InternalError, message: changedSentence(entry), data: { [ERROR_KEY]: own(data) } };
}

/** @throws RateLimitedError for what is no tool */
export function refuse({ detail, seconds, policy }: CallRefusal): never {
  throw new RateLimitedError(detail, seconds, policy);
}

/** @returns the error of a prompt or a resource whose server has failed */
export function failedRead(failure: UpstreamFailure, entry: string, text = sentence(failure, entry)): RpcError {
  return {
    code: RpcCode.InternalError,
    message: text,
    data: { [ERROR_KEY]: own(dataOf(failure, entry)) },
  };
}

function changedSentence(entry: string): string {
  return `The server "${entry}" has changed what this is since it was approved, so it was not asked. Who manages this bundle can approve the change. Nothing else is wrong with this bundle.`;
}

function toolError(text: string, data: ErrorData): JsonObject {
  return { content: [{ type: 'text', text }], isError: true, _meta: { [ERROR_KEY]: own(data) } };
}

function own(data: ErrorData): ErrorData {
  OWN.add(data);
  return data;
}

function sentence({ code, message, mayHaveRun }: UpstreamFailure, entry: string): string {
  if (code === 'rate_limited') return `The server "${entry}" was not asked. ${message}`;
  if (code === 'credential_required')
    return `The server "${entry}" cannot be used without credentials. ${message} Who manages this bundle can find out more.`;
  const again = mayHaveRun
    ? 'It may have begun with what was asked, so find out before you try again.'
    : 'It has not begun with what was asked, so you can try again later.';
  return `The server "${entry}" has failed. ${message} ${again} Nothing else is wrong with this bundle.`;
}

function dataOf({ code, mayHaveRun }: UpstreamFailure, entry: string): ErrorData {
  return { code, entry, retryable: !mayHaveRun && code !== 'credential_required' };
}
