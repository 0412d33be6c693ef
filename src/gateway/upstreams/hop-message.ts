import { encodeHeaderValue } from '../protocol/header-value';
import { RESERVED_META, type ClientMeta } from '../protocol/incoming';
import type { JsonObject, RequestId } from '../protocol/json-rpc';
import { paramHeadersOf } from '../protocol/mirrored-headers';
import type { LegacyRevision } from '../protocol/revisions';
import { passingMeta, type ServerInfo } from '../protocol/translate';
import { isObjectOrBytes, type JsonBytes } from '../protocol/json-bytes';
import { bytesAt } from '../protocol/json-splice';
import { jsonBuffer } from '../protocol/json-writing';
import type { UpstreamMessage } from './exchange';

const WHOLE = /^-?\d+$/;

/** A request for an upstream: with its own name of the tool, and with an id of ours. */
export interface HopRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** The definition of the tool that is called: it may want parameters in headers. */
  readonly inputSchema?: unknown;
}

type Posted = Pick<UpstreamMessage, 'headers' | 'id'> & { readonly body: string | Buffer };

/**
 * A request as an upstream without handshake expects it: headers and metadata of this hop, the rest as the client sent it.
 *
 * @param client what the client can do is passed on, so that the upstream may ask for it; who it is stays here
 * @param info what we call ourselves towards upstreams
 */
export function modernHop(
  { id, method, params, inputSchema }: HopRequest,
  client: ClientMeta,
  info: ServerInfo,
): Posted {
  const { revision, capabilities, logLevel } = client;
  const meta = {
    ...passingMeta(params._meta),
    [`${RESERVED_META}protocolVersion`]: revision,
    [`${RESERVED_META}clientCapabilities`]: capabilities,
    [`${RESERVED_META}clientInfo`]: info,
    ...(logLevel === undefined ? {} : { [`${RESERVED_META}logLevel`]: logLevel }),
  };
  const name = params.name ?? params.uri;
  return {
    id,
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': encodeHeaderValue(name) } : {}),
      ...paramHeaders(inputSchema, params.arguments),
    },
    body: jsonBuffer({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
  };
}

/**
 * A request in a session with an upstream of an earlier revision.
 *
 * @param sessionId undefined if the upstream gave none
 */
export function legacyHop(
  { id, method, params }: HopRequest,
  revision: LegacyRevision,
  sessionId: string | undefined,
): Posted {
  const { _meta, ...rest } = params;
  const meta = passingMeta(_meta);
  return {
    id,
    headers: legacyHeaders(revision, sessionId),
    body: jsonBuffer({ jsonrpc: '2.0', id, method, params: meta ? { ...rest, _meta: meta } : rest }),
  };
}

/** A notification, or an answer to a request of the upstream, in such a session. */
export function legacyNote(message: JsonObject, revision: LegacyRevision, sessionId: string | undefined): Posted {
  return { headers: legacyHeaders(revision, sessionId), body: jsonBuffer({ jsonrpc: '2.0', ...message }) };
}

/** The first message to an upstream of an earlier revision. @param capabilities of the client for whom the session is */
export function initializeHop(
  id: RequestId,
  revision: LegacyRevision,
  capabilities: JsonObject,
  info: ServerInfo,
): Posted {
  const params = { protocolVersion: revision, capabilities, clientInfo: info };
  return { id, headers: {}, body: JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params }) };
}

/** Every message in a session has these. Until 2025-03-26 the revision had no header, and it is ignored. */
export function legacyHeaders(revision: LegacyRevision, sessionId: string | undefined): Record<string, string> {
  return { 'mcp-protocol-version': revision, ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }) };
}

/** Made from the body, so that they agree with it, and never those of the client, whose tool may have another name. */
function paramHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  const wanted = paramHeadersOf(inputSchema) ?? [];
  if (wanted.length === 0 || !isObjectOrBytes(args)) return {};
  const text = jsonBuffer(args);
  return Object.fromEntries(
    wanted.flatMap(({ name, path }) => {
      const value = headerText(bytesAt(text, path));
      return value === undefined ? [] : [[name, encodeHeaderValue(value)]];
    }),
  );
}

/** A whole number is as it came where it is too large for a number of ECMAScript. */
function headerText(found: JsonBytes | undefined): string | undefined {
  if (!found || found.kind === 'object' || found.kind === 'list') return undefined;
  const value = found.parse();
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return typeof value === 'number' && WHOLE.test(found.text) ? found.text : undefined;
}
