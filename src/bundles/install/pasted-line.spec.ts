import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { cases } from '../../../test/support/random-cases';
import { pastedLine } from './pasted-line';

/** What a program gets as its arguments when a shell runs the line. */
function argumentsBy(line: string): string[] {
  const printing = `exec /usr/bin/printf '%s\\0' first ${line}`;
  return execFileSync('/bin/sh', ['-c', printing], { encoding: 'utf8' }).split('\0').slice(1, -1);
}

describe('A command as a line', () => {
  it('is readable where nothing has to be quoted', () => {
    expect(pastedLine(['npx', '-y', '@acme/weather@1.0.0', '--place=a b', '', '=x', "it's"])).toBe(
      `npx -y @acme/weather@1.0.0 '--place=a b' '' '=x' 'it'\\''s'`,
    );
  });

  it('shows what a person would not see, and nothing that a terminal obeys', () => {
    const line = pastedLine(['npx', 'safe\u202egnp.exe', '\u001b[201~\r', 'a\u200b', 'Zürich']);
    expect(line).toBe(
      String.raw`npx 'safe'"$(printf '\342\200\256')"'gnp.exe' "$(printf '\033')"'[201~'"$(printf '\015')" 'a'"$(printf '\342\200\213')" 'Zürich'`,
    );
  });

  it('starts the command with exactly the words, whatever they contain', () => {
    const text = fc.string({ unit: 'binary' }).map((word) => word.replaceAll('\0', ''));
    const nasty = fc.constantFrom(
      ...'\' " $HOME $(id) `id` \\ \n ; & | * ~ ! # <(x) {a,b} -- - = %s %% \u202e \u2066 \u200b \r \t \u001b[201~ \u0003 \u0085 \ufeff'.split(
        ' ',
      ),
    );
    const word = fc.array(fc.oneof(text, nasty), { maxLength: 5 }).map((parts) => parts.join('').toWellFormed());
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const line = pastedLine(words);
        expect(argumentsBy(line)).toEqual(words);
        expect(line.replaceAll('\n', '')).toMatch(/^(?:(?! )[^\p{C}\p{Z}]| )*$/u);
      }),
      { numRuns: cases(250) },
    );
  });
});
