import {
  type Attributes,
  context,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

export { SpanKind };

/** The name of our instrumentation, in the terms of OpenTelemetry. */
const SCOPE = 'toolyard';

/** What the API has before an SDK is registered: it alone has this method, which then finds nothing. */
interface UnregisteredProvider {
  getDelegateTracer?: (name: string) => Tracer | undefined;
}

/** A statement has such a span (semantic conventions, database client spans): only the name says which one it is. */
export const STATEMENT_SPAN: SpanOptions = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

let tracer: Tracer | undefined;
let provider: unknown;

/**
 * The operator's tracer. Looked up each time, because an SDK may be registered at any time; until then this costs a few
 * property accesses, and nothing is created for any request.
 *
 * @returns undefined if no SDK is registered
 */
function currentTracer(): Tracer | undefined {
  const registered = trace.getTracerProvider();
  if (tracer !== undefined && provider === registered) return tracer;
  const { getDelegateTracer } = registered as UnregisteredProvider;
  tracer = getDelegateTracer ? getDelegateTracer.call(registered, SCOPE) : registered.getTracer(SCOPE);
  provider = registered;
  return tracer;
}

/**
 * Says whether traces go anywhere, for the log of the start.
 *
 * @returns undefined if nobody has loaded an SDK; otherwise `isUsed`, and the version of the API that it registered
 */
export function loadedSdk(): { isUsed: boolean; apiVersion: string } | undefined {
  const registry = (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')];
  const { version, trace: registered } = (registry ?? {}) as { version?: string; trace?: unknown };
  return registered === undefined ? undefined : { isUsed: isTracing(), apiVersion: version ?? 'unknown' };
}

/** @returns whether an SDK receives spans: ask before building what describes one */
export function isTracing(): boolean {
  return currentTracer() !== undefined;
}

/**
 * Runs work as the current span, which ends with it; without an SDK only runs it. A span has no message of an error,
 * which may repeat values: `error.type` has its code or its class.
 */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  const span = currentTracer()?.startSpan(name, options);
  if (!span) return work();
  try {
    return await context.with(trace.setSpan(context.active(), span), work, undefined, span);
  } catch (error) {
    markFailed(span, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Begins the span of a request.
 *
 * @param remote what the caller's `traceparent` says: the parent, unless instrumentation of the operator's has a span
 * @returns undefined without an SDK
 */
export function startServerSpan(name: string, attributes: Attributes, remote: SpanContext | undefined) {
  const current = currentTracer();
  if (!current) return undefined;
  const active = context.active();
  const parent = remote && !trace.getSpan(active) ? trace.setSpanContext(active, remote) : active;
  const span = current.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  return { span, context: trace.setSpan(parent, span) };
}

/**
 * Runs work as the span of a message that says itself which trace it belongs to. The current span, in which it arrived, is
 * linked then; else it is the parent. What has failed is for the work to note.
 *
 * @param remote what the message says
 */
export async function inServerSpan<T>(
  name: string,
  attributes: Attributes,
  remote: SpanContext | undefined,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const active = context.active();
  const carrier = trace.getSpanContext(active);
  const parent = remote ? trace.setSpanContext(active, remote) : active;
  const links = remote && carrier ? [{ context: carrier }] : [];
  const span = currentTracer()?.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, parent);
  if (!span) return work();
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } finally {
    span.end();
  }
}

/** @returns the current span, to say more of it; undefined without an SDK, or outside of spans */
export function currentSpan(): Span | undefined {
  return trace.getActiveSpan();
}

/** A span with the context in which its work has to run. */
export interface RunningSpan {
  span: Span;
  context: Context;
}

/** Runs work, and everything that it starts, below a span. */
export function below<T>(running: RunningSpan, work: () => T): T {
  return context.with(running.context, work);
}

/** Runs what a request or another trace only wakes up, such as a loop: its spans begin traces of their own. */
export function outsideTraces<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT, work);
}

/** @returns the context of the current span; undefined without an SDK, or outside of spans */
export function currentSpanContext(): SpanContext | undefined {
  return trace.getSpanContext(context.active());
}

/** @param type low in cardinality: a code or the name of a class */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : typeof error;
}
