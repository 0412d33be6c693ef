import type { Socket } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { hasBody } from './body-bytes';

/** A rest so short is cheaper to read than a new connection is to make. */
const SHORT_REST_BYTES = 65_536;
/** How long the client has to read the answer before the connection is cut. */
const LINGER_MS = 1_000;

/**
 * Closes the connection after an answer that was given before the body was read: after a 401, or a 413 for a length
 * that was only declared. Node would read the rest, however long it is, to keep the connection. An ignored short body
 * of a request that succeeded is read, so that its connection can serve on.
 */
export function closeUnreadBodies(): RequestHandler {
  const closing = new WeakSet<Socket>();
  return (request: Request, response: Response, next: NextFunction): void => {
    // Nothing that comes behind a last answer is a request (RFC 9112, section 9.6).
    if (closing.has(request.socket)) return;
    if (hasBody(request)) closeUnlessRead(request, response, closing);
    next();
  };
}

function closeUnlessRead(request: Request, response: Response, closing: WeakSet<Socket>): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => Response;
  response.writeHead = (...values: unknown[]): Response => {
    if (isCostly(request, response)) {
      response.setHeader('Connection', 'close');
      closing.add(request.socket);
      lingerAfterEnd(request.socket);
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

/**
 * Ends the connection in two steps: the answer and the end of ours at once, the cut a second later, and nothing is read
 * meanwhile. A connection that is cut while bytes of the client wait to be read is reset, and the client, busy with
 * sending, may then lose the answer (RFC 9112, section 9.6).
 */
function lingerAfterEnd(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    // After Node has begun to skip the rest of the body.
    setImmediate(() => socket.pause());
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
