import { JsonBytes } from './json-bytes';
import { objectReading, readJson } from './json-reading';
import { jsonParts, lengthOf } from './json-writing';
import { isObject, type JsonObject, RpcCode, type RpcError } from './json-rpc';
import { isPage } from './client-features';
import { resultForm } from './result-form';
import { type Era, RESERVED_META } from './revisions';

/** Who answers, in `_meta` of every result. */
export interface ServerInfo {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
}

/** An upstream's own error passes, but not a novel. In characters, of which each has up to three bytes here. */
const MAX_ERROR_BYTES = 4_096;

/** This reads `data` of the error that sends a person to a page, and each of its elicitations. */
const ELICITATIONS = objectReading({ elicitations: 'items', url: 'value' });

const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** No one else may keep it, and it is stale at once: nothing is known of what an upstream of an earlier revision reads. */
const NOT_KEPT = { ttlMs: 0, cacheScope: 'private' } as const;

/**
 * Takes off what belongs to one hop (`io.modelcontextprotocol/…`). `progressToken`, `traceparent`, `tracestate`, `baggage`
 * and the keys of others stay.
 *
 * @returns undefined if there is no `_meta`, or nothing is left of it
 */
export function passingMeta(meta: unknown): JsonObject | undefined {
  if (!isObject(meta)) return undefined;
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith(RESERVED_META));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * The result of an upstream as a client of an era receives it.
 *
 * @param method of the request
 * @param to the era of the client
 * @param wrapsOutput of the tool that was called (`ToolOffer`)
 */
export function translateResult(
  result: JsonObject,
  method: string,
  to: Era,
  server: ServerInfo,
  wrapsOutput = false,
): JsonObject {
  const { _meta, resultType, ttlMs, cacheScope, ...given } = result;
  const meta = passingMeta(_meta);
  const type = typeof resultType === 'string' ? resultType : 'complete';
  const rest = type === 'complete' ? resultForm(method, given, to, wrapsOutput) : given;
  if (to === 'legacy') return meta ? { ...rest, _meta: meta } : rest;
  const isCacheable = type === 'complete' && CACHEABLE.has(method);
  return {
    resultType: type,
    ...rest,
    ...(isCacheable ? cacheHints(ttlMs, cacheScope) : {}),
    _meta: { ...meta, [`${RESERVED_META}serverInfo`]: server },
  };
}

/**
 * The error of an upstream as a client of an era receives it: codes that only one era knows are those of the other.
 *
 * @param error as it came
 */
export function translateError(error: JsonObject, to: Era): RpcError {
  const { code, message } = error;
  const data = code === RpcCode.UrlElicitationRequired ? withPages(error.data) : error.data;
  const text = cut(typeof message === 'string' ? message : 'The upstream has answered with an error.');
  const fits = data === undefined || lengthOf(jsonParts(data)) <= MAX_ERROR_BYTES;
  return {
    code: codeFor(Number.isSafeInteger(code) ? (code as number) : RpcCode.InternalError, to),
    message: text,
    ...(data !== undefined && fits ? { data } : {}),
  };
}

/** Without the addresses that people must not be sent to. */
function withPages(data: unknown): unknown {
  const read = readBytes(data);
  if (!isObject(read) || !Array.isArray(read.elicitations)) return data;
  const elicitations = (read.elicitations as unknown[]).filter((each) => {
    const asked = readBytes(each);
    return isObject(asked) && isPage(asked.url);
  });
  return { ...read, elicitations };
}

/** A value whose members are looked at, each as it came. */
function readBytes(value: unknown): unknown {
  if (!(value instanceof JsonBytes) || value.bytes.length > MAX_ERROR_BYTES) return value;
  const read = readJson(value.bytes, ELICITATIONS);
  return 'value' in read ? read.value : undefined;
}

function codeFor(code: number, to: Era): number {
  if (to === 'modern') {
    if (code === RpcCode.ResourceNotFound) return RpcCode.InvalidParams;
    return code === RpcCode.UrlElicitationRequired ? RpcCode.InternalError : code;
  }
  // What is wrong between us and the upstream is nothing that a client of an earlier revision could mend. All other codes,
  // those of 2026-07-28 that are still free included, are the server's.
  const isOfHop = code <= RpcCode.HeaderMismatch && code >= RpcCode.UnsupportedProtocolVersion;
  return isOfHop ? RpcCode.InternalError : code;
}

/** What an upstream says of the time counts, if it says it as prescribed; another person never gets what one has read. */
function cacheHints(ttlMs: unknown, cacheScope: unknown): JsonObject {
  const isGood =
    Number.isSafeInteger(ttlMs) && (ttlMs as number) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
  return isGood ? { ttlMs, cacheScope: 'private' } : NOT_KEPT;
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_ERROR_BYTES) return text;
  const ellipsis = '…';
  const room = MAX_ERROR_BYTES - Buffer.byteLength(ellipsis);
  // A character that was cut in half is left out.
  return (
    Buffer.from(text)
      .subarray(0, room)
      .toString('utf8')
      .replace(/\ufffd+$/, '') + ellipsis
  );
}
