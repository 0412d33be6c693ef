import fc from 'fast-check';
import { jpegOf, PIXEL, pngOf, webpOf } from '../../../test/support/pictures';
import { imageTypeOf } from './image-kind';

const LOSSY = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/v89WAAAAA==', 'base64');
const LOSSLESS = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

describe('The type of a picture', () => {
  it.each([
    ['a PNG', PIXEL, 'image/png'],
    ['a JPEG', jpegOf(64, 64), 'image/jpeg'],
    ['a JPEG with much before its frame', jpegOf(64, 64, 40_000), 'image/jpeg'],
    ['a lossy WebP', LOSSY, 'image/webp'],
    ['a lossless WebP', Buffer.concat([LOSSLESS, Buffer.alloc(8)]), 'image/webp'],
    ['an extended WebP', webpOf(2_048, 1), 'image/webp'],
    ['a PNG of 2,048 pixels', pngOf(2_048, 2_048), 'image/png'],
    ['a PNG of 2,049 pixels', pngOf(2_049, 1), undefined],
    ['a PNG without a size', pngOf(0, 64), undefined],
    ['a JPEG of 65,535 pixels', jpegOf(65_535, 1), undefined],
    ['a WebP of 2,049 pixels', webpOf(1, 2_049), undefined],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
    ['a page', Buffer.from('<!doctype html><title>PNG</title>'.repeat(4)), undefined],
    ['a GIF', Buffer.from('GIF89a'.padEnd(64, '\0'), 'latin1'), undefined],
    ['nothing', Buffer.alloc(0), undefined],
  ])('is that of its bytes: %s', (_, bytes, expected) => {
    expect(imageTypeOf(bytes)).toBe(expected);
  });

  it('is found without failing, whatever the bytes are', () => {
    const starts = [Buffer.alloc(0), PIXEL.subarray(0, 8), Buffer.from([0xff, 0xd8, 0xff]), LOSSY.subarray(0, 16)];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 80 }), (start, rest) => {
        expect([undefined, 'image/png', 'image/jpeg', 'image/webp']).toContain(
          imageTypeOf(Buffer.concat([start, rest])),
        );
      }),
    );
  });
});
