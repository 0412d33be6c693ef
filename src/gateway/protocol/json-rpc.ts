import { isObject as isObjectOfAnyClass } from '../../http/requests/json-object';
import { JsonBytes } from './json-bytes';
import { jsonParts } from './json-writing';

/** The id of a request (MCP 2026-07-28, basic, "Requests"): never null. */
export type RequestId = string | number;

/** A JSON object of a message. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A request of a client. */
export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** The error of an answer. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Codes of JSON-RPC 2.0, of MCP 2026-07-28 (basic, "Error Codes"), and of earlier revisions, which only clients of those
 * revisions may receive.
 */
export const RpcCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** Until 2025-11-25. */
  ResourceNotFound: -32002,
  /** 2025-11-25 only. */
  UrlElicitationRequired: -32042,
} as const;
export type RpcCode = (typeof RpcCode)[keyof typeof RpcCode];

/** A message that is not served. Has an HTTP status because the transport prescribes one for each. */
export class RpcFailure extends Error {
  /**
   * @param status of the HTTP answer
   * @param id of the request, if it could be read
   */
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly id?: RequestId,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RpcFailure';
  }

  /** @returns the same failure as the answer to a request */
  of(id: RequestId | undefined): RpcFailure {
    return this.id === undefined && id !== undefined
      ? new RpcFailure(this.status, this.code, this.message, id, this.data)
      : this;
  }

  /** The body of the answer. Without an id where the request had none that could be read. */
  get body(): string {
    const { id, code, message, data } = this;
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
}

/** @returns whether it is an object of JSON that was parsed: no array, not null (`isObjectOrBytes` for what may be bytes) */
export function isObject(value: unknown): value is JsonObject {
  return isObjectOfAnyClass(value) && !(value instanceof JsonBytes);
}

/** @returns whether it can be the id of a request: a text, or a whole number that survives JSON in every language */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** @returns the answer to a request, in parts */
export function resultOf(id: RequestId, result: JsonObject): (string | Buffer)[] {
  return jsonParts({ jsonrpc: '2.0', id, result });
}

/** @returns the answer with an error to a request, in parts */
export function errorOf(id: RequestId, error: RpcError): (string | Buffer)[] {
  return jsonParts({ jsonrpc: '2.0', id, error });
}
