import fc from 'fast-check';
import { compareEntries, type ComparedEntry, countChanges, isUnchanged, NO_CHANGES } from './entry-changes';

const entry = (id: string, fields: Partial<ComparedEntry> = {}): ComparedEntry => ({
  id,
  listing_id: `listing of ${id}`,
  position: 0,
  version: null,
  is_enabled: true,
  credential_mode: 'NONE',
  config: {},
  pinning: 'WARN',
  endpoint_url: null,
  ...fields,
});
const list = (...entries: (string | ComparedEntry)[]): ComparedEntry[] =>
  entries.map((one, position) => ({ ...(typeof one === 'string' ? entry(one) : one), position }));
const ids = (entries: readonly ComparedEntry[]) => entries.map(({ id }) => id);
const idsOfPairs = (pairs: readonly { after: ComparedEntry }[]) => pairs.map(({ after }) => after.id);

describe('Comparing two lists of bundle entries', () => {
  it('finds no changes in equal lists', () => {
    const changes = compareEntries(list('a', 'b'), list('a', 'b'));
    expect(countChanges(changes)).toEqual(NO_CHANGES);
    expect(isUnchanged(changes)).toBe(true);
  });

  it('finds added and removed entries, and does not report those they displace as moved', () => {
    const changes = compareEntries(list('a', 'b', 'c'), list('new', 'b', 'newer', 'c'));
    expect(ids(changes.added)).toEqual(['new', 'newer']);
    expect(ids(changes.removed)).toEqual(['a']);
    expect(changes.moved).toEqual([]);
    expect(isUnchanged(changes)).toBe(false);
  });

  it('finds the entry that moved, not all those it passed', () => {
    expect(idsOfPairs(compareEntries(list('a', 'b', 'c', 'd'), list('d', 'a', 'b', 'c')).moved)).toEqual(['d']);
    expect(idsOfPairs(compareEntries(list('a', 'b', 'c', 'd'), list('b', 'c', 'd', 'a')).moved)).toEqual(['a']);
  });

  it('finds a different listing under the same id', () => {
    const [before, after] = ['sample', 'real'].map((listing_id) => list(entry('one', { listing_id })));
    expect(idsOfPairs(compareEntries(before ?? [], after ?? []).updated)).toEqual(['one']);
  });

  it('finds a different version of the listing, and pins set or removed', () => {
    const at = (version: string | null, listing_version: string) => ({ version, listing_version });
    const before = list(
      entry('same', at(null, '1.0.0')),
      entry('newer', at(null, '1.0.0')),
      entry('pinned', at(null, '1.0.0')),
      entry('freed', at('1.0.0', '1.0.0')),
    );
    const after = list(
      entry('same', at(null, '1.0.0')),
      entry('newer', at(null, '1.1.0')),
      entry('pinned', at('1.0.0', '1.0.0')),
      entry('freed', at(null, '1.0.0')),
    );
    const changes = compareEntries(before, after);
    expect(idsOfPairs(changes.updated)).toEqual(['newer', 'pinned', 'freed']);
    expect(countChanges(changes)).toEqual({ ...NO_CHANGES, updated: 3 });
    expect(isUnchanged(changes)).toBe(false);
  });

  it('finds changed settings, whatever the order of their keys', () => {
    const before = list(entry('on'), entry('off', { is_enabled: false }), entry('set', { config: { a: 1, b: [2] } }));
    const same = list(entry('on'), entry('off', { is_enabled: false }), entry('set', { config: { b: [2], a: 1 } }));
    expect(isUnchanged(compareEntries(before, same))).toBe(true);
    const after = list(entry('on', { is_enabled: false }), entry('off'), entry('set', { config: { b: [2, 3], a: 1 } }));
    const changes = compareEntries(before, after);
    expect([changes.disabled, changes.enabled, changes.reconfigured].map(idsOfPairs)).toEqual([
      ['on'],
      ['off'],
      ['set'],
    ]);
    expect(changes.reconfigured[0]?.before.config).toEqual({ a: 1, b: [2] });
  });

  it('finds where a server runs among the changed settings', () => {
    const at = (endpoint_url: string | null) => list(entry('one', { endpoint_url }));
    const changes = compareEntries(at(null), at('https://a.example/mcp'));
    expect(idsOfPairs(changes.reconfigured)).toEqual(['one']);
    expect(isUnchanged(compareEntries(at('https://a.example/mcp'), at('https://a.example/mcp')))).toBe(true);
  });

  it('treats an entry removed and added again as the same, as long as its listing exists', () => {
    const again = entry('a2', { listing_id: 'listing of a' });
    expect(isUnchanged(compareEntries(list('a', 'b'), list(again, 'b')))).toBe(true);
    const gone = entry('a2', { listing_id: null });
    const changes = compareEntries(list(entry('a', { listing_id: null })), list(gone));
    expect([ids(changes.added), ids(changes.removed)]).toEqual([['a2'], ['a']]);
  });

  it('finds exactly the necessary changes, with the fewest moves', () => {
    const lists = fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 8 });
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        const [before, after] = [one, other].map((numbers) => list(...numbers.map(String))) as [
          ComparedEntry[],
          ComparedEntry[],
        ];
        const { added, removed, moved } = compareEntries(before, after);
        expect(ids(added)).toEqual(other.filter((n) => !one.includes(n)).map(String));
        expect(ids(removed)).toEqual(one.filter((n) => !other.includes(n)).map(String));
        // Without the moved entries, both lists are in the same order.
        const stay = (numbers: number[]) =>
          numbers.filter((n) => one.includes(n) && other.includes(n) && !idsOfPairs(moved).includes(String(n)));
        expect(stay(one)).toEqual(stay(other));
        expect(stay(one)).toHaveLength(longestCommonSubsequence(one, other));
      }),
      { numRuns: 500 },
    );
  });
});

/** The textbook algorithm, to compare with. */
function longestCommonSubsequence([first, ...one]: number[], other: number[]): number {
  if (first === undefined) return 0;
  const at = other.indexOf(first);
  const without = longestCommonSubsequence(one, other);
  return at === -1 ? without : Math.max(without, 1 + longestCommonSubsequence(one, other.slice(at + 1)));
}
