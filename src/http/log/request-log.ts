import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger as Pino } from 'pino';

declare module 'express-serve-static-core' {
  interface Request {
    /** The request id (contract, section 1), in every response and every log line. */
    id: string;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives every request its id and logs one line once its response is sent: at `info` for anything that changed something
 * or failed, at `debug` for successful reads, which are frequent, say little, and would lose a tenth of their speed at
 * the fast end. The line contains neither headers nor the query string, since people put secrets in both.
 *
 * @param secretRooms the first parts of paths whose rest is a secret, such as that of a link that is handed out
 */
export function requestLog(log: Pino, secretRooms: readonly string[] = []): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const requestedId = request.headers['x-request-id'];
    request.id = typeof requestedId === 'string' && ACCEPTABLE_ID.test(requestedId) ? requestedId : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    if (!log.isLevelEnabled('info')) return next();
    const started = performance.now();
    response.on('close', () => {
      const uneventful = response.statusCode < 400 && READS.has(request.method) && response.writableFinished;
      const level = uneventful ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      // Nest's own last handlers are on a mounted router, which shortens `url` and `path`.
      const { id, method, originalUrl: url } = request;
      const query = url.indexOf('?');
      const path = withoutSecret(query === -1 ? url : url.slice(0, query), secretRooms);
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const line = { request: id, method, path, status: response.statusCode, ms };
      log[level](line, response.writableFinished ? 'answered' : 'the client went away');
    });
    next();
  };
}

/** However the path is written: the request may have failed because of that, and the secret is still one. */
function withoutSecret(path: string, rooms: readonly string[]): string {
  const [, room = '', rest = ''] =
    /^(?:https?:\/\/[^/]*)?[/\\]*([^/\\]*)(.*)$/is.exec(path.replace(/%([0-7][0-9a-f])/gi, decoded)) ?? [];
  return rooms.includes(room.toLowerCase()) && rest.length > 1 ? `/${room}/…` : path;
}

function decoded(_encoded: string, digits: string): string {
  return String.fromCharCode(parseInt(digits, 16));
}
