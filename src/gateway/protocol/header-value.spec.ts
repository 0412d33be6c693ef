import fc from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue } from './header-value';

describe('The value of a mirrored header', () => {
  // The examples of the specification.
  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['', '=?base64??='],
  ])('of %j is %s', (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  it('means what was written, and is always a valid field value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), (text) => {
        // JSON can contain halves of characters, which UTF-8 cannot.
        fc.pre(text.isWellFormed());
        const value = encodeHeaderValue(text);
        expect(value).toMatch(/^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/);
        expect(decodeHeaderValue(value)).toBe(text);
      }),
    );
  });

  it.each([
    '=?base64?SGVsbG8?=',
    '=?base64?%%%%?=',
    '=?base64?/w==?=',
    '=?base64?SGVs bG8=?=',
    'gr\u00fcn',
    ' x',
    'x\u0000',
  ])('is not valid as %j', (value) => expect(decodeHeaderValue(value)).toBeUndefined());

  it('may have no characters at all, as the SDK for Python writes an empty text', () => {
    expect(decodeHeaderValue('')).toBe('');
  });

  it('is plain where the markers are written otherwise', () => {
    for (const value of ['=?BASE64?SGVsbG8=?=', '=?base64?SGVsbG8=', 'base64?SGVsbG8=?='])
      expect(decodeHeaderValue(value)).toBe(value);
  });
});
