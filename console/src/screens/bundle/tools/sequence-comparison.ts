/** A run of parts that both have, or that one of them has alone. */
export interface Run {
  kind: 'same' | 'removed' | 'added';
  parts: string[];
}

/** Products of lengths up to this are compared part by part; longer ones are replaced as a whole. */
const MAX_COMPARED = 1_000_000;

/**
 * Compares two sequences by a longest common subsequence.
 *
 * @returns runs in order, what was removed before what was added in its place; joined, `same` and `added` are the later one
 */
export function compareSequences(before: readonly string[], after: readonly string[]): Run[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const runs: Run[] = [];
  const note = (kind: Run['kind'], part: string) => {
    const last = runs.at(-1);
    if (last?.kind === kind) last.parts.push(part);
    else runs.push({ kind, parts: [part] });
  };
  for (const part of before.slice(0, start)) note('same', part);
  compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end), note);
  for (const part of before.slice(before.length - end)) note('same', part);
  return runs;
}

function compareMiddle(
  before: readonly string[],
  after: readonly string[],
  note: (kind: Run['kind'], part: string) => void,
): void {
  if (before.length * after.length > MAX_COMPARED) {
    for (const part of before) note('removed', part);
    for (const part of after) note('added', part);
    return;
  }
  const width = after.length + 1;
  /** The length of the longest one of what begins at these two parts. */
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (one: number, other: number): number => longest[one * width + other] ?? 0;
  for (let one = before.length - 1; one >= 0; one--)
    for (let other = after.length - 1; other >= 0; other--)
      longest[one * width + other] =
        before[one] === after[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  let [one, other] = [0, 0];
  // What is added waits until what it replaces has been noted.
  let added: string[] = [];
  const flush = () => {
    for (const part of added) note('added', part);
    added = [];
  };
  while (one < before.length || other < after.length) {
    const [former, latter] = [before[one], after[other]];
    if (former !== undefined && former === latter) {
      flush();
      note('same', former);
      one++;
      other++;
    } else if (former !== undefined && (latter === undefined || at(one + 1, other) >= at(one, other + 1))) {
      note('removed', former);
      one++;
    } else if (latter !== undefined) {
      added.push(latter);
      other++;
    }
  }
  flush();
}

/** @returns two texts compared by words; spaces are parts of their own */
export function compareWords(before: string, after: string): { kind: Run['kind']; text: string }[] {
  return compareSequences(wordsOf(before), wordsOf(after)).map(({ kind, parts }) => ({ kind, text: parts.join('') }));
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? [];

/** A line of one document beside its counterpart in the other; undefined where that has none. */
export interface LinePair {
  kind: 'same' | 'changed' | 'removed' | 'added';
  before: string | undefined;
  after: string | undefined;
}

/** @returns two documents beside each other; a line that replaces another stands beside it */
export function pairLines(before: string, after: string): LinePair[] {
  const pairs: LinePair[] = [];
  const runs = compareSequences(linesOf(before), linesOf(after));
  runs.forEach(({ kind, parts }, index) => {
    if (kind === 'same') {
      for (const line of parts) pairs.push({ kind, before: line, after: line });
      return;
    }
    const former = runs[index - 1];
    // It stands beside what it replaces, which has been written with it.
    if (kind === 'added' && former?.kind === 'removed') return;
    const removed = kind === 'removed' ? parts : [];
    const next = runs[index + 1];
    const added = kind === 'added' ? parts : next?.kind === 'added' ? next.parts : [];
    for (let line = 0; line < Math.max(removed.length, added.length); line++) {
      const [old, now] = [removed[line], added[line]];
      const pairKind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
      pairs.push({ kind: pairKind, before: old, after: now });
    }
  });
  return pairs;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));
