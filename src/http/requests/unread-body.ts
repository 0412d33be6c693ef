import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { hasBody } from './body-bytes';
import { endInTwoSteps, hasLastAnswer, markLastAnswer } from '../answers/last-answer';

/** A rest so short is cheaper to read than a new connection is to make. */
const SHORT_REST_BYTES = 65_536;

/**
 * Closes the connection after an answer that was given before the body was read: after a 401, or a 413 for a length
 * that was only declared. Node would read the rest, however long it is, to keep the connection. An ignored short body
 * of a request that succeeded is read, so that its connection can serve on.
 */
export function closeUnreadBodies(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (hasLastAnswer(request.socket)) return;
    if (hasBody(request)) closeUnlessRead(request, response);
    next();
  };
}

function closeUnlessRead(request: Request, response: Response): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => Response;
  response.writeHead = (...values: unknown[]): Response => {
    if (isCostly(request, response)) {
      response.setHeader('Connection', 'close');
      markLastAnswer(request.socket);
      request.socket.destroySoon = () => endInTwoSteps(request.socket);
    }
    return writeHead(...values);
  };
}

function isCostly(request: Request, response: Response): boolean {
  if (request.complete) return false;
  // It may have been answered without ever sending it, and then its next request would be taken for the body.
  if (request.awaitsContinue) return true;
  const { 'content-length': length = Infinity } = request.headers;
  return response.statusCode >= 400 || Number(length) > SHORT_REST_BYTES;
}
