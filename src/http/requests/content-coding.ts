import compression from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** In our order of preference, for callers without one. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Clients send a few dozen different headers; the cache is bounded all the same. */
const MAX_REMEMBERED = 100;
const remembered = new Map<string, Coding | undefined>();

/**
 * @param header `Accept-Encoding` (RFC 9110, section 12.5.3)
 * @returns the coding that the caller prefers; undefined for none, or if the caller prefers no coding
 */
export function acceptedCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  if (remembered.has(header)) return remembered.get(header);
  const coding = negotiate(header);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(header, coding);
  return coding;
}

function negotiate(header: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.map((parameter) => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1]).find(Boolean);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const wildcard = weights.get('*') ?? 0;
  const liked = CODINGS.map((coding) => ({ coding, weight: weights.get(coding) ?? wildcard })).sort(
    (one, other) => other.weight - one.weight,
  )[0];
  const plain = weights.get('identity') ?? 0;
  return liked && liked.weight > 0 && liked.weight >= plain ? liked.coding : undefined;
}

/** Below, a response is one or two packets either way, and compressing it takes longer than most statements: 0.15 ms. */
const WORTH_COMPRESSING_BYTES = 2_048;

const STRONG_ETAG = /^"/;

type End = (...values: unknown[]) => Response;

/**
 * Compresses responses of two kilobytes or more as they are sent, unless they are compressed already
 * (`prepared-answer.ts`), must not be (`@ShowsSecret`), or have a strong ETag, which identifies exactly these bytes
 * (RFC 9110, section 8.8.3.3).
 *
 * `compression` is only installed when a response ends that it would compress: its wrapping costs 45 µs, a third of the
 * fastest responses. Documentation files are streamed, so there it is installed right away.
 */
export function compressAnswers(): RequestHandler {
  const compress = compression({ threshold: WORTH_COMPRESSING_BYTES, filter: isToBeCompressed });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.url.startsWith('/docs') && request.method !== 'HEAD') {
      compress(request, response, next);
      return;
    }
    const end = response.end.bind(response) as End;
    response.end = (...values: unknown[]): Response => {
      response.end = end;
      if (!response.headersSent && isToBeCompressed(request, response)) {
        response.vary('Accept-Encoding');
        const isHead = request.method === 'HEAD';
        const length = isHead ? Number(response.getHeader('Content-Length') ?? 0) : lengthOf(values[0]);
        if (length >= WORTH_COMPRESSING_BYTES && acceptedCoding(request.headers['accept-encoding'])) {
          // GET would have another length, and HEAD must not send a different one (RFC 9110, section 8.6).
          if (isHead) response.removeHeader('Content-Length');
          else compress(request, response, () => undefined);
        }
      }
      return (response.end as End)(...values);
    };
    next();
  };
}

function isToBeCompressed(request: Request, response: Response): boolean {
  return isTransformable(response) && isCompressible(request, response);
}

/** A 304 has the `Vary` of the response it stands for (RFC 9110, section 15.4.5). */
function isCompressible(request: Request, response: Response): boolean {
  return response.statusCode === 304 || compression.filter(request, response);
}

/**
 * Nothing that already has a coding, is marked `no-transform` (RFC 9111, section 5.2.2.6), or has a validator of its
 * exact bytes.
 */
function isTransformable(response: Response): boolean {
  return (
    !response.hasHeader('Content-Encoding') &&
    !STRONG_ETAG.test(String(response.getHeader('ETag'))) &&
    !String(response.getHeader('Cache-Control')).includes('no-transform')
  );
}

/** Compressible types from a minimum number of bytes. */
function lengthOf(chunk: unknown): number {
  return typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.length : 0;
}
