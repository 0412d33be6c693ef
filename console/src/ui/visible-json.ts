/** What is not seen or turns the direction of the text around, but not the spaces and line feeds of the layout. */
const UNSEEN = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * JSON for people: every character of it can be seen, and nothing in it looks like something else. It means the same,
 * since such characters are only in its texts.
 */
export function visibleJson(value: unknown): string | undefined {
  // Undefined for what JSON cannot express, whatever the type of `stringify` says.
  const json: string | undefined = JSON.stringify(value, null, 2);
  return json?.replace(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
