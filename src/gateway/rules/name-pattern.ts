/** @returns whether a name fits */
export type NamePattern = (name: string) => boolean;

/** Characters of a text, one each: of the kind that has two code units, there are few names. */
type Characters = ArrayLike<string>;

const SURROGATES = /[\ud800-\udfff]/;

/** Looks for a part from a place on, so that it ends at another one at the latest. @returns its place; undefined: it is not there */
type Search = (text: Characters, from: number, end: number) => number | undefined;

/** Shorter parts are compared at each place. */
const SHORT = 8;
/** Bits of a number in bitwise operations. */
const WORD = 32;

/**
 * A pattern in which `*` stands for any characters, also none, and `?` for exactly one; everything else for itself, in
 * upper and lower case as it is.
 *
 * The parts between `*` are looked for from left to right, each as early as possible, which finds a fit if there is one. So a
 * name takes time in proportion to its length, for a pattern of bounded length, and none that a regular expression would
 * take with `*a*a*a*`.
 */
export function namePattern(pattern: string): NamePattern {
  if (/^\*+$/.test(pattern)) return () => true;
  if (!/[*?]/.test(pattern)) return (name) => name === pattern;
  const parts = pattern.split('*').map(charactersOf);
  const first = parts.shift() ?? '';
  const last = parts.pop();
  const inner = parts.filter(({ length }) => length > 0).map((part) => ({ length: part.length, find: searchOf(part) }));
  return (name) => {
    const text = charactersOf(name);
    if (last === undefined) return text.length === first.length && isAt(text, 0, first);
    const end = text.length - last.length;
    if (end < first.length || !isAt(text, 0, first) || !isAt(text, end, last)) return false;
    let from = first.length;
    for (const { length, find } of inner) {
      const place = find(text, from, end);
      if (place === undefined) return false;
      from = place + length;
    }
    return true;
  };
}

function searchOf(part: Characters): Search {
  return part.length <= SHORT ? shortSearch(part) : longSearch(part);
}

function shortSearch(part: Characters): Search {
  return (text, from, end) => {
    for (let place = from; place + part.length <= end; place++) if (isAt(text, place, part)) return place;
    return undefined;
  };
}

/**
 * By shift-and (Baeza-Yates and Gonnet, 1992): a bit for each beginning of the part that ends here, so that no character of the
 * text is looked at twice.
 */
function longSearch(part: Characters): Search {
  const words = Math.ceil(part.length / WORD);
  const masks = masksOf(part, words);
  const others = masks.get('?') ?? new Uint32Array(words);
  const [lastWord, lastBit] = [words - 1, 1 << ((part.length - 1) % WORD)];
  return (text, from, end) => {
    const state = new Uint32Array(words);
    for (let place = from; place < end; place++) {
      const mask = masks.get(text[place] ?? '') ?? others;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const before = state[word] ?? 0;
        state[word] = ((before << 1) | carry) & (mask[word] ?? 0);
        carry = before >>> (WORD - 1);
      }
      if (((state[lastWord] ?? 0) & lastBit) !== 0) return place - part.length + 1;
    }
    return undefined;
  };
}

/** For each character the places of the part that it fits; below `?` those that anything fits. */
function masksOf(part: Characters, words: number): Map<string, Uint32Array> {
  const any = new Uint32Array(words);
  const setAt = (mask: Uint32Array, place: number): void => {
    const word = Math.floor(place / WORD);
    mask[word] = (mask[word] ?? 0) | (1 << (place % WORD));
  };
  for (let place = 0; place < part.length; place++) if (part[place] === '?') setAt(any, place);
  const masks = new Map([['?', any]]);
  for (let place = 0; place < part.length; place++) {
    const character = part[place] ?? '';
    if (character === '?') continue;
    const mask = masks.get(character) ?? Uint32Array.from(any);
    setAt(mask, place);
    masks.set(character, mask);
  }
  return masks;
}

function isAt(text: Characters, place: number, part: Characters): boolean {
  for (let index = 0; index < part.length; index++)
    if (part[index] !== '?' && part[index] !== text[place + index]) return false;
  return true;
}

function charactersOf(text: string): Characters {
  return SURROGATES.test(text) ? Array.from(text) : text;
}
