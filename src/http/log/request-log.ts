import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger as Pino } from 'pino';

declare module 'express-serve-static-core' {
  interface Request {
    /** The request id (contract, section 1), in every answer and every log line. */
    id: string;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives every request its id and writes one line when its answer is out: at `info` what changed something or went
 * wrong, at `debug` a read that went well, since those are many, tell little and would cost a tenth of the fastest
 * ones. The line holds neither headers nor the query string: both are where people put secrets.
 */
export function requestLog(log: Pino): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    if (!log.isLevelEnabled('info')) return next();
    const started = performance.now();
    response.on('close', () => {
      const uneventful = response.statusCode < 400 && READS.has(request.method) && response.writableFinished;
      const level = uneventful ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      // Nest's own last handlers stand on a mounted router, which shortens `url` and `path`.
      const { id, method, originalUrl: url } = request;
      const query = url.indexOf('?');
      const path = query === -1 ? url : url.slice(0, query);
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const line = { request: id, method, path, status: response.statusCode, ms };
      log[level](line, response.writableFinished ? 'answered' : 'the client went away');
    });
    next();
  };
}
