import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { hasBody } from './body-bytes';
import { endInTwoSteps, hasLastAnswer, markLastAnswer } from '../answers/last-answer';

/** A remainder this short is cheaper to read than a new connection is to open. */
const SHORT_REST_BYTES = 65_536;

/**
 * Closes the connection after a response that was sent before the body was read: after a 401, or a 413 for a declared
 * length. Node would read the remainder, however long, to keep the connection. An ignored short body of a successful
 * request is read, so that its connection can be reused.
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
  // The request may have been answered without the client ever sending its body, and then its next request would be
  // taken for the body.
  if (request.awaitsContinue) return true;
  const { 'content-length': length = Infinity } = request.headers;
  return response.statusCode >= 400 || Number(length) > SHORT_REST_BYTES;
}
