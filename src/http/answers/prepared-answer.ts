import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { acceptedCoding, type Coding } from '../requests/content-coding';

/** Compressing less than this does not save a packet. */
const WORTH_COMPRESSING_BYTES = 1_024;
/** Out of 11: 6 kB in less than a millisecond, and nearly as small. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** One representation of a response: its bytes, and their strong validator (RFC 9110, section 8.8.3.3). */
interface Form {
  body: Buffer;
  etag: string;
}

/** A response kept in memory, plain and, unless it is short, compressed. */
export interface PreparedAnswer {
  plain: Form;
  compressed: ReadonlyMap<Coding, Form>;
}

/** For responses of a few kilobytes; synchronous. */
export function prepareJson(value: unknown): PreparedAnswer {
  const body = Buffer.from(JSON.stringify(value));
  if (body.length < WORTH_COMPRESSING_BYTES) return assemble(body);
  return assemble(body, gzipSync(body), brotliCompressSync(body, BROTLI));
}

/** For large responses; compressed off the event loop. */
export async function prepareLargeJson(value: unknown): Promise<PreparedAnswer> {
  const body = Buffer.from(JSON.stringify(value));
  return assemble(
    body,
    ...(await Promise.all([promisify(gzip)(body), promisify<Buffer, object, Buffer>(brotliCompress)(body, BROTLI)])),
  );
}

function assemble(body: Buffer, gzipped?: Buffer, brotlied?: Buffer): PreparedAnswer {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  const compressed = new Map<Coding, Form>();
  if (brotlied) compressed.set('br', { body: brotlied, etag: `"${digest}-br"` });
  if (gzipped) compressed.set('gzip', { body: gzipped, etag: `"${digest}-gzip"` });
  return { plain: { body, etag: `"${digest}"` }, compressed };
}

/**
 * Sends a prepared response in the coding that the caller accepts, or 304 if the caller already has it. Bypasses
 * Express's own `send`, which would hash the body on every request.
 */
export function sendPrepared(request: Request, response: Response, { plain, compressed }: PreparedAnswer): void {
  const coding = compressed.size > 0 ? acceptedCoding(request.headers['accept-encoding']) : undefined;
  const form = (coding && compressed.get(coding)) ?? plain;
  response.setHeader('ETag', form.etag);
  // Clients must revalidate every time: what the caller may see depends on the token.
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (matches(request.headers['if-none-match'], form.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (coding && form !== plain) response.setHeader('Content-Encoding', coding);
  response.setHeader('Content-Length', form.body.length);
  response.end(form.body);
}

/** Weak comparison, as RFC 9110, section 13.1.2, requires for `If-None-Match`. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '');
    return tag === '*' || tag === etag;
  });
}
