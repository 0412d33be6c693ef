import fc from 'fast-check';
import { nestsDeeperThan } from './nesting';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('The depth of JSON', () => {
  it('is that of its value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, isSpaced) => {
        const text = JSON.stringify(value, undefined, isSpaced ? 2 : undefined);
        const depth = depthOf(value);
        expect(nestsDeeperThan(text, depth)).toBe(false);
        if (depth > 0) expect(nestsDeeperThan(text, depth - 1)).toBe(true);
      }),
    );
  });

  it.each([
    ['brackets in strings', String.raw`["[[[[","{\"[[[[","\\","]"]`, false],
    ['a string without an end', '["[[[[', false],
    ['depth without an end', '['.repeat(1_000_000), true],
  ])('is found in whatever text: %s', (_, text, expected) => {
    expect(nestsDeeperThan(text, 2)).toBe(expected);
  });
});
