import compression from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** In the order in which we prefer them where the caller has no preference. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Clients send one of a few dozen texts; what is remembered of them is bounded all the same. */
const MOST_REMEMBERED = 100;
const remembered = new Map<string, Coding | undefined>();

/**
 * @param header `Accept-Encoding` (RFC 9110, section 12.5.3)
 * @returns the coding that the caller likes best; undefined for none, and where plain is liked better
 */
export function acceptedCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  if (remembered.has(header)) return remembered.get(header);
  const coding = negotiate(header);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
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
  const rest = weights.get('*') ?? 0;
  const liked = CODINGS.map((coding) => ({ coding, weight: weights.get(coding) ?? rest })).sort(
    (one, other) => other.weight - one.weight,
  )[0];
  const plain = weights.get('identity') ?? 0;
  return liked && liked.weight > 0 && liked.weight >= plain ? liked.coding : undefined;
}

const WORTH_COMPRESSING_BYTES = 1_024;

const STRONG_ETAG = /^"/;

type End = (...values: unknown[]) => Response;

/**
 * Compresses answers of a kilobyte and more as they go out, unless they are compressed already (`prepared-answer.ts`) or
 * must not be (`@ShowsSecret`), or have a strong ETag: that is of just these bytes (RFC 9110, section 8.8.3.3).
 *
 * `compression` is put in only when an answer ends that it would compress: its wrapping costs 45 µs, a third of what the
 * fastest answers take. Files of the documentation are streamed, so there it is put in at once.
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
          // GET would have another length, and HEAD must not give a different one (RFC 9110, section 8.6).
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

/** A 304 has the `Vary` of the answer that it stands for (RFC 9110, section 15.4.5). */
function isCompressible(request: Request, response: Response): boolean {
  return response.statusCode === 304 || compression.filter(request, response);
}

/**
 * Not what has its coding already, nor what says that nobody must change it (RFC 9111, section 5.2.2.6), nor what has a
 * validator of its bytes.
 */
function isTransformable(response: Response): boolean {
  return (
    !response.hasHeader('Content-Encoding') &&
    !STRONG_ETAG.test(String(response.getHeader('ETag'))) &&
    !String(response.getHeader('Cache-Control')).includes('no-transform')
  );
}

/** Of a text at least so many bytes. */
function lengthOf(chunk: unknown): number {
  return typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.length : 0;
}
