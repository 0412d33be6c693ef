import fc from 'fast-check';
import { Secrets } from '../../config/secrets';
import { argumentDigest, argumentKeys } from './recorded-arguments';

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
