import type { Request } from 'express';
import { knownMethod } from '../../metrics/request-durations';
import { isTracing, markFailed, type RunningSpan, startServerSpan } from '../../tracing/tracing';
import { parseTraceparent } from '../../tracing/trace-context';

/** What is known of a request once it was answered. */
export interface RequestOutcome {
  status: number;
  /** Whether all of the answer was sent. */
  isComplete: boolean;
  errorCode: string | undefined;
}

/**
 * Begins the span of a request, named as the semantic conventions of OpenTelemetry name it (HTTP spans, stable), and notes
 * its trace in the request. Paths and queries are left out, as in the log: people put secrets in them.
 *
 * @param route the template of the path; undefined: it matches none
 * @returns undefined without an SDK; the trace of the caller is noted even then
 */
export function beginRequestSpan(request: Request, route: string | undefined): RunningSpan | undefined {
  const { traceparent, tracestate } = request.headers;
  const remote =
    typeof traceparent === 'string'
      ? parseTraceparent(traceparent, typeof tracestate === 'string' ? tracestate : undefined)
      : undefined;
  if (!isTracing()) {
    if (remote) request.trace = remote;
    return undefined;
  }
  const method = knownMethod(request.method);
  const attributes = { 'http.request.method': method, 'toolyard.request_id': request.id };
  const running = startServerSpan(
    nameOf(method, route),
    route === undefined ? attributes : { ...attributes, 'http.route': route },
    remote,
  );
  request.trace = running?.span.spanContext();
  return running;
}

/** Ends it. An answer of 4xx is the caller's error, not one of this span. */
export function endRequestSpan({ span }: RunningSpan, outcome: RequestOutcome): void {
  const { status, isComplete, errorCode } = outcome;
  if (isComplete) span.setAttribute('http.response.status_code', status);
  if (!isComplete) markFailed(span, 'client_gone');
  else if (status >= 500) markFailed(span, errorCode ?? String(status));
  span.end();
}

function nameOf(method: string, route: string | undefined): string {
  const verb = method === '_OTHER' ? 'HTTP' : method;
  return route === undefined ? verb : `${verb} ${route}`;
}
