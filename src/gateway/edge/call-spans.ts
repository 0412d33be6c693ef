import type { Attributes, Span, SpanContext } from '@opentelemetry/api';
import { currentSpanContext, inServerSpan, inSpan, isTracing, markFailed, SpanKind } from '../../tracing/tracing';
import { formatTraceparent } from '../../tracing/trace-context';
import { isObject, type JsonObject, RpcFailure } from '../protocol/json-rpc';
import type { MethodCall } from './method-call';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { traceInMeta } from '../calls/trace-of-call';

/** An id of a client's choice, which may be a kilobyte. */
const MAX_ID_LENGTH = 64;
/** W3C Trace Context: what systems have to pass on at least. */
const MAX_STATE_LENGTH = 512;

const TRANSPORT = { 'network.transport': 'tcp', 'network.protocol.name': 'http' } as const;

/** What a client or a server has answered. */
type Answered = { readonly result: JsonObject } | { readonly error: unknown } | undefined;

type OperationOf = Pick<MethodCall, 'id' | 'method' | 'params' | 'client' | 'signal' | 'exchange'>;

/**
 * Runs a method that exists as a span (OpenTelemetry, semantic conventions for MCP, server). Its parent is what the message
 * says of its trace, and it links to its HTTP request then; otherwise the HTTP request is its parent. Neither arguments nor
 * results, nor anything else of a client's choice but the id of the request, are part of it.
 *
 * @returns what the method returns @throws what it throws
 */
export function inOperationSpan<T extends Answered>(call: OperationOf, work: () => T | Promise<T>): T | Promise<T> {
  if (!isTracing()) return work();
  const { id, method, params, client, exchange } = call;
  const attributes = {
    'mcp.method.name': method,
    'mcp.protocol.version': client.revision,
    'jsonrpc.request.id': String(id).slice(0, MAX_ID_LENGTH),
    'toolyard.bundle.id': exchange.admission.target.bundleId,
    'toolyard.request_id': exchange.request.id,
    ...TRANSPORT,
  };
  return inServerSpan(method, attributes, traceInMeta(params), async (span) => {
    try {
      const answer = await work();
      if (span) note(span, answer, call.signal);
      return answer;
    } catch (error) {
      if (span) markFailed(span, call.signal.aborted ? 'cancelled' : typeOf(error));
      throw error;
    }
  });
}

/** What of a bundle a request is for. */
export interface SpanTarget {
  readonly method: string;
  /** At the server. */
  readonly name: string | undefined;
  readonly entryId: string;
}

/**
 * Sends a request to a server as a span (likewise, client), which the server gets to know in `_meta`. Without an SDK it gets
 * what the client said of its trace.
 *
 * @param send receives the parameters with the trace
 */
export function inRequestSpan<T extends Answered>(
  call: OperationOf,
  params: JsonObject,
  { method, name, entryId }: SpanTarget,
  send: (params: JsonObject) => Promise<T>,
): Promise<T> {
  if (!isTracing()) return send(traceInMeta(params) ? params : withTrace(params, call.exchange.request.trace));
  const attributes = {
    'mcp.method.name': method,
    ...nameAttribute(method, name),
    'toolyard.entry.id': entryId,
    ...TRANSPORT,
  };
  return inSpan(spanName(method, name), { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const answer = await send(withTrace(params, currentSpanContext()));
    if (span) note(span, answer, call.signal);
    return answer;
  });
}

/** The current span is for this tool or prompt. @param name of the bundle's, not whatever a client asks for */
export function nameOperation(span: Span | undefined, method: string, name: string): void {
  span?.updateName(spanName(method, name)).setAttributes(nameAttribute(method, name));
}

/** @returns parameters that say this trace in `_meta`; as they are if there is none */
export function withTrace(params: JsonObject, trace: SpanContext | undefined): JsonObject {
  if (!trace) return params;
  const { tracestate: _, ...meta } = isObject(params._meta) ? params._meta : ({} as JsonObject);
  const state = trace.traceState?.serialize();
  const tracestate =
    state !== undefined && state !== '' && state.length <= MAX_STATE_LENGTH ? { tracestate: state } : {};
  return { ...params, _meta: { ...meta, traceparent: formatTraceparent(trace), ...tracestate } };
}

/** Addresses of resources are left out, as those of HTTP requests: people put secrets in them. */
function nameAttribute(method: string, name: string | undefined): Attributes {
  if (name === undefined) return {};
  if (method === 'tools/call') return { 'gen_ai.tool.name': name, 'gen_ai.operation.name': 'execute_tool' };
  return method === 'prompts/get' ? { 'gen_ai.prompt.name': name } : {};
}

function spanName(method: string, name: string | undefined): string {
  return name !== undefined && (method === 'tools/call' || method === 'prompts/get') ? `${method} ${name}` : method;
}

function note(span: Span, answer: Answered, signal: AbortSignal): void {
  if (signal.aborted) markFailed(span, 'cancelled');
  else if (answer === undefined) return;
  else if ('result' in answer) {
    if (answer.result.isError === true) markFailed(span, 'tool_error');
  } else markFailed(span, codeOf(answer.error));
}

function typeOf(error: unknown): string {
  if (error instanceof RpcFailure) return String(error.code);
  if (error instanceof UpstreamFailure) return error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : typeof error;
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error.code === 'number' ? String(error.code) : '_OTHER';
}
