/** What a person sees of a program that gave itself no name, or one that cannot be seen. */
export const NO_NAME = 'A program without a name';

/** Letters of other scripts, and digits, that look like those of the name of this product. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '|': 'l',
  '!': 'l',
  i: 'l',
  о: 'o', // Cyrillic
  а: 'a',
  у: 'y',
  т: 't',
  ү: 'y',
  ӏ: 'l',
  і: 'l',
  ԁ: 'd',
  г: 'r',
  ο: 'o', // Greek
  α: 'a',
  τ: 't',
  γ: 'y',
  υ: 'y',
  ι: 'l',
  օ: 'o', // Armenian
  ա: 'a',
  ı: 'l', // Latin
  ɑ: 'a',
};

/** More than this many marks on one letter cover what stands above and below it; no language in use needs more. */
const PILE = /(\p{M}{3})\p{M}+/gu;

/**
 * The characters of a name that would show something other than the name: those that are not seen or turn the direction
 * of the text around (Default_Ignorable_Code_Point and Cf include them), blanks that count as letters or symbols, and what
 * is not assigned.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The name that a program gave itself, so that it can be shown: without what is not seen, turns the text around, or piles
 * up over the lines beside it, and with one kind of space.
 *
 * @returns undefined if nothing is left to be seen
 */
export function visibleName(name: string): string | undefined {
  const visible = name
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\t\n\r]+/gu, ' ')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(PILE, '$1')
    .replace(/^[\s\p{M}]+/u, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return visible === '' ? undefined : visible;
}

/**
 * What a person sees of a program that registered itself or has a metadata document, whose name nobody has checked.
 *
 * @param name undefined: it gave none
 */
export function nameToShow(name: string | undefined | null): string {
  const visible = visibleName(name ?? '');
  if (visible === undefined) return NO_NAME;
  return looksLikeOurs(visible) ? `A program that calls itself “${visible}”` : visible;
}

/** Whether a name may be taken for this product's own. */
function looksLikeOurs(name: string): boolean {
  const letters = Array.from(name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, ''));
  const skeleton = letters.map((letter) => LOOKALIKES[letter] ?? letter).filter((letter) => /[a-z]/.test(letter));
  return skeleton.join('').includes('toolyard');
}
