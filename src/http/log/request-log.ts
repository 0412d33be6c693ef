import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { SpanContext } from '@opentelemetry/api';
import type { Logger as Pino } from 'pino';
import type { RequestDurations } from '../../metrics/request-durations';
import { below } from '../../tracing/tracing';
import type { Resource, RouteTable } from '../requests/route-table';
import { beginRequestSpan, endRequestSpan } from './request-span';

declare module 'express-serve-static-core' {
  interface Request {
    /** The request id (contract, section 1), in every response and every log line. */
    id: string;
    /** What the path names; undefined: nothing. Looked up once for all that ask. */
    resource: Resource | undefined;
    /** When it came: milliseconds of `performance.now()`. */
    arrivedAt: number;
    /** The trace that it belongs to, with its span here or else the caller's; undefined: it belongs to none. */
    trace?: SpanContext;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** nginx's name for "the client closed the connection before the answer": no status was sent. */
const CLIENT_GONE = 499;

/** What is known of all requests. */
export interface RequestObserver {
  log: Pino;
  routes: Pick<RouteTable, 'find'>;
  durations: Pick<RequestDurations, 'observe'>;
}

/**
 * Gives every request its id and finds what its path names, so nothing behind it may change the path. Once its answer is
 * sent, measures it and logs one line: at `info` for anything that changed something or failed, at `debug` for successful
 * reads, which are frequent, say little, and would lose a tenth of their speed at the fast end, and for most of what a
 * limit refuses. The line has the template of the path rather than the path, and neither headers nor the query string:
 * people put secrets in all of them. Its fields are documented in `docs/operating/observing.md`.
 */
export function requestLog({ log, routes, durations }: RequestObserver): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const requestedId = request.headers['x-request-id'];
    request.id = typeof requestedId === 'string' && ACCEPTABLE_ID.test(requestedId) ? requestedId : randomUUID();
    request.resource = routes.find(request.path);
    const route = request.resource?.template;
    response.setHeader('X-Request-Id', request.id);
    const arrivedAt = performance.now();
    request.arrivedAt = arrivedAt;
    const span = beginRequestSpan(request, route);
    response.on('close', () => {
      const ms = performance.now() - arrivedAt;
      const isComplete = response.writableFinished;
      const status = isComplete ? response.statusCode : CLIENT_GONE;
      durations.observe(route, request.method, status, ms / 1_000);
      const errorCode = response.locals.errorCode as string | undefined;
      if (span) endRequestSpan(span, { status, isComplete, errorCode });
      const isRoutine = status < 400 ? READS.has(request.method) : response.locals.isRoutine === true;
      const level = isRoutine ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const line = {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        route,
        method: request.method,
        status,
        duration_ms: Math.round(ms * 10) / 10,
        user_id: request.caller?.userId,
        // Nest's own last handlers are on a mounted router, which shortens `path`.
        org_id: valueAt(route, '{org_id}', request.baseUrl + request.path),
        client_id: request.caller?.clientId,
        'error.code': errorCode,
      };
      log[level](line, isComplete ? 'answered' : 'the client went away');
    });
    if (span) below(span, next);
    else next();
  };
}

/** @returns the part of the path at the place of a parameter */
function valueAt(template: string | undefined, parameter: string, path: string): string | undefined {
  const place = template?.split('/').indexOf(parameter) ?? -1;
  return place === -1 ? undefined : path.split('/')[place];
}
