import { isLegacy, isModern, MODERN_REVISIONS, type ModernRevision, RESERVED_META, REVISIONS } from './revisions';
import { isObject, isRequestId, type JsonObject, type RequestId, RpcCode, RpcFailure } from './json-rpc';
import { type HeaderReader, mismatched, requireMatchingHeaders } from './mirrored-headers';

export { RESERVED_META };

const VERSION_KEY = `${RESERVED_META}protocolVersion`;
const CAPABILITIES_KEY = `${RESERVED_META}clientCapabilities`;
const INFO_KEY = `${RESERVED_META}clientInfo`;
const LOG_LEVEL_KEY = `${RESERVED_META}logLevel`;
/** RFC 5424 defines these levels, the least severe first (MCP 2026-07-28, logging, "Log Levels"). */
export const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];
/** A stream repeats the id of its request in every message, and keeps it for as long as it is open. */
const MAX_ID_LENGTH = 1_024;

/** What a modern client says of itself with every request. */
export interface ClientMeta {
  readonly revision: ModernRevision;
  readonly capabilities: JsonObject;
  readonly info: JsonObject | undefined;
  readonly logLevel: string | undefined;
}

/** A request of a modern client: complete in itself. */
export interface ModernRequest {
  readonly era: 'modern';
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly client: ClientMeta;
}

/** A message of a client that began, or begins, with `initialize`. */
export type LegacyMessage =
  | {
      readonly era: 'legacy';
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: JsonObject;
    }
  | { readonly era: 'legacy'; readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly era: 'legacy'; readonly kind: 'answer'; readonly id: RequestId; readonly body: JsonObject };

/** A notification of a modern client. The revision defines none over HTTP, so nothing follows from one. */
export interface ModernNotification {
  readonly era: 'modern';
  readonly kind: 'notification';
  readonly method: string;
}

export type Incoming = ModernRequest | ModernNotification | LegacyMessage;

/**
 * Reads what a client has posted and decides its era. Everything that is decided later, policy and routing included,
 * reads the body: headers only have to agree with it (MCP 2026-07-28, Streamable HTTP, "Server Validation").
 *
 * A message is modern if it says a revision in `_meta`, or if its header names a modern one, or one that no one knows. The
 * header of `initialize` does not count, because its revision is what it asks for; one that says a revision in `_meta` is not
 * the handshake of the legacy era, but a method that the modern one does not have (2026-07-28, versioning, "Backward
 * Compatibility").
 *
 * @param body parsed JSON
 * @param header of the request, by name in lower case; undefined if it is absent
 * @throws RpcFailure
 */
export function readIncoming(body: unknown, header: HeaderReader): Incoming {
  if (Array.isArray(body))
    throw new RpcFailure(400, RpcCode.InvalidRequest, 'Batches are not supported: send one message with each request.');
  if (!isObject(body) || body.jsonrpc !== '2.0')
    throw new RpcFailure(400, RpcCode.InvalidRequest, 'The body must be one JSON-RPC 2.0 message ("jsonrpc": "2.0").');
  const { id, method } = body;
  if (typeof id === 'string' && id.length > MAX_ID_LENGTH && method !== undefined)
    throw new RpcFailure(400, RpcCode.InvalidRequest, `"id" must not have more than ${MAX_ID_LENGTH} characters.`);
  if (method === undefined && ('result' in body || 'error' in body)) return readAnswer(body, header);
  if (typeof method !== 'string' || method === '')
    throw new RpcFailure(400, RpcCode.InvalidRequest, '"method" must be a string.', isRequestId(id) ? id : undefined);
  if ('id' in body && !isRequestId(id))
    throw new RpcFailure(400, RpcCode.InvalidRequest, '"id" must be a string or an integer.');
  const params = body.params ?? {};
  if (!isObject(params))
    throw new RpcFailure(400, RpcCode.InvalidParams, '"params" must be an object.', isRequestId(id) ? id : undefined);
  const isOfModernEra = saysRevision(params) || (method !== 'initialize' && namesModern(header));
  if (!isRequestId(id)) {
    const said = header('mcp-protocol-version');
    if (isOfModernEra && said !== undefined && !isLegacy(said) && !isModern(said)) throw unsupported(undefined, said);
    return isOfModernEra
      ? { era: 'modern', kind: 'notification', method }
      : { era: 'legacy', kind: 'notification', method, params };
  }
  if (!isOfModernEra) return { era: 'legacy', kind: 'request', id, method, params };
  const client = clientOf(id, params, header);
  requireMatchingHeaders(id, method, params, header);
  return { era: 'modern', kind: 'request', id, method, params, client };
}

/**
 * GET and DELETE belong to sessions (2025-11-25, transports, "Protocol Version Header").
 *
 * @throws RpcFailure 400 if the header names a revision that has none, or one that no one knows
 */
export function requireSessionRevision(header: HeaderReader): void {
  const said = header('mcp-protocol-version');
  if (said === undefined || isLegacy(said)) return;
  if (!isModern(said)) throw unsupported(undefined, said);
  throw new RpcFailure(400, RpcCode.InvalidRequest, `Revision ${said} has no sessions, so only POST is served.`);
}

/** Answers exist only in the legacy era: to requests that a server has sent on a stream. */
function readAnswer(body: JsonObject, header: HeaderReader): Incoming {
  const { id } = body;
  if (!isRequestId(id))
    throw new RpcFailure(400, RpcCode.InvalidRequest, 'An answer must have the "id" of its request.');
  const revision = header('mcp-protocol-version');
  if (revision !== undefined && isModern(revision))
    throw new RpcFailure(400, RpcCode.InvalidRequest, `Clients send no answers in revision ${revision}.`, id);
  return { era: 'legacy', kind: 'answer', id, body };
}

function saysRevision({ _meta }: JsonObject): boolean {
  return isObject(_meta) && (VERSION_KEY in _meta || CAPABILITIES_KEY in _meta);
}

function namesModern(header: HeaderReader): boolean {
  const revision = header('mcp-protocol-version');
  return revision !== undefined && !isLegacy(revision);
}

/** @throws RpcFailure in the order of the specification: what is missing, what we do not speak, what does not agree */
function clientOf(id: RequestId, params: JsonObject, header: HeaderReader): ClientMeta {
  const meta = params._meta;
  const said = header('mcp-protocol-version');
  const revision = isObject(meta) ? meta[VERSION_KEY] : undefined;
  if (!isObject(meta) || typeof revision !== 'string') {
    // A header alone that names an unknown revision: the client has to learn which ones there are.
    if (said !== undefined && !isModern(said)) throw unsupported(id, said);
    throw missing(id, VERSION_KEY, 'a string');
  }
  if (said === undefined) throw mismatched(id, 'MCP-Protocol-Version is missing.');
  if (said !== revision)
    throw mismatched(
      id,
      `MCP-Protocol-Version is ${JSON.stringify(said)}, but the body says ${JSON.stringify(revision)}.`,
    );
  if (!isModern(revision)) throw unsupported(id, revision);
  const capabilities = meta[CAPABILITIES_KEY];
  if (!isObject(capabilities)) throw missing(id, CAPABILITIES_KEY, 'an object');
  const info = meta[INFO_KEY];
  const logLevel = meta[LOG_LEVEL_KEY];
  if (logLevel !== undefined && (typeof logLevel !== 'string' || !LOG_LEVELS.includes(logLevel)))
    throw missing(id, LOG_LEVEL_KEY, `one of ${LOG_LEVELS.join(', ')}`);
  return { revision, capabilities, info: isObject(info) ? info : undefined, logLevel };
}

function missing(id: RequestId, key: string, what: string): RpcFailure {
  return new RpcFailure(400, RpcCode.InvalidParams, `params._meta["${key}"] must be ${what}.`, id);
}

function unsupported(id: RequestId | undefined, requested: string): RpcFailure {
  return new RpcFailure(400, RpcCode.UnsupportedProtocolVersion, 'Unsupported protocol version', id, {
    supported: isLegacy(requested) ? [...MODERN_REVISIONS] : REVISIONS,
    requested,
  });
}
