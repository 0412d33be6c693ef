import fc from 'fast-check';
import { MAX_PASSWORD_LENGTH, normalisedPassword, passwordProblem } from './password-rules';

const OWNER = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' };
const problem = (password: string) => passwordProblem(password, OWNER);

describe('A password', () => {
  it.each([
    'correct horse battery staple',
    'Ada likes 7 green apples',
    'zug fenster wolke tisch',
    'パスワードは十五文字より長くする',
    'ne7&kQ!x0Lp@2vRz',
    '  spaces count too  ',
    'toolyard but with more in it',
  ])('can be %s', (password) => {
    expect(problem(password)).toBeUndefined();
  });

  it.each([
    ['short', /at least 15/],
    ['fourteen chars', /at least 15/],
    ['x'.repeat(MAX_PASSWORD_LENGTH + 1), /at most 128/],
    ['1qaz2wsx3edc4rfv', /commonest/],
    ['PasswordPassword', /commonest/],
    ['polniypizdec0211', /commonest/],
    ['aaaaaaaaaaaaaaa', /too easy/],
    ['abcabcabcabcabcabc', /too easy/],
    ['1234567890123456', /too easy/],
    ['qwertyuiopasdfgh', /too easy/],
    ['aaaabbbbccccdddd', /too easy/],
    ['abcdefghijklmnopqrstuvwxyz', /too easy/],
    ['zyxwvutsrqponmlk', /too easy/],
    ['ada.lovelace@example.com', /made of your address/],
    ['ADA.LOVELACE@EXAMPLE.COM', /made of your address/],
    ['ada lovelace ada lovelace', /made of your address/],
    ['toolyardtoolyard', /made of your address/],
    ['Toolyard-Toolyard1', /made of your address/],
    ['password12345678', /made of your address/],
    ['\0'.repeat(20), /not text/],
    ['\ud800 lone surrogate here', /not text/],
  ])('cannot be %s', (password, expected) => {
    expect(problem(password)).toMatch(expected);
  });

  it('is counted after NFC, in characters and not in UTF-16 units', () => {
    // Each is one character: 14 of them are too few, however they are typed.
    const decomposed = Array.from('äöüéèêëñçåøßÿî', (character) => character.normalize('NFD')).join('');
    expect(decomposed.length).toBeGreaterThan(15);
    expect(problem(decomposed)).toMatch(/at least 15/);
    expect(problem('😀🎈🚲🌍🍕🎻🐙🧭🪁🎯🛶🍄🌵🧩🦉')).toBeUndefined();
    expect(normalisedPassword('é')).toBe(normalisedPassword('e\u0301'));
  });

  it('is never rejected for the kinds of its characters, and judged the same in either normalisation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 15, maxLength: 60 }), (password) => {
        expect(problem(password.normalize('NFD'))).toBe(problem(password.normalize('NFC')));
      }),
    );
    const letters = fc.uniqueArray(fc.constantFrom(...'acegikmoqsuwybdfhj'), { minLength: 15, maxLength: 18 });
    fc.assert(
      fc.property(letters, (characters) => {
        const password = characters.join('');
        fc.pre(!['abc', 'admin'].some((word) => password.includes(word)));
        expect(problem(password) ?? 'too easy to guess').toMatch(/too easy to guess/);
      }),
    );
  });

  it('that repeats a few characters is rejected, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
        fc.integer({ min: 15, max: 40 }),
        (unit, times) => {
          const characters = Array.from(unit.normalize('NFC'));
          fc.pre(characters.length <= 5);
          // Not where the end of one repetition and the start of the next become one character.
          const repeated = characters.join('').repeat(times);
          fc.pre(repeated.normalize('NFC') === repeated);
          expect(problem(Array.from(repeated).slice(0, 128).join(''))).toBeDefined();
        },
      ),
    );
  });
});
