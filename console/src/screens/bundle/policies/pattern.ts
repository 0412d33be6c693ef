/** @returns whether a name fits a pattern of the API: `*` stands for any characters, `?` for one; case counts */
export function fits(pattern: string, name: string): boolean {
  const characters = [...name];
  // Where each prefix of the pattern can end in the name; no regular expression, since `*a*a*a*` makes one slow.
  let ends = new Set([0]);
  for (const sign of pattern) {
    const next = new Set<number>();
    const first = Math.min(...ends);
    if (sign === '*') for (let end = first; end <= characters.length; end++) next.add(end);
    else
      for (const end of ends)
        if (end < characters.length && (sign === '?' || characters[end] === sign)) next.add(end + 1);
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(characters.length);
}
