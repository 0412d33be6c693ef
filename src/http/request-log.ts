import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger as Pino } from 'pino';

declare module 'express-serve-static-core' {
  interface Request {
    /** The request id (contract, section 1), in every answer and every log line. */
    id: string;
  }
}

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives every request its id and writes one line when its answer is out. The line holds neither headers nor the query
 * string: both are where people put secrets.
 */
export function requestLog(log: Pino): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    if (log.isLevelEnabled('info')) {
      const started = performance.now();
      response.once('close', () => {
        const ms = Math.round((performance.now() - started) * 10) / 10;
        const line = {
          request: request.id,
          method: request.method,
          path: request.path,
          status: response.statusCode,
          ms,
        };
        if (response.writableFinished) log.info(line, 'answered');
        else log.info(line, 'the client went away');
      });
    }
    next();
  };
}
