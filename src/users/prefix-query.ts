/** White space and ASCII punctuation, as `person_words()` in the database splits addresses and names. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~]+/u;
/** The pattern of a text with a word: anything but white space and ASCII punctuation, which separate words. */
export const HAS_WORD = '[^\\s!-\\/:-@\\[-`\\{-~]';
/** More do not narrow a search any further. */
const MAX_WORDS = 10;

/**
 * @param text what a person typed
 * @returns a query for `to_tsquery('simple', …)`: words that begin with each of the words typed
 */
export function prefixQuery(text: string): string {
  return text
    .normalize('NFC')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}
