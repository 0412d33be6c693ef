/** What is not seen or turns the direction of the text around, but not the spaces and line feeds of the layout. */
const UNSEEN = /(?![ \t\n])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** @returns a text whose every character can be seen: those that cannot are written as their code points, `⟨U+200B⟩` */
export function revealed(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
