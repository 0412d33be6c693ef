import common from './common-passwords.json';

/** Counted in code points, after NFC (NIST SP 800-63B-4, section 3.1.1.2). */
export const MIN_PASSWORD_LENGTH = 15;
export const MAX_PASSWORD_LENGTH = 128;

/** Characters that no one can predict from those before them. Fewer is `aaaaaaaaaaaaaaa` or `123456789qwerty`. */
const MIN_UNPREDICTABLE = 6;

/**
 * The 41 passwords of 15 characters or more among the 49,233 commonest ones of zxcvbn-ts (@zxcvbn-ts/language-common
 * 4.1.3, MIT). Only two are among the first 10,000: almost all common passwords are too short to be accepted anyway.
 */
const COMMON: ReadonlySet<string> = new Set(common);

/** From the ten commonest passwords that are words. */
const COMMON_WORDS = [
  'password',
  'qwerty',
  'iloveyou',
  'dragon',
  'baseball',
  'football',
  'letmein',
  'welcome',
  'admin',
];
const PRODUCT = 'toolyard';

/** Rows of the common keyboard layouts, the alphabet and the digits, each also read backwards. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];
const NEIGHBOURS: ReadonlySet<string> = new Set(
  ROWS.flatMap((row) =>
    Array.from(row).flatMap((character, index) => {
      const next = row[index + 1];
      return next === undefined ? [] : [character + next, next + character];
    }),
  ),
);

/** The password belongs to this person. */
export interface PasswordOwner {
  email: string;
  name?: string;
}

/** @returns the form in which passwords are counted, compared and hashed: any way of typing an accent is the same */
export function normalisedPassword(password: string): string {
  return password.normalize('NFC');
}

/**
 * The only rules for a password; there is none about kinds of characters, and none expires.
 *
 * @returns what is wrong with it, for the person; undefined if it can be used
 */
export function passwordProblem(password: string, { email, name }: PasswordOwner): string | undefined {
  if (!password.isWellFormed() || password.includes('\0')) return 'The password contains characters that are not text.';
  const normalised = normalisedPassword(password);
  const length = Array.from(normalised).length;
  if (length < MIN_PASSWORD_LENGTH)
    return `The password must have at least ${MIN_PASSWORD_LENGTH} characters; four random words are a good one.`;
  if (length > MAX_PASSWORD_LENGTH) return `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`;
  const folded = normalised.toLowerCase();
  if (COMMON.has(folded)) return 'This password is one of the commonest ones. Choose another.';
  const own = [email, email.split('@')[0], email.split('@')[1], name, PRODUCT].flatMap((text) => {
    const word = text?.normalize('NFC').toLowerCase().trim() ?? '';
    return word.length > 2 ? [word] : [];
  });
  const isVaried = unpredictable(folded) >= MIN_UNPREDICTABLE;
  if (unpredictable(without(folded, [...own, ...COMMON_WORDS])) >= MIN_UNPREDICTABLE) return undefined;
  return isVaried
    ? 'The password is made of your address, your name, the name of this product or a common password. Choose another.'
    : 'The password is too easy to guess: it repeats itself or follows the keyboard. Choose another.';
}

/** @param words in any order; the longest are taken out first, so that an address goes as a whole */
function without(text: string, words: readonly string[]): string {
  return words
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.split(word).join('\0'), text)
    .replaceAll('\0', '');
}

/** @returns how many characters do not follow from those before them, in the part that is not a repetition */
function unpredictable(text: string): number {
  const characters = Array.from(text);
  const unit = characters.slice(0, periodOf(characters));
  const surprises = unit.filter((character, index) => {
    const previous = unit[index - 1];
    return previous === undefined || (previous !== character && !NEIGHBOURS.has(previous + character));
  });
  return surprises.length;
}

/** @returns the length of the shortest beginning of which the whole is a repetition, the last one perhaps cut off */
function periodOf(characters: readonly string[]): number {
  // The failure function of Knuth, Morris and Pratt.
  const borders: number[] = [0];
  for (let index = 1, border = 0; index < characters.length; index++) {
    while (border > 0 && characters[index] !== characters[border]) border = borders[border - 1] ?? 0;
    if (characters[index] === characters[border]) border++;
    borders.push(border);
  }
  const period = characters.length - (borders.at(-1) ?? 0);
  return period * 2 <= characters.length ? period : characters.length;
}
