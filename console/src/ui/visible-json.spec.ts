import fc from 'fast-check';
import { visibleJson } from './visible-json';

describe('JSON for people', () => {
  it('writes out what is not seen', () => {
    expect(visibleJson({ a: 'x\u202ey\u200b z\u00a0😀' })).toBe('{\n  "a": "x\\u202ey\\u200b z\\u00a0😀"\n}');
    expect(visibleJson('\u{e0041}')).toBe('"\\udb40\\udc41"');
    expect(visibleJson(undefined)).toBeUndefined();
  });

  it('means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(JSON.parse(visibleJson(value) ?? ''))).toBe(text);
      }),
    );
  });
});
