import { visibleText } from '../../pages/visible-text';

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
  ø: 'o',
  ł: 'l',
  ᴛ: 't', // small capitals
  ᴏ: 'o',
  ʟ: 'l',
  ʏ: 'y',
  ᴀ: 'a',
  ʀ: 'r',
  ᴅ: 'd',
};

/**
 * What a person sees of a program that registered itself or has a metadata document, whose name nobody has checked.
 *
 * @param name undefined: it gave none
 */
export function nameToShow(name: string | undefined | null): string {
  const visible = visibleText(name ?? '');
  if (visible === undefined) return NO_NAME;
  return looksLikeOurs(visible) ? `A program that calls itself “${visible}”` : visible;
}

/** Whether a name may be taken for this product's own. */
function looksLikeOurs(name: string): boolean {
  const letters = Array.from(name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, ''));
  const skeleton = letters.map((letter) => LOOKALIKES[letter] ?? letter).filter((letter) => /[a-z]/.test(letter));
  return skeleton.join('').includes('toolyard');
}
