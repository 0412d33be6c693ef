/**
 * What has a meaning of its own on the way to a client, besides everything that is not ASCII: `%`, which VS Code decodes twice
 * in a link; `'` and `!` in a shell; and what Base64 would turn into `+` or `/` (`>`, `~` and `?`, since ASCII text has these
 * digits for nothing else), which some programs read as a space or the end of a path.
 */
const NOT_PORTABLE = /[^ -~]|[%'!?~<>&`]/g;

/** What is not seen, or turns the direction of the text around; but not the spaces and line breaks of the file itself. */
const UNSEEN = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * JSON for a link or a command: whatever the value contains, it is printable ASCII without `%` and `'`, so that it stays the
 * same when it is percent-decoded any number of times, in Base64, and between single quotes in a shell.
 *
 * @param value that JSON can express
 */
export function portableJson(value: unknown): string {
  return JSON.stringify(value).replace(NOT_PORTABLE, escaped);
}

/** JSON for a file that people read before they save it: characters that they would not see are written out. */
export function fileJson(value: object): string {
  return `${JSON.stringify(value, null, 2).replace(UNSEEN, escaped)}\n`;
}

/** The escapes of JSON (RFC 8259, section 7), one for each UTF-16 code unit. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
