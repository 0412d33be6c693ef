/** Maximum nesting depth of lists and objects in a body. */
export const DEEPEST = 64;
/** Maximum number of values in an ordinary body (contract, section 12.4). */
export const MAX_VALUES = 10_000;
/** Maximum bytes of a field name, as sent. Names are repeated in the `loc` of every error below them. */
const MAX_NAME_LENGTH = 1_024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Scans a JSON text before it is parsed, so that nothing has to be built from a body that is out of bounds. Every JSON
 * value counts: each string, number, `true`, `false`, `null`, list and object, at any depth, including the body itself
 * but not field names. One pass over the bytes: about 2 ms for a MiB.
 *
 * @param bytes UTF-8; invalid JSON is left to the parser to report
 * @returns what is out of bounds, in words for the caller
 */
export function boundsFault(bytes: Uint8Array, mostValues = MAX_VALUES): string | undefined {
  let values = 1;
  let depth = 0;
  // A list or an object was opened, and nothing in it has been seen yet.
  let isOpened = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte <= SPACE) continue;
    const isEnd = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
    if (byte === COMMA || (isOpened && !isEnd)) values++;
    isOpened = byte === OPEN_LIST || byte === OPEN_OBJECT;
    if (isEnd) depth--;
    else if (isOpened && ++depth > DEEPEST) return `Nested more than ${DEEPEST} levels deep.`;
    if (values > mostValues) return `Has more than ${mostValues} values.`;
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (end - at - 1 > MAX_NAME_LENGTH && isName(bytes, end)) {
        return `Has a field whose name is longer than ${MAX_NAME_LENGTH} bytes.`;
      }
      at = end;
    }
  }
  return undefined;
}

/** @returns the position of the closing quote; beyond the last byte if there is none */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether a string that ends there is followed by a colon. */
function isName(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  while (at < bytes.length && (bytes[at] as number) <= SPACE) at++;
  return bytes[at] === COLON;
}
