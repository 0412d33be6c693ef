import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** How much of a response body is kept, after decompression. */
export const MAX_BODY_BYTES = 16 * 1_024;
/** How much longer compressed bytes can be than plain ones: the gzip header, and five bytes per 64 KiB. */
const MAX_OVERHEAD = 1_024;
/** 4 MiB. A decoder fills a window before it returns the first byte; at 16 MiB that takes 50 ms of CPU time. */
const MAX_BROTLI_WINDOW_BITS = 22;

const EMPTY = Buffer.alloc(0);

/**
 * The beginning of a response body. Bytes are copied together, because a chunk would retain the 64 KiB buffer it was
 * read into. They are decompressed after the last one, so a decompression bomb costs no more than its first 16 KiB.
 */
export class AnswerBody {
  private bytes = EMPTY;
  private size = 0;
  private isCut = false;
  private encoding = '';
  private charset = '';

  /** @param contentEncoding and contentType the response headers; empty if absent */
  describe(contentEncoding: string, contentType: string): void {
    this.encoding = contentEncoding.trim().toLowerCase();
    this.charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? '';
  }

  /** @returns whether there is room for more; if not, the rest of the body need not be read */
  append(chunk: Buffer): boolean {
    const limit = this.encoding === '' ? MAX_BODY_BYTES : MAX_BODY_BYTES + MAX_OVERHEAD;
    const size = Math.min(this.size + chunk.length, limit);
    if (size > this.bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * this.bytes.length), limit));
      this.bytes.copy(bytes, 0, 0, this.size);
      this.bytes = bytes;
    }
    chunk.copy(this.bytes, this.size, 0, size - this.size);
    this.isCut ||= this.size + chunk.length > limit;
    this.size = size;
    return !this.isCut;
  }

  /**
   * @param hasEnded whether these are all bytes of the body; if not, an incomplete character at the end is dropped
   * @returns at most 16 KiB in UTF-8, suitable for a column of type `text`: invalid bytes are replaced
   */
  async text(hasEnded: boolean): Promise<string> {
    const raw = this.bytes.subarray(0, this.size);
    const plain = this.encoding === '' || this.size === 0 ? undefined : await decompress(raw, this.encoding);
    const bytes = plain ?? raw;
    const isCut = !hasEnded || this.isCut || bytes.length > MAX_BODY_BYTES;
    const text = decode(bytes.subarray(0, MAX_BODY_BYTES), this.charset, isCut).replaceAll('\0', '\uFFFD');
    // An invalid byte was replaced by the three bytes of the replacement character.
    return Buffer.byteLength(text) <= MAX_BODY_BYTES
      ? text
      : decode(Buffer.from(text).subarray(0, MAX_BODY_BYTES), '', true);
  }
}

function decode(bytes: Buffer, charset: string, isCut: boolean): string {
  if (!isCut && (charset === '' || /^utf-?8$/i.test(charset))) return bytes.toString('utf8');
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset === '' ? 'utf-8' : charset, { ignoreBOM: true });
  } catch {
    decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  }
  return decoder.decode(bytes, { stream: isCut });
}

/**
 * @returns slightly more than is kept, if there is that much; what precedes an error, if there is one; undefined if the
 *   encoding is unknown or nothing can be decoded
 */
async function decompress(raw: Buffer, encoding: string): Promise<Buffer | undefined> {
  const decoder = decoderOf(raw, encoding);
  if (!decoder) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  try {
    decoder.end(raw);
    for await (const part of decoder as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > MAX_BODY_BYTES) break;
    }
  } catch {
    // Truncated or invalid: keep what could be read.
  }
  return size > 0 ? Buffer.concat(parts) : undefined;
}

function decoderOf(raw: Buffer, encoding: string) {
  const firstByte = raw[0] ?? 0;
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(zlib);
    case 'deflate':
      // With the header of RFC 1950, as the standard requires, or without it, as some servers send it.
      return (firstByte & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib);
    case 'br':
      return brotliWindowBits(firstByte) > MAX_BROTLI_WINDOW_BITS
        ? undefined
        : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** RFC 7932, section 9.1, as far as it concerns large windows. */
function brotliWindowBits(firstByte: number): number {
  return (firstByte & 1) === 1 && (firstByte & 0b1110) !== 0 ? 17 + ((firstByte & 0b1110) >> 1) : 17;
}
