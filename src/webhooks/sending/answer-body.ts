import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** How much of an answer is kept, decompressed. */
export const MOST_BODY_BYTES = 16 * 1_024;
/** What compressed bytes may exceed the plain ones by: the head of gzip, and five bytes for each 64 KiB. */
const MOST_OVERHEAD = 1_024;
/** 4 MiB. A decoder fills a window before it gives the first byte: at 16 MiB that is 50 ms of a processor. */
const MOST_BROTLI_WINDOW_BITS = 22;

const NOTHING = Buffer.alloc(0);

/**
 * The beginning of one answer's body. Bytes are copied together, since a chunk would hold on to the 64 KiB that it was
 * read with; they are decompressed when the last one is there, so that a bomb costs no more than its first 16 KiB.
 */
export class AnswerBody {
  private bytes = NOTHING;
  private size = 0;
  private isCut = false;
  private encoding = '';
  private charset = '';

  /** @param contentEncoding and contentType the headers of the answer; empty when there is none */
  describe(contentEncoding: string, contentType: string): void {
    this.encoding = contentEncoding.trim().toLowerCase();
    this.charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? '';
  }

  /** @returns whether there is room for more; if not, the rest need not be read */
  append(chunk: Buffer): boolean {
    const most = this.encoding === '' ? MOST_BODY_BYTES : MOST_BODY_BYTES + MOST_OVERHEAD;
    const size = Math.min(this.size + chunk.length, most);
    if (size > this.bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * this.bytes.length), most));
      this.bytes.copy(bytes, 0, 0, this.size);
      this.bytes = bytes;
    }
    chunk.copy(this.bytes, this.size, 0, size - this.size);
    this.isCut ||= this.size + chunk.length > most;
    this.size = size;
    return !this.isCut;
  }

  /**
   * @param hasEnded whether these are all bytes of the answer; if not, half a character at the end is left out
   * @returns at most 16 KiB in UTF-8, fit for a column of type `text`: bytes that are no text are replaced
   */
  async text(hasEnded: boolean): Promise<string> {
    const raw = this.bytes.subarray(0, this.size);
    const plain = this.encoding === '' || this.size === 0 ? undefined : await decompress(raw, this.encoding);
    const bytes = plain ?? raw;
    const isCut = !hasEnded || this.isCut || bytes.length > MOST_BODY_BYTES;
    const text = decode(bytes.subarray(0, MOST_BODY_BYTES), this.charset, isCut).replaceAll('\0', '\uFFFD');
    // One byte that is no text has become the three of the replacement character.
    return Buffer.byteLength(text) <= MOST_BODY_BYTES
      ? text
      : decode(Buffer.from(text).subarray(0, MOST_BODY_BYTES), '', true);
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
 * @returns somewhat more than what is kept, if there is so much; what comes before a fault, if there is one; undefined
 *   when the encoding is unknown or nothing can be decoded
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
      if (size > MOST_BODY_BYTES) break;
    }
  } catch {
    // Broken off or forged: what could be read is kept.
  }
  return size > 0 ? Buffer.concat(parts) : undefined;
}

function decoderOf(raw: Buffer, encoding: string) {
  const first = raw[0] ?? 0;
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(zlib);
    case 'deflate':
      // With the head of RFC 1950, as the standard says, or without it, as some servers send it.
      return (first & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib);
    case 'br':
      return brotliWindowBits(first) > MOST_BROTLI_WINDOW_BITS
        ? undefined
        : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** RFC 7932, section 9.1, as far as it concerns large windows. */
function brotliWindowBits(first: number): number {
  return (first & 1) === 1 && (first & 0b1110) !== 0 ? 17 + ((first & 0b1110) >> 1) : 17;
}
