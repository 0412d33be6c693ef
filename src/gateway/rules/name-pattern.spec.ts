import fc from 'fast-check';
import { namePattern } from './name-pattern';

/** What a pattern means, in the plainest way. */
function fits(pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return name.length === 0;
  if (first === '*') return fits(rest, name) || (name.length > 0 && fits(pattern, name.slice(1)));
  return name.length > 0 && (first === '?' || first === name[0]) && fits(rest, name.slice(1));
}

describe('A pattern of names', () => {
  it.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['get_*', 'get_issue', true],
    ['get_*', 'forget_issue', false],
    ['*_issue', 'get_issue', true],
    ['get_?', 'get_a', true],
    ['get_?', 'get_', false],
    ['get_?', 'get_🙂', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['Get', 'get', false],
    ['a.c', 'abc', false],
    ['[a-z]', 'a', false],
    ['file:///*', 'file:///etc/hosts', true],
  ])('%j fits %j: %j', (pattern, name, expected) => {
    expect(namePattern(pattern)(name)).toBe(expected);
  });

  it('fits what its characters mean, one after the other', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '🙂'), { maxLength: 9 });
    const patterns = fc.array(fc.constantFrom('a', 'b', '🙂', '?', '*'), { maxLength: 7 });
    fc.assert(
      fc.property(patterns, letters, (pattern, name) => {
        expect(namePattern(pattern.join(''))(name.join(''))).toBe(fits(pattern, name));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds long parts like short ones', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '?'), { minLength: 60, maxLength: 90 });
    const parts = fc.tuple(
      letters,
      fc.nat(40),
      fc.array(fc.constantFrom('a', 'b', '?'), { minLength: 9, maxLength: 70 }),
    );
    fc.assert(
      fc.property(parts, fc.boolean(), ([text, from, other], isOfText) => {
        const part = isOfText ? text.slice(from, from + 20 + from) : other;
        const expected = text.some((_, place) =>
          part.every((one, at) => (one === '?' ? place + at < text.length : one === text[place + at])),
        );
        expect(namePattern(`*${part.join('')}*`)(text.join(''))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes time in proportion to a name, whatever the pattern is', () => {
    const pattern = namePattern(`*${'a'.repeat(60)}?${'a'.repeat(60)}b*c`);
    expect(pattern(`${'a'.repeat(8_192)}c`)).toBe(false);
    expect(pattern(`${'a'.repeat(8_192)}bc`)).toBe(true);
    expect(namePattern(`${'*a'.repeat(63)}*b`)('a'.repeat(8_192))).toBe(false);
    expect(namePattern(`${'*a'.repeat(63)}*b`)(`${'a'.repeat(8_192)}b`)).toBe(true);
  });
});
