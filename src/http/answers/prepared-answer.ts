import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { acceptedCoding, type Coding } from '../requests/content-coding';

/** Compressing less than this does not save a packet. */
const WORTH_COMPRESSING_BYTES = 1_024;
/** Out of 11: 6 kB in less than a millisecond, and nearly as small. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const brotli = promisify<Buffer, object, Buffer>(brotliCompress);

/** One representation of a response: its bytes, and their strong validator (RFC 9110, section 8.8.3.3). */
interface Form {
  body: Buffer;
  etag: string;
}

/** A response kept in memory, plain and in the codings that it was compressed with. */
export interface PreparedAnswer {
  plain: Form;
  compressed: ReadonlyMap<Coding, Form>;
}

/** What clients and proxies may keep. */
export const REVALIDATE = {
  /** Anybody, but ask each time whether it is still current (RFC 9111, section 5.2.2.4). */
  everybody: 'no-cache',
  /** The client only: what the caller may see depends on the token. */
  caller: 'private, no-cache',
} as const;

/** For responses of a few kilobytes; synchronous. */
export function prepareJson(value: unknown): PreparedAnswer {
  const body = Buffer.from(JSON.stringify(value));
  if (body.length < WORTH_COMPRESSING_BYTES) return assemble(body);
  return assemble(body, gzipSync(body), brotliCompressSync(body, BROTLI));
}

/** For large responses; compressed off the event loop. */
export async function prepareLargeJson(value: unknown): Promise<PreparedAnswer> {
  const body = Buffer.from(JSON.stringify(value));
  return assemble(body, ...(await Promise.all([promisify(gzip)(body), brotli(body, BROTLI)])));
}

/** For a response of any size; it is compressed when a caller first accepts a coding (`withCoding`). */
export function preparePlain(json: string): PreparedAnswer {
  return assemble(compact(Buffer.from(json)));
}

/** @returns the bytes that the response takes in memory */
export function sizeOf({ plain, compressed }: PreparedAnswer): number {
  return [plain, ...compressed.values()].reduce((sum, { body }) => sum + body.length, 0);
}

/** @returns the coding to compress the response with first, before it is sent to this caller */
export function missingCoding(request: Request, { plain, compressed }: PreparedAnswer): Coding | undefined {
  if (plain.body.length < WORTH_COMPRESSING_BYTES) return undefined;
  const coding = acceptedCoding(request.headers['accept-encoding']);
  return coding === undefined || compressed.has(coding) ? undefined : coding;
}

/** @returns the response with this coding as well; compressed off the event loop */
export async function withCoding(answer: PreparedAnswer, coding: Coding): Promise<PreparedAnswer> {
  const { body, etag } = answer.plain;
  const compressed = coding === 'br' ? await brotli(body, BROTLI) : await promisify(gzip)(body);
  const form = { body: compact(compressed), etag: `${etag.slice(0, -1)}-${coding}"` };
  return { ...answer, compressed: new Map([...answer.compressed, [coding, form]]) };
}

/** @returns a copy that takes no more memory than its bytes: Node's pool and zlib give parts of larger blocks */
function compact(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function assemble(body: Buffer, gzipped?: Buffer, brotlied?: Buffer): PreparedAnswer {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  const compressed = new Map<Coding, Form>();
  if (brotlied) compressed.set('br', { body: brotlied, etag: `"${digest}-br"` });
  if (gzipped) compressed.set('gzip', { body: gzipped, etag: `"${digest}-gzip"` });
  return { plain: { body, etag: `"${digest}"` }, compressed };
}

/**
 * Sends a prepared response in the coding that the caller accepts, or 304 if the caller already has it: JSON, unless the
 * response has a `Content-Type` already. Bypasses
 * Express's own `send`, which would hash the body on every request.
 *
 * @param cacheControl who may keep it
 */
export function sendPrepared(
  request: Request,
  response: Response,
  { plain, compressed }: PreparedAnswer,
  cacheControl: string = REVALIDATE.caller,
): void {
  const coding = compressed.size > 0 ? acceptedCoding(request.headers['accept-encoding']) : undefined;
  const form = (coding && compressed.get(coding)) ?? plain;
  response.setHeader('ETag', form.etag);
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', 'Accept-Encoding');
  if (matchesTag(request.headers['if-none-match'], form.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (coding && form !== plain) response.setHeader('Content-Encoding', coding);
  response.setHeader('Content-Length', form.body.length);
  response.end(form.body);
}

/** Weak comparison, as RFC 9110, section 13.1.2, requires for `If-None-Match`. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '');
    return tag === '*' || tag === etag;
  });
}
