import fc from 'fast-check';
import { Secrets } from '../../config/secrets';
import { argumentDigest, argumentKeys, recordedText } from './recording';

const keysOf = (byte: number) => new Secrets(Buffer.alloc(32, byte)).derive('MCP recorded arguments');

describe('What is recorded of arguments', () => {
  it('are the names of the first level, sorted and bounded, and no value', () => {
    expect(argumentKeys({ b: { inner: 1 }, a: 'secret' })).toEqual(['a', 'b']);
    expect(argumentKeys({ ['x'.repeat(1_000)]: 1 })).toEqual(['x'.repeat(64)]);
    const many = argumentKeys(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n])));
    expect([many.length, many.at(-1)]).toEqual([33, '…']);
    expect([undefined, null, [1], 'text'].map(argumentKeys)).toEqual([[], [], [], []]);
  });

  it('is a digest that does not depend on the order of members, and differs by key and by value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const reversed = Object.fromEntries(Object.entries(args).reverse());
        const digest = argumentDigest(keysOf(1), args);
        expect(digest).toHaveLength(32);
        expect(argumentDigest(keysOf(1), reversed)).toEqual(digest);
        expect(argumentDigest(keysOf(2), args)).not.toEqual(digest);
        expect(argumentDigest(keysOf(1), { ...args, one: 'more'.repeat(9) })).not.toEqual(digest);
      }),
    );
  });
});

describe('A text of the record', () => {
  it('is bounded, and has nothing that PostgreSQL refuses or that a line does not show', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (text, most) => {
        const recorded = recordedText(text, most) ?? '';
        expect(Array.from(recorded).length).toBeLessThanOrEqual(Math.max(most, 1));
        expect(recorded).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(recorded.isWellFormed()).toBe(true);
      }),
    );
  });

  it.each([
    ['plain text', 'plain text'],
    ['a\u0000b\nc', 'a\ufffdb\ufffdc'],
    ['\ud800', '\ufffd'],
    ['x'.repeat(11), 'x'.repeat(10)],
    ['😀'.repeat(20), '😀'.repeat(10)],
    [undefined, null],
    [17, null],
  ])('of %j is %j', (text, recorded) => {
    expect(recordedText(text, 10)).toBe(recorded);
  });
});
