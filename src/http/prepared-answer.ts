import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** An answer that is held ready: its bytes, and the strong validator that belongs to them (RFC 9110, section 8.8.3). */
export interface PreparedAnswer {
  body: Buffer;
  etag: string;
}

export function prepareJson(value: unknown): PreparedAnswer {
  const body = Buffer.from(JSON.stringify(value));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}

/**
 * Writes a prepared answer, or 304 when the caller has it already. Past Express's own `send`, which would hash the
 * body for every request.
 */
export function sendPrepared(request: Request, response: Response, { body, etag }: PreparedAnswer): void {
  response.setHeader('ETag', etag);
  // Fresh or not is asked of us each time: what the caller may see depends on the token.
  response.setHeader('Cache-Control', 'private, no-cache');
  if (matches(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

/** Weak comparison, as RFC 9110, section 13.1.2, asks for `If-None-Match`. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '');
    return tag === '*' || tag === etag;
  });
}
