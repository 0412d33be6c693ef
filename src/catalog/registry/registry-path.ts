import type { NextFunction, Request, RequestHandler, Response } from 'express';

const PATH = /^(\/v1\/organisations\/[^/]+\/registry)?\/v0\.1(\/|$)/;

/**
 * Some clients request `/v0`, either first or after `/v0.1` failed. Where the pasted base address ends with a slash, one
 * more precedes it (contract, 13.9), or the whole path: VS Code shows the public gallery if it gets a 404.
 */
const VERSION =
  /^(?:\/?((?:\/v1\/organisations\/[^/?]+\/registry)?)|(\/v1\/organisations\/[^/?]+\/registry)\/)\/v0(?:\.1)?(?=\/|\?|$)/;

/** One slash too many at the end of a path. */
const LAST_SLASH = /^([^?]*[^/?])\/(?=\?|$)/;

/** What clients make of a base address that ends with the suffix and a slash: so that the answer says what to paste. */
const DOUBLED_WITH_SLASH = /\/v0\.1\/\/(?=v0(?:\.1)?(?:\/|\?|$))/;

/** In release 0.1 the name of our extensions had no domain. To be removed in the release after the next. */
const FORMER_EXTENSION = /^((?:\/v1\/organisations\/[^/]+\/registry)?\/v0\.1\/x)\/toolyard(?=\/|\?|$)/;

/** The result of a base address that already contains the suffix that clients append. */
const DOUBLED_PATH = /^((?:\/v1\/organisations\/[^/]+\/registry)?)\/v0\.1\/(?:servers\/)?v0(?:\.1)?(?:\/|$)/;

/** @returns whether a path, or a path template of the OpenAPI document, is one of the registry API */
export function isRegistryPath(path: string): boolean {
  return PATH.test(path);
}

/** @returns the path of the registry's base address if the suffix was appended twice; otherwise undefined */
export function doubledBase(path: string): string | undefined {
  return DOUBLED_PATH.exec(path)?.[1];
}

/** Maps former paths, and those with one slash too many, to the current ones. */
export function registryAliases(): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (VERSION.test(request.url)) {
      request.url = request.url
        .replace(VERSION, '$1$2/v0.1')
        .replace(DOUBLED_WITH_SLASH, '/v0.1/')
        .replace(LAST_SLASH, '$1')
        .replace(FORMER_EXTENSION, '$1/com.toolyard');
    }
    next();
  };
}

/**
 * CORS: lets web pages and editors of any origin read the registry (contract, section 10). Sends the headers that
 * well-known clients expect on every response, and answers preflights. Browser credentials are never used.
 */
export function registryCors(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isRegistryPath(request.path)) return next();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', 'GET, OPTIONS');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    response.setHeader(
      'Access-Control-Expose-Headers',
      'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
    );
    response.setHeader('Access-Control-Max-Age', '86400');
    if (request.method !== 'OPTIONS') return next();
    response.status(204).end();
  };
}
