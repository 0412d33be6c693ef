/** Characters that NFC turns into ASCII: the Kelvin sign, the Greek question mark and the Greek varia. */
const BECOMES_ASCII = /([\u212A\u037E\u1FEF])/;

/** SMTP carries no more (RFC 5321, section 4.5.3.1); nor are there longer labels of domains (RFC 1035, section 2.3.4). */
const LONGEST_LABEL = 63;

/**
 * The form in which e-mail addresses are compared (contract, section 12.2): NFC with A–Z folded and nothing else, the
 * domain with its labels in the ASCII form of RFC 5891 (A-labels). A character that is not ASCII never becomes ASCII:
 * `Kim@` with a Kelvin sign, which NFC would turn into a K, is another person than `kim@`, and so is `İ` than `i`.
 *
 * `address_key()` is the same in SQL, and what rows are compared by; `test/address-key.e2e-spec.ts` holds them together.
 *
 * @param address any text; what has no "@" is folded as a whole
 * @returns the same for all spellings of one address; the key of a key is that key
 */
export function addressKey(address: string): string {
  const folded = composed(foldAscii(composed(address)));
  const at = folded.lastIndexOf('@');
  if (at === -1) return folded;
  const domain = folded.slice(at + 1);
  return `${folded.slice(0, at)}@${domain.split('.').map(asciiLabel).join('.')}`;
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
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const isPlain = points.every((point) => point < 0x80);
  return isPlain || points.length > LONGEST_LABEL ? label : `xn--${punycode(points)}`;
}

/**
 * Punycode (RFC 3492, section 6.3), without the mappings of UTS 46: what they take for the same letter is not the same
 * address here. Node's own is deprecated, and `domainToASCII` maps.
 */
function punycode(points: readonly number[]): string {
  const basic = points.filter((point) => point < 0x80);
  let output = basic.map((point) => String.fromCodePoint(point)).join('') + (basic.length > 0 ? '-' : '');
  let [next, delta, bias, handled] = [0x80, 0, 72, basic.length];
  while (handled < points.length) {
    const least = Math.min(...points.filter((point) => point >= next));
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
