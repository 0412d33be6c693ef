import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import type { Question, Template } from '../../launch/template';
import { shellLine } from './shell-line';
import { cases } from '../../../../test/support/random-cases';

const question = (name: string): Question => ({
  name,
  description: undefined,
  isSecret: true,
  isRequired: true,
  choices: [],
});

/** What a program gets as its arguments when a shell runs the line. */
function argumentsBy(line: string, env: Record<string, string> = {}): string[] {
  const printing = `exec /usr/bin/printf '%s\\0' first ${line}`;
  return execFileSync('/bin/sh', ['-c', printing], { env, encoding: 'utf8' }).split('\0').slice(1, -1);
}

describe('A line for a shell', () => {
  it('is readable where nothing has to be quoted', () => {
    const words: Template[] = [['npx'], ['-y'], ['@acme/weather@1.0.0'], ['--place=a b'], ['']];
    expect(shellLine(words, () => 'X')).toBe("npx -y @acme/weather@1.0.0 '--place=a b' ''");
  });

  it('gives a program exactly the words, whatever they contain', () => {
    const text = fc.string({ unit: 'grapheme' }).map((word) => word.replaceAll('\0', ''));
    const nasty = fc.constantFrom(
      "'",
      '"',
      '$HOME',
      '$(id)',
      '`id`',
      '\\',
      '\n',
      ';',
      '&',
      '|',
      '*',
      '~',
      '!',
      '#',
      '<(x)',
      '{a,b}',
    );
    const word = fc.array(fc.oneof(text, nasty), { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        expect(
          argumentsBy(
            shellLine(
              words.map((each): Template => [each]),
              () => 'X',
            ),
          ),
        ).toEqual(words);
      }),
      { numRuns: cases(100) },
    );
  });

  it('takes answers from variables, and reads nothing in them', () => {
    const words: Template[] = [['--key=', question('KEY'), "'s"], [question('KEY')]];
    const line = shellLine(words, ({ name }) => `TOOLYARD_${name}`);
    expect(line).toBe(`--key="$TOOLYARD_KEY"''\\''s' "$TOOLYARD_KEY"`);
    for (const answer of ['plain', `a b'"$(id)\`id\`\\ *`, 'x\ny']) {
      expect(argumentsBy(line, { TOOLYARD_KEY: answer })).toEqual([`--key=${answer}'s`, answer]);
    }
  });
});
