import { changesBetween, type EditedEntry, fieldChanges, isNew, leavesOf, renewed, same, withLeaf } from './entries';

export type Side = 'mine' | 'theirs';

/** What both have changed, so that a person must choose. */
export type Conflict =
  | { id: string; kind: 'field'; entry: EditedEntry; path: string; base: unknown; mine: unknown; theirs: unknown }
  | { id: string; kind: 'removed'; entry: EditedEntry; by: Side }
  | { id: string; kind: 'order' };

export interface Merged {
  entries: EditedEntry[];
  conflicts: Conflict[];
}

/** The choices of a person, by the `id` of the conflict. */
export type Choices = Readonly<Record<string, Side>>;

/**
 * Merges two lists of entries that come from the same one.
 *
 * @param base what both began with
 * @param theirs what is saved by now
 * @param choices what a person chose for conflicts; without a choice it is `mine`, and nothing may be saved
 * @returns entries that can be saved on top of `theirs`, and the conflicts
 */
export function merge(
  base: readonly EditedEntry[],
  mine: readonly EditedEntry[],
  theirs: readonly EditedEntry[],
  choices: Choices = {},
): Merged {
  const own = adopted(mine, theirs);
  const [inBase, inMine, inTheirs] = [byId(base), byId(own), byId(theirs)];
  const conflicts: Conflict[] = [];
  const kept = new Map<string, EditedEntry>();
  const take = (conflict: Conflict): Side => {
    conflicts.push(conflict);
    return choices[conflict.id] ?? 'mine';
  };
  for (const id of new Set([...inTheirs.keys(), ...inMine.keys()])) {
    const [was, my, their] = [inBase.get(id), inMine.get(id), inTheirs.get(id)];
    if (my && their) kept.set(id, mergedEntry(was, my, their, take));
    else if (my) {
      const mustAsk = was !== undefined && fieldChanges(was, my).length > 0 && renewed(my) !== undefined;
      if (!was) kept.set(id, my);
      else if (mustAsk && take({ id: `${id} removed`, kind: 'removed', entry: my, by: 'theirs' }) === 'mine') {
        kept.set(id, renewed(my) ?? my);
      }
    } else if (their) {
      const mustAsk = was !== undefined && fieldChanges(was, their).length > 0;
      const isKept = mustAsk && take({ id: `${id} removed`, kind: 'removed', entry: their, by: 'mine' }) === 'theirs';
      if (!was || isKept) kept.set(id, their);
    }
  }
  const side = orderSide(base, own, theirs, take);
  const [first, second] = side === 'mine' ? [own, theirs] : [theirs, own];
  return { entries: inOrder(first, second, kept), conflicts };
}

/** An entry that both added is one: mine takes the identity of theirs. */
function adopted(mine: readonly EditedEntry[], theirs: readonly EditedEntry[]): EditedEntry[] {
  const byListing = new Map(theirs.flatMap((entry) => (entry.listing_id === null ? [] : [[entry.listing_id, entry]])));
  return mine.map((entry) => {
    const saved = isNew(entry) && entry.listing_id !== null ? byListing.get(entry.listing_id) : undefined;
    // What the API chose for theirs was not chosen by me.
    return saved ? { ...entry, id: saved.id, key: saved.key, pinning: entry.pinning ?? saved.pinning } : entry;
  });
}

function mergedEntry(
  was: EditedEntry | undefined,
  my: EditedEntry,
  their: EditedEntry,
  take: (conflict: Conflict) => Side,
): EditedEntry {
  if (was && fieldChanges(was, my).length === 0) return their;
  const [base, own, other] = [was ? leavesOf(was) : new Map<string, unknown>(), leavesOf(my), leavesOf(their)];
  let entry = their;
  for (const path of new Set([...own.keys(), ...other.keys(), ...base.keys()])) {
    const [before, mine, theirs] = [base.get(path), own.get(path), other.get(path)];
    if (same(mine, theirs) || (was && same(mine, before))) continue;
    const isTouched = !was || !same(theirs, before);
    const id = `${their.id} ${path}`;
    if (!isTouched || take({ id, kind: 'field', entry: my, path, base: before, mine, theirs }) === 'mine') {
      entry = withLeaf(entry, path, mine);
    }
  }
  return entry;
}

/** @returns whose order it is: that of who changed it; both is a conflict, unless they did the same */
function orderSide(
  base: readonly EditedEntry[],
  mine: readonly EditedEntry[],
  theirs: readonly EditedEntry[],
  take: (conflict: Conflict) => Side,
): Side {
  if (changesBetween(base, mine).moved.length === 0) return 'theirs';
  if (changesBetween(base, theirs).moved.length === 0) return 'mine';
  if (changesBetween(mine, theirs).moved.length === 0) return 'theirs';
  return take({ id: 'order', kind: 'order' });
}

/** Those of the second list that the first lacks follow their neighbour. */
function inOrder(
  first: readonly EditedEntry[],
  second: readonly EditedEntry[],
  kept: ReadonlyMap<string, EditedEntry>,
): EditedEntry[] {
  const ids = first.map(({ id }) => id).filter((id) => kept.has(id));
  const placed = new Set(ids);
  let last: string | undefined;
  for (const { id } of second) {
    if (!kept.has(id)) continue;
    if (!placed.has(id)) {
      ids.splice(last === undefined ? 0 : ids.indexOf(last) + 1, 0, id);
      placed.add(id);
    }
    last = id;
  }
  return ids.flatMap((id) => kept.get(id) ?? []);
}

function byId(entries: readonly EditedEntry[]): Map<string, EditedEntry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
