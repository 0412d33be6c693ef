import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '../../errors/errors';
import { ErrorCode } from '../http.errors';

/**
 * Decodes percent-encoded characters of a path that need no encoding, so that `/v1/some%2Dthings` is the same
 * resource as `/v1/some-things` (RFC 3986, section 6.2.2.2). Must precede everything that looks at the path.
 */
export function plainPath(): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const { url } = request;
    if (url.includes('%')) {
      const end = url.indexOf('?');
      const path = end === -1 ? url : url.slice(0, end);
      request.url = path.replace(/%[0-9a-f]{2}/gi, decodeUnreserved) + url.slice(path.length);
    }
    next();
  };
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
}

/**
 * Rejects a method that the resource at the path does not support, before the router tries other templates that match
 * the same path. Authentication comes first, as for every response about what exists (contract, section 1).
 *
 * @param authenticate rejects with an AuthenticationError, or if the caller sends too much; not called where everything at the path is open
 */
export function methodCheck(authenticate: (request: Request, response: Response) => Promise<unknown>): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { resource } = request;
    if (!resource || resource.methods.includes(request.method)) return next();
    const refuse = () => {
      const allowed = resource.methods.join(', ');
      response.setHeader('Allow', allowed);
      next(
        new DomainError(
          ErrorCode.MethodNotAllowed,
          `${request.path} does not support ${request.method}; it supports ${allowed}.`,
        ),
      );
    };
    if (resource.isOpen) refuse();
    else authenticate(request, response).then(refuse, next);
  };
}
