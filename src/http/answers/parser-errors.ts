import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import type { Logger as Pino } from 'pino';
import { httpStatus } from './error-status';
import { DomainError } from '../../errors/errors';
import type { ErrorCode as Code } from '../../errors/errors';
import { ErrorCode } from '../http.errors';
import { endInTwoSteps } from './last-answer';

/** The failures of Node's parser, by error code; anything else is not HTTP. */
const REFUSALS = new Map<string | undefined, [Code, string]>([
  ['HPE_HEADER_OVERFLOW', [ErrorCode.HeadersTooLarge, 'The URL and the headers exceed 16 KiB together.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [ErrorCode.PayloadTooLarge, 'The chunk extensions of the body are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [ErrorCode.RequestTimeout, 'The request did not arrive completely in time.']],
]);
const NO_HTTP: [Code, string] = [ErrorCode.BadRequest, 'This is not a valid HTTP request.'];

/** Missing from Node's types: the response in progress on a connection, and whether Node checks for `Host`. */
type Answering = Duplex & { _httpMessage?: ServerResponse };
type HostAware = Server & { requireHostHeader: boolean };

/**
 * Answers what never becomes a request: Node's parser would do so itself, but without a request id and without a body.
 * `Expect` and a missing `Host`, which Node handles itself by default, are passed to the application for the same
 * reason.
 */
export function answerParserErrors(server: Server, log: Pino): void {
  (server as HostAware).requireHostHeader = false;
  // Node would silently drop headers beyond 2,000; the 16 KiB limit on all headers is enough.
  server.maxHeadersCount = 0;
  server.on('checkContinue', (request: Request, response: ServerResponse) => {
    request.awaitsContinue = true;
    server.emit('request', request, response);
  });
  // A server may ignore expectations it does not know (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Answering) => {
    const inFlight = socket._httpMessage;
    if (!socket.writable || error.code === 'ECONNRESET' || inFlight?.headersSent) {
      socket.destroy(error);
      return;
    }
    const [code, detail] = REFUSALS.get(error.code) ?? NO_HTTP;
    const id = String(inFlight?.getHeader('X-Request-Id') ?? randomUUID());
    log.info({ request: id, status: httpStatus(code), reason: error.code }, 'rejected by the HTTP parser');
    endInTwoSteps(socket, rawAnswer(httpStatus(code), id, { detail, code: code.code }));
  });
}

function rawAnswer(status: number, requestId: string, content: object): string {
  const body = JSON.stringify(content);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** RFC 3986, sections 3.2.2 and 3.2.3, but without commas: some parsers join several headers with them. */
const HOST = /^[\w.~!$&'()*+;=%:[\]-]*$/;

/** Requires one valid `Host`; HTTP/1.0 may omit it (RFC 9112, section 3.2). */
export function requireHost(): RequestHandler {
  return (request, _response, next) => {
    const { rawHeaders, httpVersion } = request;
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] as string;
      if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    }
    const isFine = hosts === 1 ? HOST.test(request.headers.host ?? '') : hosts === 0 && httpVersion === '1.0';
    if (isFine) next();
    else next(new DomainError(ErrorCode.BadRequest, 'A request must have exactly one valid Host header.'));
  };
}
