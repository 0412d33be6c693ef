import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isUnavailable } from '../../database/database-errors';
import { DomainError, type RatePolicy } from '../../errors/errors';
import { setRetryAfter } from '../../http/answers/rate-limit-fields';
import { hasBody, readBytes, UnreadableBodyError } from '../../http/requests/body-bytes';
import type { Session } from '../sessions/session';
import type { Allowance } from './allowance';
import { selfDescribed, type ClientMetadata } from './client-rules';
import { protocolErrors } from './library';
import { DEFAULT_SCOPES } from './provider-settings';
import { requestContext } from './request-context';
import { isObject } from '../../http/requests/json-object';

const LIMIT_BYTES = 65_536;
const MAX_SCOPE_LENGTH = 1_000;
const RETRY_AFTER_S = 5;
/** How long a pushed request or device code is kept, about. */
export const STORAGE_PERIOD_S = 600;

/** How an endpoint is called, and by whom. */
interface Endpoint {
  path: RegExp;
  methods: readonly string[];
  /** Called by browsers: asks the session of the console. */
  isPage?: true;
  /** Reads JSON; others read forms. */
  isRegistration?: true;
  /** Stores something for callers who have not proved who they are. */
  isOpenStorage?: true;
  /** A request without a scope means the default. */
  defaultsScope?: true;
}

/** What the library answers. Everything else, and every other method, goes on to the routes. */
const ENDPOINTS: readonly Endpoint[] = [
  { path: /^\/oauth2\/authorize$/, methods: ['GET'], isPage: true, defaultsScope: true },
  { path: /^\/oauth2\/authorize\/[\w-]+$/, methods: ['GET'], isPage: true },
  {
    path: /^\/oauth2\/(par|device_authorization)$/,
    methods: ['POST', 'OPTIONS'],
    defaultsScope: true,
    isOpenStorage: true,
  },
  { path: /^\/oauth2\/(token|revoke|introspect)$/, methods: ['POST', 'OPTIONS'] },
  { path: /^\/oauth2\/register$/, methods: ['POST'], isRegistration: true },
  { path: /^\/oauth2\/logout(\/success)?$/, methods: ['GET'], isPage: true, isOpenStorage: true },
  { path: /^\/oauth2\/logout\/confirm$/, methods: ['POST'], isPage: true },
  { path: /^\/device$/, methods: ['GET', 'POST'], isPage: true, isOpenStorage: true },
  { path: /^\/device\/[\w-]+$/, methods: ['GET'], isPage: true },
  { path: /^\/\.well-known\/(oauth-authorization-server|openid-configuration)$/, methods: ['GET', 'HEAD', 'OPTIONS'] },
];

/** Answered by us: see `answerUserInfo`. */
const USER_INFO = '/oauth2/userinfo';

/** What the gate passes requests to. */
export interface ProtocolHandler {
  /** Answers a request. */
  handle: (request: IncomingMessage, response: Response) => Promise<void>;
  /** Answers who the person of the access token is. */
  userInfo: (request: Request, response: Response) => Promise<void>;
  /** Renders an error for a browser. */
  renderError: (response: Response, status: number, code: string, description: string) => void;
  session: (request: Request, response: Response) => Promise<Session | undefined>;
  /** The network that a request comes from, in canonical form. */
  networkOf: (request: Request) => string;
  /** How much a network may have stored without proving who it is. */
  storage: Allowance;
  /** The same, for the answers. */
  storagePolicy: RatePolicy;
  /** Whether clients may register themselves. */
  hasRegistration: boolean;
}

/** A request that is wrong before the library looks at it. */
class BadRequest extends Error {}

/** A network has had too much stored. */
class TooManyRequests extends Error {}

/**
 * Before the library: reads bodies within bounds, rejects text that cannot be stored, and says where this service is,
 * because the library takes that from the `Host` of the request.
 *
 * @param publicUrl the issuer
 */
export function protocolGate(publicUrl: string, handler: ProtocolHandler): RequestHandler {
  const base = new URL(publicUrl);
  return (request, response, next) => {
    if (request.path === USER_INFO && ['GET', 'POST'].includes(request.method)) {
      handler.userInfo(request, response).catch(next);
      return;
    }
    const endpoint = ENDPOINTS.find(({ path, methods }) => path.test(request.path) && methods.includes(request.method));
    if (!endpoint || (endpoint.isRegistration && !handler.hasRegistration)) return next();
    answer(base, handler, endpoint, request, response).catch((error: unknown) =>
      refuse(handler, endpoint, error, response, next),
    );
  };
}

async function answer(
  base: URL,
  handler: ProtocolHandler,
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const network = handler.networkOf(request);
  if (endpoint.isOpenStorage && !handler.storage.admits(network)) throw new TooManyRequests();
  const url = new URL(request.url, base.origin);
  requireText(url.searchParams);
  const userCode = request.path === '/device' ? (url.searchParams.get('user_code') ?? undefined) : undefined;
  // The library would answer with a page that needs a script.
  if (userCode !== undefined) url.searchParams.delete('user_code');
  if (endpoint.defaultsScope && request.method === 'GET') addScope(url.searchParams);
  const body = hasBody(request) ? bodyFor(endpoint, request, await readBytes(request, response, LIMIT_BYTES)) : '';
  const session = endpoint.isPage ? await handler.session(request, response) : undefined;
  const passed = asSeenFrom(base, request, `${url.pathname}${url.search}`, body);
  await requestContext.run({ session, network, userCode }, () => handler.handle(passed, response));
}

/** @returns the body that the library sees */
function bodyFor(endpoint: Endpoint, request: Request, bytes: Buffer): string {
  const text = decoded(bytes);
  if (endpoint.isRegistration) return JSON.stringify(selfDescribed(jsonObject(text)));
  if (!request.is('application/x-www-form-urlencoded')) return text;
  const fields = new URLSearchParams(text);
  requireText(fields);
  if (!endpoint.defaultsScope || fields.has('scope')) return text;
  addScope(fields);
  return fields.toString();
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequest('the body is not UTF-8');
  }
}

function jsonObject(text: string): ClientMetadata {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest('the body is not JSON');
  }
  if (isObject(value)) return value;
  throw new BadRequest('the body is not a JSON object');
}

/** Percent-encoded bytes that are no text, lone surrogates included, decode to U+FFFD. */
function requireText(parameters: URLSearchParams): void {
  for (const [name, value] of parameters) {
    if (/[\0\uFFFD]/.test(name + value)) throw new BadRequest('a parameter contains characters that are not text');
  }
  if ((parameters.get('scope')?.length ?? 0) > MAX_SCOPE_LENGTH)
    throw new BadRequest(`scope has more than ${MAX_SCOPE_LENGTH} characters`);
}

/** RFC 6749, section 3.3. A pushed request has its own. */
function addScope(parameters: URLSearchParams): void {
  if (!parameters.has('scope') && !parameters.has('request_uri')) parameters.set('scope', DEFAULT_SCOPES.join(' '));
}

/**
 * The same request, at the address that clients know, with a body that was read already. A new object, because other
 * parts of this service go on using the original one.
 */
function asSeenFrom(base: URL, request: Request, url: string, body: string): IncomingMessage {
  const bytes = Buffer.from(body);
  const {
    'transfer-encoding': _chunks,
    'content-encoding': _coding,
    'x-forwarded-host': _host,
    'x-forwarded-for': _for,
    ...headers
  } = request.headers;
  const path = base.pathname.replace(/\/$/, '');
  return Object.create(request, {
    url: { value: url, writable: true },
    originalUrl: { value: `${path}${url}`, writable: true },
    method: { value: request.method === 'HEAD' ? 'GET' : request.method },
    headers: {
      value: {
        ...headers,
        host: base.host,
        'x-forwarded-proto': base.protocol.slice(0, -1),
        ...(hasBody(request) ? { 'content-length': String(bytes.length) } : {}),
      },
    },
    readable: { value: true },
    readableEncoding: { value: null },
    iterator: { value: () => Readable.from([bytes]) },
  }) as IncomingMessage;
}

function refuse(
  handler: ProtocolHandler,
  endpoint: Endpoint,
  error: unknown,
  response: Response,
  next: NextFunction,
): void {
  const known = faultOf(error);
  if (!known || response.headersSent) return next(error);
  const { status, code, description } = known;
  if (status === 503) response.set('Retry-After', String(RETRY_AFTER_S));
  if (status === 429) setRetryAfter(response, handler.storagePolicy, STORAGE_PERIOD_S);
  if (endpoint.isPage) return handler.renderError(response, status, code, description);
  response.status(status).set('Cache-Control', 'no-store').json({ error: code, error_description: description });
}

/** In the terms of the protocol; undefined for a defect. */
function faultOf(error: unknown): { status: number; code: string; description: string } | undefined {
  if (error instanceof TooManyRequests)
    return { status: 429, code: 'temporarily_unavailable', description: 'too many requests from this network' };
  if (error instanceof BadRequest) return { status: 400, code: 'invalid_request', description: error.message };
  if (error instanceof UnreadableBodyError || error instanceof DomainError)
    return { status: 400, code: 'invalid_request', description: 'the body cannot be read, or has more than 64 KiB' };
  if (error instanceof protocolErrors().OIDCProviderError)
    return { status: error.statusCode, code: error.error, description: error.error_description ?? error.message };
  if (isUnavailable(error))
    return { status: 503, code: 'temporarily_unavailable', description: 'the database cannot be reached' };
  return undefined;
}
