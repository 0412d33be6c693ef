import { html, type Html } from './html';

/** More than this many marks on one letter cover what stands above and below it; no language in use needs more. */
const PILE = /(\p{M}{3})\p{M}+/gu;

/**
 * The characters of a text that would show something other than the text: those that are not seen or turn the direction
 * of the text around (Default_Ignorable_Code_Point and Cf include them), blanks that count as letters or symbols, and what
 * is not assigned.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * A text of one line that another person or a program chose, so that it can be shown: without what is not seen, turns the text around, or
 * piles up over the lines beside it, and with one kind of space.
 *
 * @returns undefined if nothing is left to be seen
 */
export function visibleText(text: string): string | undefined {
  const visible = text
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
 * For a page: what another person, a program or a document calls something. Its direction is its own, and changes nothing of the
 * sentence around it.
 *
 * @param otherwise what is shown if nothing of it can be seen
 */
export function foreignText(text: string, otherwise = '(without a name)'): Html {
  return html`<bdi>${visibleText(text) ?? otherwise}</bdi>`;
}
