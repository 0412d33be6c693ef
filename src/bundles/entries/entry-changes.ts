import { isDeepStrictEqual } from 'node:util';
import type { CredentialMode } from './credential-mode';
import type { EntryConfig } from './entry-list';
import type { Pinning } from './pinning';

/** An entry in one of the two lists that are compared. `listing_id` is null if the caller may not see the listing. */
export interface ComparedEntry {
  readonly id: string;
  readonly listing_id: string | null;
  readonly position: number;
  /** The version of the listing to which it is pinned; null: it follows the newest. */
  readonly version: string | null;
  /** The effective version; absent if both lists are of the same moment. */
  readonly listing_version?: string | null;
  readonly is_enabled: boolean;
  readonly config: EntryConfig;
  readonly credential_mode: CredentialMode;
  /** Null: not known yet. */
  readonly pinning: Pinning | null;
  /** Null: none, or the caller may not see it. */
  readonly endpoint_url: string | null;
}

/** An entry that is in both lists. */
export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

/** What changed between two lists; an entry may be in several of the last five. */
export interface EntryChanges<T> {
  added: T[];
  removed: T[];
  moved: Pair<T>[];
  enabled: Pair<T>[];
  disabled: Pair<T>[];
  /** Entries with another configuration, pinning or `endpoint_url`, or that use other credentials. */
  reconfigured: Pair<T>[];
  /** Entries with another listing or listing version, or that started or stopped following the newest. */
  updated: Pair<T>[];
}

/** How many entries changed in each way. */
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
 * Compares two lists of entries of a bundle, each in its order. An entry is the same in both if its id is, or its
 * listing: one that was removed and added again counts as unchanged. Moved entries are the smallest set that explains
 * the new order; an entry that only made room for another has not moved.
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
    reconfigured: pairs.filter(
      ({ before: former, after: latter }) =>
        former.credential_mode !== latter.credential_mode ||
        former.pinning !== latter.pinning ||
        former.endpoint_url !== latter.endpoint_url ||
        !isDeepStrictEqual(former.config, latter.config),
    ),
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

/** Whether the two lists are the same. */
export function isUnchanged(changes: EntryChanges<unknown>): boolean {
  return Object.values(countChanges(changes)).every((count) => count === 0);
}

/** In the order of the new list. */
function pairUp<T extends ComparedEntry>(before: readonly T[], after: readonly T[]): Pair<T>[] {
  const byId = new Map(before.map((entry) => [entry.id, entry]));
  const sameId = new Map(after.map((entry): [T, T | undefined] => [entry, byId.get(entry.id)]));
  const paired = new Set([...sameId.values()].filter((entry) => entry !== undefined));
  const byListing = new Map(
    before.filter((entry) => entry.listing_id !== null && !paired.has(entry)).map((entry) => [entry.listing_id, entry]),
  );
  return after.flatMap((entry) => {
    const former = sameId.get(entry) ?? (entry.listing_id === null ? undefined : byListing.get(entry.listing_id));
    return former ? [{ before: former, after: entry }] : [];
  });
}

/**
 * The longest run of pairs that are in the same order in both lists: a longest increasing subsequence of the former
 * positions, by patience sorting.
 */
function longestRun<T extends ComparedEntry>(pairs: readonly Pair<T>[]): Set<Pair<T>> {
  interface Link {
    pair: Pair<T>;
    previous: Link | undefined;
  }
  /** At index n, the run of n + 1 pairs that ends at the lowest former position. */
  const runs: Link[] = [];
  for (const pair of pairs) {
    const nextHigher = runs.findIndex((end) => end.pair.before.position > pair.before.position);
    const index = nextHigher === -1 ? runs.length : nextHigher;
    runs[index] = { pair, previous: runs[index - 1] };
  }
  const longest = new Set<Pair<T>>();
  for (let link = runs.at(-1); link !== undefined; link = link.previous) longest.add(link.pair);
  return longest;
}
