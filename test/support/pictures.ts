/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The beginning of a PNG of that size, which says nothing of its pixels. */
export function pngOf(width: number, height: number, bytes = 64): Buffer {
  const png = Buffer.alloc(bytes);
  PIXEL.copy(png, 0, 0, 33);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** A JPEG up to its frame, after a segment of the given size. */
export function jpegOf(width: number, height: number, comment = 16): Buffer {
  const jpeg = Buffer.alloc(4 + 2 + comment + 19);
  jpeg.writeUInt16BE(0xffd8, 0);
  jpeg.writeUInt16BE(0xfffe, 2);
  jpeg.writeUInt16BE(comment, 4);
  const frame = 4 + comment;
  jpeg.writeUInt16BE(0xffc2, frame);
  jpeg.writeUInt16BE(17, frame + 2);
  jpeg.writeUInt8(8, frame + 4);
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

/** The header of an extended WebP. */
export function webpOf(width: number, height: number): Buffer {
  const webp = Buffer.alloc(30);
  webp.write('RIFF', 0, 'latin1');
  webp.write('WEBPVP8X', 8, 'latin1');
  webp.writeUIntLE(width - 1, 24, 3);
  webp.writeUIntLE(height - 1, 27, 3);
  return webp;
}
