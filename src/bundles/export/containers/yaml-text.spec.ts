import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlComment, yamlText } from './yaml-text';

/** Text that YAML reads as something else, or that some readers reject. */
const NASTY = [
  '', ' ', 'on', 'NO', 'y', 'null', '~', '1', '0x1F', '010', '1_000', '12:30:45', '1e3', '.inf', '2026-11-23', '- a', 'a: b', '#',
  '"', "'", '\\', '{', '[', '*a', '&a', '!!js/function x', '%YAML 1.1', '---', '...', '\n---\n', '\r\n', '\t', 'a\n  b: c', '|', '>',
  'first line of a long text\n second line of a long text \n\nlast line of a long text\n', `${'word '.repeat(100)}\n`,
  '\u0085', '\u2028', '\u2029', '\ufeff', '\u007f', '\u009f', '\uffff', '<<', '=', '\u0000', '\u001b', '😀',
]; // prettier-ignore

describe('A value in YAML', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed()),
    fc.constantFrom(...NASTY),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), tie('list'), tie('map')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    map: fc.dictionary(
      fc.oneof(
        fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/),
        fc.constantFrom('on', 'NO', 'y', 'null', 'true', 'a1', '__proto__x'),
      ),
      tie('any'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  })).any;

  it('is the same to readers of YAML 1.2 and of YAML 1.1', () => {
    fc.assert(
      fc.property(value, (each) => {
        const yaml = yamlText(each);
        for (const version of ['1.1', '1.2'] as const) expect(parse(yaml, { version, maxAliasCount: 0 })).toEqual(each);
      }),
      { numRuns: 500 },
    );
  });

  it.each(NASTY)('keeps %j in one line of characters that every reader takes', (each) => {
    const yaml = yamlText({ a: each });
    expect(yaml).toMatch(/^a: ".*"\n$/);
    expect(yaml).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\uffff]/); // eslint-disable-line no-control-regex -- these must not be in it
    expect(parse(yaml)).toEqual({ a: each });
  });
});

describe('A comment in YAML', () => {
  it('stays one, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
        const comment = yamlComment(lines);
        expect(parse(`${comment}a: 1\n`)).toEqual({ a: 1 });
        expect(
          comment
            .split('\n')
            .slice(0, -1)
            .every((line) => line.startsWith('#')),
        ).toBe(true);
      }),
    );
  });
});
