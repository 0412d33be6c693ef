import type { Request } from 'express';
import type { SpanContext } from '@opentelemetry/api';
import { parseTraceparent } from '../../tracing/trace-context';
import { isObject, type JsonObject } from '../protocol/json-rpc';

/**
 * The trace that a message belongs to (MCP 2026-07-28, basic, `_meta`: `traceparent`, `tracestate`): as the message says, else
 * that of its HTTP request.
 */
export function traceOf({ trace }: Pick<Request, 'trace'>, params: JsonObject): SpanContext | undefined {
  return traceInMeta(params) ?? trace;
}

/** @returns undefined if the message says nothing of a trace, or nothing that is one */
export function traceInMeta({ _meta: meta }: JsonObject): SpanContext | undefined {
  if (!isObject(meta) || typeof meta.traceparent !== 'string') return undefined;
  return parseTraceparent(meta.traceparent, typeof meta.tracestate === 'string' ? meta.tracestate : undefined);
}
