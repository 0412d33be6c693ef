import { createTraceState, isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Version, trace, span, flags; a later version may have more (W3C Trace Context, section 3.2). */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The only version so far; it has four parts. */
const VERSION = '00';
const INVALID_VERSION = 'ff';

/**
 * Reads a `traceparent`, as of a request or as stored with an event (W3C Trace Context).
 *
 * @param header several headers of this name are joined by commas and mean none
 * @param state `tracestate`: what the systems of the caller add
 * @returns undefined if it is not one; then the trace begins here
 */
export function parseTraceparent(header: string | undefined, state?: string): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = FORM.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === INVALID_VERSION || (version === VERSION && more !== undefined)) return undefined;
  const traceFlags = parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context: SpanContext = { traceId, spanId, traceFlags, isRemote: true };
  if (!isSpanContextValid(context)) return undefined;
  return state === undefined ? context : { ...context, traceState: createTraceState(state) };
}

/** @returns a context as `traceparent`, 55 characters */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `${VERSION}-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
