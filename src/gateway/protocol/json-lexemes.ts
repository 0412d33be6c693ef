const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const U = 0x75;

/** What may be in a string as it is: everything but a quote, a backslash and the control characters (RFC 8259, section 7). */
const PLAIN = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code >= 0x20 && code !== QUOTE && code !== BACKSLASH),
);
/** What may follow a backslash, but for `u`. */
const ESCAPED = markOf('"\\/bfnrt');
const HEX = markOf('0123456789abcdefABCDEF');
const LITERALS: Readonly<Record<number, Buffer>> = {
  0x74: Buffer.from('true'),
  0x66: Buffer.from('false'),
  0x6e: Buffer.from('null'),
};

function markOf(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) marks[byte] = 1;
  return marks;
}

/** Where something is not JSON. */
export const NOWHERE = -1;

/** Longer strings are gone through in pieces. */
const PIECE_BYTES = 65_536;

/**
 * Goes through a string for so many bytes at most.
 *
 * @param at a place in the string, not between a backslash and what it belongs to; or the opening quote plus one
 * @returns the place after the closing quote; the bitwise complement of where to go on, if it is longer; `NOWHERE` if it is no
 *   string of JSON
 */
export function alongString(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  const stop = Math.min(length, at + PIECE_BYTES);
  let place = at;
  while (place < stop) {
    const byte = bytes[place] as number;
    if (PLAIN[byte] === 1) place++;
    else if (byte === QUOTE) return place + 1;
    else if (byte !== BACKSLASH || place + 1 >= length) return NOWHERE;
    else if (ESCAPED[bytes[place + 1] as number] === 1) place += 2;
    else if (bytes[place + 1] === U && place + 5 < length && areHex(bytes, place + 2)) place += 6;
    else return NOWHERE;
  }
  // There is no closing quote any more, and -1 is the complement of 0, where no string goes on.
  return place < length ? ~place : NOWHERE;
}

/**
 * @param at the opening quote
 * @returns the place after the closing one; `NOWHERE` if it is no string of JSON
 */
export function endOfString(bytes: Uint8Array, at: number): number {
  let place = alongString(bytes, at + 1);
  while (place < NOWHERE) place = alongString(bytes, ~place);
  return place;
}

/**
 * @param at the first character of a number, or of `true`, `false` or `null`
 * @returns the place after it; `NOWHERE` if it is none of these
 */
export function endOfScalar(bytes: Uint8Array, at: number): number {
  const literal = LITERALS[bytes[at] as number];
  if (!literal) return endOfNumber(bytes, at);
  for (let place = 0; place < literal.length; place++) if (bytes[at + place] !== literal[place]) return NOWHERE;
  return at + literal.length;
}

/** RFC 8259, section 6. */
function endOfNumber(bytes: Uint8Array, at: number): number {
  let place = bytes[at] === 0x2d ? at + 1 : at;
  const whole = place;
  place = endOfDigits(bytes, place);
  if (place === whole || (bytes[whole] === ZERO && place > whole + 1)) return NOWHERE;
  if (bytes[place] === 0x2e) {
    const fraction = place + 1;
    place = endOfDigits(bytes, fraction);
    if (place === fraction) return NOWHERE;
  }
  const mark = bytes[place];
  if (mark !== 0x65 && mark !== 0x45) return place;
  const sign = bytes[place + 1];
  const exponent = sign === 0x2b || sign === 0x2d ? place + 2 : place + 1;
  place = endOfDigits(bytes, exponent);
  return place === exponent ? NOWHERE : place;
}

function endOfDigits(bytes: Uint8Array, at: number): number {
  let place = at;
  for (; place < bytes.length; place++) {
    const byte = bytes[place] as number;
    if (byte < ZERO || byte > NINE) break;
  }
  return place;
}

function areHex(bytes: Uint8Array, at: number): boolean {
  return (
    HEX[bytes[at] as number] === 1 &&
    HEX[bytes[at + 1] as number] === 1 &&
    HEX[bytes[at + 2] as number] === 1 &&
    HEX[bytes[at + 3] as number] === 1
  );
}
