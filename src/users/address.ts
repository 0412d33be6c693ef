/** Characters that NFC turns into ASCII: the Kelvin sign, the Greek question mark and the Greek varia. */
const BECOMES_ASCII = /([\u212A\u037E\u1FEF])/;

/** RFC 1035, section 2.3.4. Anything longer is not a domain and is left unchanged. */
const MAX_LABEL_LENGTH = 63;
const MAX_DOMAIN_LENGTH = 253;

const ASCII = /^[\0-\x7F]*$/;

/**
 * Normalises an e-mail address for comparison (contract, section 12.2): NFC, only A–Z folded to lower case, the labels
 * of the domain in the ASCII form of RFC 5891 (A-labels). A character that is not ASCII never becomes ASCII: `Kim@`
 * with a Kelvin sign, which NFC would turn into a K, is not the same user as `kim@`, nor is `İ` the same as `i`.
 *
 * `address_key()` does the same in SQL, where rows are compared; `test/database/compared-names.slow-spec.ts` checks both.
 *
 * @param address any text; without an "@" it is folded as a whole
 * @returns the same key for all spellings of an address; idempotent
 */
export function addressKey(address: string): string {
  const folded = foldedAddress(address);
  const at = folded.lastIndexOf('@');
  if (at === -1) return folded;
  const domain = folded.slice(at + 1);
  if (domain.length > MAX_DOMAIN_LENGTH) return folded;
  return `${folded.slice(0, at)}@${domain.split('.').map(asciiLabel).join('.')}`;
}

/**
 * Like `addressKey`, but leaves the domain unchanged. For many comparisons in memory, where each must be cheap.
 */
export function foldedAddress(address: string): string {
  return ASCII.test(address) ? address.toLowerCase() : composed(foldAscii(composed(address)));
}

/** NFC, except for the characters that it would turn into ASCII. */
function composed(text: string): string {
  return text
    .split(BECOMES_ASCII)
    .map((part) => (BECOMES_ASCII.test(part) ? part : part.normalize('NFC')))
    .join('');
}

/** @returns the text with `A` to `Z` in lower case, and all else as it is */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function asciiLabel(label: string): string {
  if (ASCII.test(label)) return label;
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const encoded = points.length > MAX_LABEL_LENGTH ? undefined : punycode(points);
  return encoded === undefined ? label : `xn--${encoded}`;
}

/**
 * Punycode (RFC 3492, section 6.3), without the mappings of UTS 46, which would make different addresses the same.
 * Node's own implementation is deprecated, and `domainToASCII` applies the mappings.
 *
 * @returns undefined as soon as the output exceeds the length of a label
 */
function punycode(points: readonly number[]): string | undefined {
  const basic = points.filter((point) => point < 0x80);
  let output = basic.map((point) => String.fromCodePoint(point)).join('') + (basic.length > 0 ? '-' : '');
  let [next, delta, bias, handled] = [0x80, 0, 72, basic.length];
  const others = new Set(points.filter((point) => point >= 0x80).sort((a, b) => a - b));
  for (const point of others) {
    delta += (point - next) * (handled + 1);
    next = point;
    for (const other of points) {
      if (other < next) delta++;
      if (other !== next) continue;
      output += variableLength(delta, bias);
      bias = adapted(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    if (output.length > MAX_LABEL_LENGTH - 4) return undefined;
    delta++;
    next++;
  }
  return output;
}

function variableLength(delta: number, bias: number): string {
  let text = '';
  for (let [remainder, k] = [delta, 36]; ; k += 36) {
    const threshold = Math.min(Math.max(k - bias, 1), 26);
    if (remainder < threshold) return text + digit(remainder);
    text += digit(threshold + ((remainder - threshold) % (36 - threshold)));
    remainder = Math.floor((remainder - threshold) / (36 - threshold));
  }
}

function adapted(delta: number, handled: number, isFirst: boolean): number {
  let scaled = Math.floor(delta / (isFirst ? 700 : 2));
  scaled += Math.floor(scaled / handled);
  let k = 0;
  for (; scaled > 455; k += 36) scaled = Math.floor(scaled / 35);
  return k + Math.floor((36 * scaled) / (scaled + 38));
}

function digit(value: number): string {
  return 'abcdefghijklmnopqrstuvwxyz0123456789'.charAt(value);
}
