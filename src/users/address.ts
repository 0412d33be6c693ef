/** Characters that NFC turns into ASCII: the Kelvin sign, the Greek question mark and the Greek varia. */
const BECOMES_ASCII = /([\u212A\u037E\u1FEF])/;

/** RFC 1035, section 2.3.4. What is longer is no domain, and stays as it is. */
const LONGEST_LABEL = 63;
const LONGEST_DOMAIN = 253;

const ASCII = /^[\0-\x7F]*$/;

/**
 * The form in which e-mail addresses are compared (contract, section 12.2): NFC with A–Z folded and nothing else, the
 * domain with its labels in the ASCII form of RFC 5891 (A-labels). A character that is not ASCII never becomes ASCII:
 * `Kim@` with a Kelvin sign, which NFC would turn into a K, is another person than `kim@`, and so is `İ` than `i`.
 *
 * `address_key()` is the same in SQL, and what rows are compared by; `test/database/compared-names.e2e-spec.ts` holds them together.
 *
 * @param address any text; what has no "@" is folded as a whole
 * @returns the same for all spellings of one address; the key of a key is that key
 */
export function addressKey(address: string): string {
  const folded = foldedAddress(address);
  const at = folded.lastIndexOf('@');
  if (at === -1) return folded;
  const domain = folded.slice(at + 1);
  if (domain.length > LONGEST_DOMAIN) return folded;
  return `${folded.slice(0, at)}@${domain.split('.').map(asciiLabel).join('.')}`;
}

/**
 * The same but for the domain, which stays as it is written: for many comparisons in memory, of which each must be
 * cheap.
 */
export function foldedAddress(address: string): string {
  return ASCII.test(address) ? address.toLowerCase() : composed(foldAscii(composed(address)));
}

/** NFC, but for the characters that it turns into ASCII. */
function composed(text: string): string {
  return text
    .split(BECOMES_ASCII)
    .map((part) => (BECOMES_ASCII.test(part) ? part : part.normalize('NFC')))
    .join('');
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function asciiLabel(label: string): string {
  if (ASCII.test(label)) return label;
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const encoded = points.length > LONGEST_LABEL ? undefined : punycode(points);
  return encoded === undefined ? label : `xn--${encoded}`;
}

/**
 * Punycode (RFC 3492, section 6.3), without the mappings of UTS 46: what they take for the same letter is not the same
 * address here. Node's own is deprecated, and `domainToASCII` maps.
 *
 * @returns undefined for what is longer than a label can be, as soon as it is
 */
function punycode(points: readonly number[]): string | undefined {
  const basic = points.filter((point) => point < 0x80);
  let output = basic.map((point) => String.fromCodePoint(point)).join('') + (basic.length > 0 ? '-' : '');
  let [next, delta, bias, handled] = [0x80, 0, 72, basic.length];
  const others = new Set(points.filter((point) => point >= 0x80).sort((one, other) => one - other));
  for (const least of others) {
    delta += (least - next) * (handled + 1);
    next = least;
    for (const point of points) {
      if (point < next) delta++;
      if (point !== next) continue;
      output += variableLength(delta, bias);
      bias = adapted(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    if (output.length > LONGEST_LABEL - 4) return undefined;
    delta++;
    next++;
  }
  return output;
}

function variableLength(delta: number, bias: number): string {
  let text = '';
  for (let [rest, k] = [delta, 36]; ; k += 36) {
    const threshold = Math.min(Math.max(k - bias, 1), 26);
    if (rest < threshold) return text + digit(rest);
    text += digit(threshold + ((rest - threshold) % (36 - threshold)));
    rest = Math.floor((rest - threshold) / (36 - threshold));
  }
}

function adapted(delta: number, handled: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / handled);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}

function digit(value: number): string {
  return 'abcdefghijklmnopqrstuvwxyz0123456789'.charAt(value);
}
