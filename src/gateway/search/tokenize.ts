const MAX_WORD_LENGTH = 64;

/**
 * The words of a text, in lower case and without accents: `getUserById` and `get_user_by_id` have the same. A plural `s` is
 * left out, so that one finds the other.
 */
export function tokenize(text: string): string[] {
  const spaced = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ');
  return (spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => singular(word.slice(0, MAX_WORD_LENGTH)));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
