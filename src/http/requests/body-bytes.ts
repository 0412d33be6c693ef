import type { Request, Response } from 'express';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DomainError } from '../../errors/errors';
import { ErrorCode } from '../http.errors';
import { GrowingBuffer } from './growing-buffer';
import { hasLastAnswer } from '../answers/last-answer';

declare module 'express-serve-static-core' {
  interface Request {
    /** The client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
    awaitsContinue?: boolean;
  }
}

/** The body cannot be read: it ended early, or its content coding is wrong. */
export class UnreadableBodyError extends Error {}

const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Chunks of any size up to this count are accepted: streams often begin with tiny writes. */
const FREE_PIECES = 4_096;

/** The minimum average size of chunks beyond these; bytes. A chunk of 1 byte costs Node as much as one of 1,000. */
const MIN_PIECE = 64;

/** @returns whether the request has a body, even an empty one (RFC 9112, section 6) */
export function hasBody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads and decompresses the body, and stops as soon as it is too long: a body declared as too long, or held back until
 * `100 Continue`, is not read at all. The unread remainder then closes the connection (`unread-body.ts`).
 *
 * @param limit maximum number of bytes, both as received and decompressed
 * @throws DomainError `payload_too_large`, also for many chunks of a few bytes each, or `unsupported_media_type` for an
 *   unknown content coding; UnreadableBodyError
 */
export async function readBytes(request: Request, response: Response, limit: number): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder && encoding !== 'identity') {
    throw new DomainError(
      ErrorCode.UnsupportedMediaType,
      'The body must be UTF-8, plain or compressed with gzip, deflate or br.',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  // Node hands over a body that came with the head only after the handler of the head has returned.
  await Promise.resolve();
  // Unless the parser has rejected it and answered the client (`parser-errors.ts`), or the connection is gone.
  if (hasLastAnswer(request.socket) || request.destroyed) throw new UnreadableBodyError('cut off');
  if (request.awaitsContinue) {
    request.awaitsContinue = false;
    response.writeContinue();
  }
  return (decoder ? undefined : arrivedBody(request)) ?? collect(request, decoder, limit);
}

/** Most bodies come with the head. Read without listeners, they take a third of the time. */
function arrivedBody(request: Request): Buffer | undefined {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length === 0 || request.readableLength !== length) return undefined;
  const bytes = request.read() as Buffer | null;
  // To its end, after which Node reads the next request of the connection.
  request.resume();
  return bytes ?? undefined;
}

function collect(request: Request, decoder: Transform | undefined, limit: number): Promise<Buffer> {
  const source: Readable = decoder ? request.pipe(decoder) : request;
  return new Promise((resolve, reject) => {
    const collected = new GrowingBuffer(limit);
    let received = 0;
    let pieces = 0;
    const end = (finish: () => void): void => {
      request.off('data', onReceived).off('error', onBroken).off('close', onClose);
      source.off('data', onData).off('end', onEnd).off('error', onBroken);
      // Anything that still arrives is discarded.
      decoder?.on('error', () => undefined).destroy();
      request.pause();
      finish();
    };
    const onReceived = (chunk: Buffer): void => {
      received += chunk.length;
      pieces += 1;
      if (received > limit) end(() => reject(tooLarge(limit)));
      if (pieces > FREE_PIECES + received / MIN_PIECE) end(() => reject(tooManyPieces()));
    };
    const onData = (chunk: Buffer): void => {
      if (!collected.append(chunk)) end(() => reject(tooLarge(limit)));
    };
    const onEnd = (): void => end(() => resolve(collected.bytes()));
    const onBroken = (error?: Error): void => end(() => reject(new UnreadableBodyError(error?.message ?? 'cut off')));
    // Also when everything has arrived but is not decompressed yet.
    const onClose = (): void => {
      if (!request.complete) onBroken();
    };
    // Besides its output: a compressed body may decompress to nothing for as long as the client sends.
    request.on('data', onReceived).on('error', onBroken).on('close', onClose);
    source.on('data', onData).on('end', onEnd);
    if (source !== request) source.on('error', onBroken);
  });
}

function tooLarge(limit: number): DomainError {
  return new DomainError(ErrorCode.PayloadTooLarge, `The body is larger than ${limit / 1_048_576} MiB.`);
}

function tooManyPieces(): DomainError {
  const detail = `The body has too many chunks. Send chunks of at least ${MIN_PIECE} bytes on average.`;
  return new DomainError(ErrorCode.PayloadTooLarge, detail);
}
