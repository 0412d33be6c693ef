/** What a shell takes as it is. Not a leading `=`, which zsh reads as the path of a program. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * A run of characters that are not seen, that turn the direction of the text around, or that a terminal obeys when they are
 * pasted, such as the end of a bracketed paste. Spaces and line feeds are not among them: quotes hold those.
 */
const UNSEEN = /((?:(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800])+)/u;

/**
 * Writes a command as a line for a POSIX shell that a person reads and pastes: it starts the command with exactly these words,
 * whatever they contain, and nothing else, and shows every character of them.
 *
 * @param words the program and its arguments, without NUL, which no argument can contain
 */
export function pastedLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word === '') return "''";
  if (PLAIN.test(word)) return word;
  return word
    .split(UNSEEN)
    .map((part, index) => (index % 2 === 1 ? printed(part) : part && `'${part.replaceAll("'", String.raw`'\''`)}'`))
    .join('');
}

/** By its bytes, which `printf` of every shell understands. It ends in no line feed, which a substitution would drop. */
function printed(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${bytes.join('')}')"`;
}
