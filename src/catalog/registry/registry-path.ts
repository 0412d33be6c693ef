import type { NextFunction, Request, RequestHandler, Response } from 'express';

const PATH = /^(\/v1\/organisations\/[^/]+\/registry)?\/v0\.1(\/|$)/;

/** Some clients ask for `/v0` where they find no `/v0.1`, or before. */
const FORMER_PATH = /^((?:\/v1\/organisations\/[^/]+\/registry)?)\/v0(?=\/|\?|$)/;

/** Our extensions had a name without a domain in release 0.1; to go with the release after the next. */
const FORMER_EXTENSION = /^((?:\/v1\/organisations\/[^/]+\/registry)?\/v0\.1\/x)\/toolyard(?=\/|\?|$)/;

/** What comes of an address to which somebody has added what clients add themselves. */
const DOUBLED_PATH = /^((?:\/v1\/organisations\/[^/]+\/registry)?)\/v0\.1\/(?:servers\/)?v0(?:\.1)?(?:\/|$)/;

/** @returns whether a path, or a path template of the OpenAPI document, is one of the registry API */
export function isRegistryPath(path: string): boolean {
  return PATH.test(path);
}

/** @returns the path of the registry's base address where it was given with `/v0.1` or more; else undefined */
export function doubledBase(path: string): string | undefined {
  return DOUBLED_PATH.exec(path)?.[1];
}

/** Answers the former names of paths as the present ones. */
export function registryAliases(): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction): void => {
    request.url = request.url.replace(FORMER_PATH, '$1/v0.1').replace(FORMER_EXTENSION, '$1/com.toolyard');
    next();
  };
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
