import { ScimError } from '../scim-error';

/**
 * Which strings are valid as the `userName` of a user: the profile UsernameCaseMapped of RFC 8265, section 3.3, over
 * the IdentifierClass of RFC 8264, section 4.2. The comparison of two names, by width, case and NFC, is
 * `username_key()` in SQL, so that an index can be used.
 */

/** NFC turns these into ASCII: the Kelvin sign, the Greek question mark, the Greek varia. */
const BECOME_ASCII = /[\u212A\u037E\u1FEF]/;

const FULL_OR_HALF_WIDTH = /[\u3000\uFF01-\uFF60\uFFE0-\uFFE6\uFF61-\uFFDC\uFFE8-\uFFEE]/g;

/** RFC 5892, section 2.6, to which RFC 8264, section 9.6 refers. */
const ALLOWED_EXCEPTIONS = new Set('\u00DF\u03C2\u06FD\u06FE\u0F0B\u3007');
const REFUSED_EXCEPTIONS = new Set('\u0640\u07FA\u302E\u302F\u3031\u3032\u3033\u3034\u3035\u303B');
const OLD_HANGUL_JAMO = /[\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7C6\uD7CB-\uD7FB]/u;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
const PRINTABLE_ASCII = /[\x21-\x7E]/u;
const LETTER_OR_DIGIT = /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/u;

/** Bytes of the index key; an entry has at most 2,704 including everything else. */
const MAX_KEY_LENGTH = 2_048;

/**
 * Checks whether a string can be a user name. Spaces are allowed only between its parts (RFC 8265, section 3.1).
 *
 * @param text as the identity provider sent it
 * @returns what is wrong with it, for the provider's administrator; undefined: nothing
 */
export function userNameFault(text: string): string | undefined {
  const forbidden = BECOME_ASCII.exec(text)?.[0];
  if (forbidden !== undefined) return `has ${named(forbidden)}, which looks like another character`;
  const prepared = text.replace(FULL_OR_HALF_WIDTH, (letter) => letter.normalize('NFKC')).normalize('NFC');
  if (prepared.startsWith(' ') || prepared.endsWith(' ')) return 'begins or ends with a space';
  const letters = Array.from(prepared);
  const wrong = letters.findIndex((letter, index) => letter !== ' ' && !isAllowed(letter, letters, index));
  if (wrong !== -1) return `contains ${named(letters[wrong] ?? '')}, which is not allowed in a user name`;
  if (!keepsDirection(letters.map((letter) => letter.toLowerCase()).join('')))
    return 'mixes right-to-left letters with others (RFC 5893, section 2)';
  return Buffer.byteLength(prepared) > MAX_KEY_LENGTH ? 'is too long' : undefined;
}

/**
 * @param before the previous name: one that predates this rule remains valid until it is changed
 * @throws ScimError `invalidValue`
 */
export function requireUserName(userName: string, before?: string): void {
  const fault = userName === before ? undefined : userNameFault(userName);
  if (fault !== undefined) throw new ScimError('invalidValue', `userName ${fault}.`);
}

function named(letter: string): string {
  const point = letter.codePointAt(0) ?? 0;
  return `the character U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** In the order of RFC 8264, section 8. Unassigned code points are in none of the categories. */
function isAllowed(letter: string, letters: readonly string[], index: number): boolean {
  if (ALLOWED_EXCEPTIONS.has(letter)) return true;
  if (REFUSED_EXCEPTIONS.has(letter)) return false;
  if (CONTEXTUAL.has(letter)) return CONTEXTUAL.get(letter)?.(letters, index) ?? false;
  if (PRINTABLE_ASCII.test(letter)) return true;
  if (OLD_HANGUL_JAMO.test(letter) || IGNORABLE.test(letter)) return false;
  return letter.normalize('NFKC') === letter && LETTER_OR_DIGIT.test(letter);
}

type Context = (letters: readonly string[], index: number) => boolean;

/** Signs that suppress a vowel, after which joiners are significant (RFC 5892, appendix A.1 and A.2). */
const VIRAMA =
  /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u0E3A\u0F84\u1039\u103A\u1714\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\u2D7F\uA806\uA8C4\uA953\uA9C0\uAAF6\uABED]/u;

/** Instead of the joining types of appendix A.1, which JavaScript lacks: between two letters of these scripts. */
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;

const isBetween =
  (before: RegExp | undefined, after: RegExp | undefined): Context =>
  (letters, index) =>
    (before === undefined || before.test(letters[index - 1] ?? '')) &&
    (after === undefined || after.test(letters[index + 1] ?? ''));

const isWithout =
  (digits: RegExp): Context =>
  (letters) =>
    !letters.some((letter) => digits.test(letter));

/** Characters that are allowed in some contexts only (RFC 5892, appendix A). */
const CONTEXTUAL = new Map<string, Context>([
  ['\u200C', (...at) => isBetween(VIRAMA, undefined)(...at) || isBetween(JOINING, JOINING)(...at)],
  ['\u200D', isBetween(VIRAMA, undefined)],
  ['\u00B7', isBetween(/l/u, /l/u)],
  ['\u0375', isBetween(undefined, /\p{Script=Greek}/u)],
  ['\u05F3', isBetween(/\p{Script=Hebrew}/u, undefined)],
  ['\u05F4', isBetween(/\p{Script=Hebrew}/u, undefined)],
  [
    '\u30FB',
    (letters) => letters.some((letter) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(letter)),
  ],
  ...digitsFrom(0x660).map((digit): [string, Context] => [digit, isWithout(/[\u06F0-\u06F9]/u)]),
  ...digitsFrom(0x6f0).map((digit): [string, Context] => [digit, isWithout(/[\u0660-\u0669]/u)]),
]);

function digitsFrom(zero: number): string[] {
  return Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit));
}

/** Letters and digits of right-to-left scripts (bidirectional classes R and AL). */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}\p{Script=Yezidi}\p{Script=Cypriot}\p{Script=Phoenician}\p{Script=Lydian}\p{Script=Nabataean}\p{Script=Imperial_Aramaic}]/u;
const ARABIC_NUMBER = /[\u0660-\u0669\u066B\u066C\u{10D30}-\u{10D39}]/u;
const EUROPEAN_NUMBER = /[0-9\u06F0-\u06F9]/u;
const MARK = /[\p{Mn}\p{Me}]/u;
const NEUTRAL = /[\x20-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E\u200C\u200D]/u;

type Direction = 'L' | 'R' | 'AN' | 'EN' | 'NSM' | 'neutral';

function directionOf(letter: string): Direction {
  if (MARK.test(letter)) return 'NSM';
  if (ARABIC_NUMBER.test(letter)) return 'AN';
  if (EUROPEAN_NUMBER.test(letter)) return 'EN';
  if (NEUTRAL.test(letter)) return 'neutral';
  return RIGHT_TO_LEFT.test(letter) ? 'R' : 'L';
}

/** The Bidi Rule (RFC 5893, section 2), for each part of a name that contains a right-to-left character. */
function keepsDirection(name: string): boolean {
  const parts = name.split(' ').map((part) => Array.from(part, directionOf));
  return parts.every((directions) => {
    if (!directions.some((direction) => direction === 'R' || direction === 'AN')) return true;
    const last = directions.filter((direction) => direction !== 'NSM').at(-1) ?? 'neutral';
    if (directions[0] === 'R') {
      const mixesDigits = directions.includes('EN') && directions.includes('AN');
      return !directions.includes('L') && ['R', 'EN', 'AN'].includes(last) && !mixesDigits;
    }
    return (
      directions[0] === 'L' && !directions.includes('R') && !directions.includes('AN') && ['L', 'EN'].includes(last)
    );
  });
}
