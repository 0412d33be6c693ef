import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { AnswerBody, MAX_BODY_BYTES } from './answer-body';
import { cases } from '../../../test/support/random-cases';

interface Answer {
  encoding?: string;
  type?: string;
  /** Bytes per chunk; one chunk if absent. */
  chunk?: number;
  hasEnded?: boolean;
}

/** What is kept of the body, and whether it was read to the end. */
async function read(
  bytes: Buffer,
  { encoding = '', type = '', chunk = bytes.length || 1, hasEnded = true }: Answer = {},
) {
  const body = new AnswerBody();
  body.describe(encoding, type);
  let isWhole = true;
  for (let at = 0; isWhole && at < bytes.length; at += chunk) isWhole = body.append(bytes.subarray(at, at + chunk));
  return { text: await body.text(isWhole && hasEnded), isWhole };
}

const textOf = async (bytes: Buffer, answer: Answer = {}) => (await read(bytes, answer)).text;

describe('The stored body of an answer', () => {
  it('is unchanged', async () => {
    expect(await textOf(Buffer.alloc(0))).toBe('');
    for (const chunk of [1, 3, 100]) expect(await textOf(Buffer.from('Größe: 👍\n'), { chunk })).toBe('Größe: 👍\n');
  });

  it('is cut at 16 KiB, without reading the rest', async () => {
    for (const chunk of [1, 1_000, 65_536]) {
      expect(await read(Buffer.alloc(MAX_BODY_BYTES, 'a'), { chunk })).toEqual({
        text: 'a'.repeat(MAX_BODY_BYTES),
        isWhole: true,
      });
      expect(await read(Buffer.alloc(MAX_BODY_BYTES + 1, 'a'), { chunk })).toEqual({
        text: 'a'.repeat(MAX_BODY_BYTES),
        isWhole: false,
      });
    }
  });

  it.each([1, 2, 3])('is not cut within a character: %d bytes over', async (over) => {
    const whole = 'x'.repeat(MAX_BODY_BYTES - 4 + over);
    expect(await textOf(Buffer.from(`${whole}👍${whole}`))).toBe(whole);
    expect(await textOf(Buffer.from(whole + '👍').subarray(0, -1), { hasEnded: false })).toBe(whole);
  });

  it('has a replacement character only if the answer itself ends with half a character', async () => {
    const half = Buffer.from('ä').subarray(0, 1);
    expect(await textOf(half)).toBe('\uFFFD');
    expect(await textOf(half, { hasEnded: false })).toBe('');
  });

  it('is storable text, whatever was sent', async () => {
    expect(await textOf(Buffer.from('a\0b'))).toBe('a\uFFFDb');
    // A surrogate in UTF-8, an overlong slash, and a byte that never occurs in UTF-8.
    expect(await textOf(Buffer.from('eda080c0afff61', 'hex'))).toMatch(/^\uFFFD+a$/);
    expect((await textOf(Buffer.alloc(MAX_BODY_BYTES, 0xff))).length).toBe(Math.floor(MAX_BODY_BYTES / 3));
    const types = fc.constantFrom(
      '',
      'text/plain; charset=utf-16le',
      'text/plain;charset="shift_jis"',
      'a;charset=none',
    );
    const encodings = fc.constantFrom('', 'gzip', 'deflate', 'br', 'zstd');
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3 * MAX_BODY_BYTES, size: 'max' }),
        fc.boolean(),
        types,
        encodings,
        async (bytes, hasEnded, type, encoding) => {
          const text = await textOf(Buffer.from(bytes), { hasEnded, type, encoding });
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toContain('\0');
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BODY_BYTES);
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it('is decoded with its charset, or as UTF-8 if that is unknown', async () => {
    const latin = Buffer.from('Größe', 'latin1');
    expect(await textOf(latin, { type: 'text/plain; charset=ISO-8859-1' })).toBe('Größe');
    expect(await textOf(latin, { type: 'text/plain; charset=klingon' })).toBe('Gr\uFFFD\uFFFDe');
    expect(await textOf(Buffer.from('Größe'), { type: 'text/plain; charset="UTF-8"' })).toBe('Größe');
    expect(await textOf(Buffer.from('Größe', 'utf16le'), { type: 'text/plain; charset=utf-16le' })).toBe('Größe');
  });

  const COMPRESSIONS: [string, (bytes: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ];

  it.each(COMPRESSIONS)('is decompressed: %s', async (encoding, compress) => {
    expect(await textOf(compress(Buffer.from('Größe')), { encoding, chunk: 2 })).toBe('Größe');
    expect(await textOf(compress(Buffer.alloc(0)), { encoding })).toMatch(/^.{0,30}$/su);
    expect(await textOf(Buffer.alloc(0), { encoding })).toBe('');
    // Cut after decompression …
    expect(await textOf(compress(Buffer.alloc(1_000_000, 'a')), { encoding })).toBe('a'.repeat(MAX_BODY_BYTES));
    // … even if compression does not make it shorter …
    const random = Buffer.from(
      fc.sample(fc.uint8Array({ minLength: 60_000, maxLength: 60_000, size: 'max' }), 1)[0] ?? [],
    );
    const hex = Buffer.from(random.toString('base64'));
    expect(await textOf(compress(hex), { encoding })).toBe(hex.toString().slice(0, MAX_BODY_BYTES));
    // … and a body that breaks off is kept up to there.
    const half = compress(hex).subarray(0, 5_000);
    const text = await textOf(half, { encoding, hasEnded: false });
    expect(text.length).toBeGreaterThan(1_000);
    expect(hex.toString().startsWith(text)).toBe(true);
  });

  it('is kept as received if the encoding is unknown or wrong', async () => {
    for (const encoding of ['zstd', 'identity', 'gzip, br', 'gzip', 'br', 'deflate']) {
      expect([encoding, await textOf(Buffer.from('Hello.'), { encoding })]).toEqual([encoding, 'Hello.']);
    }
  });

  it('is not decompressed further than it is kept', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(32 * 1_024 * 1_024, 'a'));
    const concat = jest.spyOn(Buffer, 'concat');
    expect(await textOf(bomb, { encoding: 'br' })).toBe('a'.repeat(MAX_BODY_BYTES));
    const sizes = concat.mock.results.map(({ value }) => (value as Buffer).length);
    concat.mockRestore();
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_BODY_BYTES);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * MAX_BODY_BYTES);
  });

  it('is not decompressed if that needs a window of more than 4 MiB', async () => {
    const bombs = [22, 24].map((bits) =>
      brotliCompressSync(Buffer.alloc(32 * 1_024 * 1_024, 'a'), {
        params: { [constants.BROTLI_PARAM_LGWIN]: bits, [constants.BROTLI_PARAM_QUALITY]: 5 },
      }),
    );
    const [small = '', large = ''] = await Promise.all(bombs.map((bomb) => textOf(bomb, { encoding: 'br' })));
    expect(small).toBe('a'.repeat(MAX_BODY_BYTES));
    expect(large).not.toContain('aaaa');
  });
});
