/** @returns whether a name fits */
export type NamePattern = (name: string) => boolean;

/** Characters of a text, one each: of the kind that has two code units, there are few names. */
type Characters = ArrayLike<string>;

const SURROGATES = /[\ud800-\udfff]/;

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
  const inner = parts.filter(({ length }) => length > 0);
  return (name) => {
    const text = charactersOf(name);
    if (last === undefined) return text.length === first.length && isAt(text, 0, first);
    const end = text.length - last.length;
    if (end < first.length || !isAt(text, 0, first) || !isAt(text, end, last)) return false;
    let from = first.length;
    for (const part of inner) {
      const place = placeOf(text, part, from, end);
      if (place === undefined) return false;
      from = place + part.length;
    }
    return true;
  };
}

function placeOf(text: Characters, part: Characters, from: number, end: number): number | undefined {
  for (let place = from; place + part.length <= end; place++) if (isAt(text, place, part)) return place;
  return undefined;
}

function isAt(text: Characters, place: number, part: Characters): boolean {
  for (let index = 0; index < part.length; index++)
    if (part[index] !== '?' && part[index] !== text[place + index]) return false;
  return true;
}

function charactersOf(text: string): Characters {
  return SURROGATES.test(text) ? Array.from(text) : text;
}
