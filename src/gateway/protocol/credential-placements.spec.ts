import fc from 'fast-check';
import { withCredentials, type CredentialTemplate, withPlaceholders } from './credential-placements';

const part = fc.oneof(fc.string(), fc.record({ secret: fc.constantFrom('a', 'b', 'c') }));

describe('A text with places for values', () => {
  it('has each value where it belongs, and no value is looked at for further places', () => {
    const values = new Map([
      ['a', '{b}'],
      ['b', '1'],
    ]);
    expect(withCredentials(['Bearer ', { secret: 'a' }, '/', { secret: 'b' }], values)).toBe('Bearer {b}/1');
  });

  it('is nothing as long as one of its values is missing', () => {
    fc.assert(
      fc.property(fc.array(part), fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string()), (text, given) => {
        const values = new Map(Object.entries(given));
        const isComplete = text.every((each) => typeof each === 'string' || values.has(each.secret));
        expect(withCredentials(text, values) !== undefined).toBe(isComplete);
      }),
    );
  });

  it('keeps to its path in an address, whatever a value is', () => {
    const text: CredentialTemplate = ['https://mcp.example.com/a/', { secret: 'a' }, '/mcp'];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        const address = withCredentials(text, new Map([['a', value]]), encodeURIComponent) ?? '';
        const { origin, search, hash } = new URL(address);
        expect([origin, search, hash]).toEqual(['https://mcp.example.com', '', '']);
      }),
    );
  });

  it('is shown without values', () => {
    expect(withPlaceholders(['a', { secret: 'key' }, 'b'])).toBe('a{key}b');
  });
});
