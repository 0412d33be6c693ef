import type { NextFunction, Request, RequestHandler, Response } from 'express';

const PATH = /^(\/v1\/organisations\/[^/]+\/registry)?\/v0\.1(\/|$)/;

/** @returns whether a path, or a path template of the OpenAPI document, is one of the registry API */
export function isRegistryPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Lets web pages and editors of any origin read the registry (contract, section 10): the headers that well-known clients
 * ask for on every answer, and the answer to a preflight. No credentials of a browser are ever looked at.
 */
export function registryCors(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isRegistryPath(request.path)) return next();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', 'GET, OPTIONS');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, WWW-Authenticate');
    response.setHeader('Access-Control-Max-Age', '86400');
    if (request.method !== 'OPTIONS') return next();
    response.status(204).end();
  };
}
