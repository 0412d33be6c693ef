/** What PostgreSQL or a reader could stumble over: control characters, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * A text of a client's choice as the record has it: one line that PostgreSQL takes, of bounded size. A single row that it
 * refused would lose its whole group.
 *
 * @param text undefined, or no text: null
 * @param most characters that are kept, of up to four bytes each
 */
export function recordedText(text: unknown, most: number): string | null {
  if (typeof text !== 'string') return null;
  // Cut first: what follows would go through all of a megabyte.
  const cut =
    text.length > most
      ? Array.from(text.slice(0, most * 2))
          .slice(0, most)
          .join('')
      : text;
  return cut.replace(UNPRINTABLE, '\ufffd');
}
