import { isDeepStrictEqual } from 'node:util';
import type { EntryConfig } from './entry-list';

/** An entry as one of the two lists that are compared has it. Whoever compares may not know of every listing. */
export interface ComparedEntry {
  readonly id: string;
  readonly listing_id: string | null;
  readonly position: number;
  /** The version of the listing to which it is pinned; null: it follows the newest. */
  readonly version: string | null;
  /** The version that is meant by that; left out where both lists are of one moment. */
  readonly listing_version?: string | null;
  readonly is_enabled: boolean;
  readonly config: EntryConfig;
}

/** An entry that both lists have. */
export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

/** What became of a list; an entry may be in several of the last five. */
export interface EntryChanges<T> {
  added: T[];
  removed: T[];
  moved: Pair<T>[];
  enabled: Pair<T>[];
  disabled: Pair<T>[];
  reconfigured: Pair<T>[];
  /** Those of which another listing or version of it is meant, or that began or ceased to follow the newest. */
  updated: Pair<T>[];
}

/** How many entries each of them has. */
export type ChangeCounts = Record<keyof EntryChanges<never>, number>;

export const NO_CHANGES: ChangeCounts = {
  added: 0,
  removed: 0,
  moved: 0,
  enabled: 0,
  disabled: 0,
  reconfigured: 0,
  updated: 0,
};

/**
 * Compares two lists of a bundle's entries, each in its order. An entry is the same in both if its id is, or its
 * listing: one that was taken out and put in again counts as there all the time. Moved are the fewest entries whose
 * moving explains the new order; one that only made room for another has not moved.
 */
export function compareEntries<T extends ComparedEntry>(before: readonly T[], after: readonly T[]): EntryChanges<T> {
  const pairs = pairUp(before, after);
  const paired = new Set(pairs.flatMap((pair) => [pair.before, pair.after]));
  const stayed = longestRun(pairs);
  return {
    added: after.filter((entry) => !paired.has(entry)),
    removed: before.filter((entry) => !paired.has(entry)),
    moved: pairs.filter((pair) => !stayed.has(pair)),
    enabled: pairs.filter((pair) => !pair.before.is_enabled && pair.after.is_enabled),
    disabled: pairs.filter((pair) => pair.before.is_enabled && !pair.after.is_enabled),
    reconfigured: pairs.filter((pair) => !isDeepStrictEqual(pair.before.config, pair.after.config)),
    updated: pairs.filter(
      ({ before: former, after: latter }) =>
        former.listing_id !== latter.listing_id ||
        former.version !== latter.version ||
        former.listing_version !== latter.listing_version,
    ),
  };
}

export function countChanges(changes: EntryChanges<unknown>): ChangeCounts {
  const { added, removed, moved, enabled, disabled, reconfigured, updated } = changes;
  return {
    added: added.length,
    removed: removed.length,
    moved: moved.length,
    enabled: enabled.length,
    disabled: disabled.length,
    reconfigured: reconfigured.length,
    updated: updated.length,
  };
}

/** Whether the two lists that were compared are the same. */
export function isUnchanged(changes: EntryChanges<unknown>): boolean {
  return Object.values(countChanges(changes)).every((count) => count === 0);
}

/** In the order of the new list. */
function pairUp<T extends ComparedEntry>(before: readonly T[], after: readonly T[]): Pair<T>[] {
  const byId = new Map(before.map((entry) => [entry.id, entry]));
  const left = new Map(after.map((entry): [T, T | undefined] => [entry, byId.get(entry.id)]));
  const taken = new Set([...left.values()].filter((entry) => entry !== undefined));
  const byListing = new Map(
    before.filter((entry) => entry.listing_id !== null && !taken.has(entry)).map((entry) => [entry.listing_id, entry]),
  );
  return after.flatMap((entry) => {
    const former = left.get(entry) ?? (entry.listing_id === null ? undefined : byListing.get(entry.listing_id));
    return former ? [{ before: former, after: entry }] : [];
  });
}

/**
 * The longest run of pairs that stand in the same order in both lists: a longest increasing subsequence of the former
 * positions, by patience sorting.
 */
function longestRun<T extends ComparedEntry>(pairs: readonly Pair<T>[]): Set<Pair<T>> {
  interface Link {
    pair: Pair<T>;
    previous: Link | undefined;
  }
  /** At index n, of the runs of n + 1 pairs the one that ends at the lowest former position. */
  const runs: Link[] = [];
  for (const pair of pairs) {
    const found = runs.findIndex((end) => end.pair.before.position > pair.before.position);
    const index = found === -1 ? runs.length : found;
    runs[index] = { pair, previous: runs[index - 1] };
  }
  const longest = new Set<Pair<T>>();
  for (let link = runs.at(-1); link !== undefined; link = link.previous) longest.add(link.pair);
  return longest;
}
