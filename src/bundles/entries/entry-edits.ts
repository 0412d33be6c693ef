import { newId } from '../../database/id';
import { ConflictError, type Fault, NotFoundError, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import type { BundleEntryAdd, BundleEntryChange, BundleEntryPlace, BundleEntryUpdate } from './bundle-entry.dto';
import { entryKey } from './entry-key';
import { type EntryListing, type EntryListings, requireListing, requirePin } from './entry-listings';
import {
  type EntryList,
  type EntrySettings,
  insertEntry,
  type ListEntry,
  MOST_ENTRIES,
  moveEntry,
  removeEntries,
  setEntry,
  type SnapshotEntry,
  withSettings,
} from './entry-list';

/** What requests make of the entries of a bundle. None of these functions changes what it is given. */

/**
 * @param former the entries at the beginning of the change: one that was taken out in it and comes back stays itself
 * @param loc where the request has the entry
 * @throws NotFoundError for a listing that the caller may not see, or a version that it does not have; ConflictError when
 *   it is there already or there is no room; ValidationError for a position past the end
 */
export function addOne(
  list: EntryList,
  former: EntryList,
  listings: EntryListings,
  { listing_id, position, ...settings }: BundleEntryAdd,
  loc: string[],
): EntryList {
  const listing = requireListing(listings, listing_id, settings.version);
  if (list.some((entry) => entry.listing_id === listing.id)) {
    throw new ConflictError(ErrorCode.BundleEntryConflict, 'The bundle already contains this listing.');
  }
  if (list.length >= MOST_ENTRIES) {
    throw new ConflictError(ErrorCode.BundleEntryConflict, `A bundle can have at most ${MOST_ENTRIES} entries.`);
  }
  requirePosition(position, list.length, loc);
  return insertEntry(list, makeEntry(listing, former, keysOf([...former, ...list]), settings), position ?? undefined);
}

/** @throws NotFoundError, also for a version that the listing does not have; ValidationError for a position past the end */
export function updateOne(
  list: EntryList,
  listings: EntryListings,
  { id, position, ...settings }: BundleEntryChange | (BundleEntryUpdate & { id: string }),
  loc: string[],
): EntryList {
  const entry = requireEntry(list, id);
  requirePosition(position, list.length - 1, loc);
  requireNewPin(listings, entry, settings);
  const set = setEntry(list, entry.id, settings);
  return position == null ? set : moveEntry(set, entry.id, position);
}

/** @throws NotFoundError */
export function removeAll(list: EntryList, ids: readonly string[]): EntryList {
  return removeEntries(
    list,
    ids.map((id) => requireEntry(list, id).id),
  );
}

/**
 * @returns the entries in the order in which they are given, and no others
 * @throws NotFoundError for an entry, listing or version that does not exist; ValidationError for one that is given twice, or not
 *   at all
 */
export function replaceAll(former: EntryList, listings: EntryListings, places: readonly BundleEntryPlace[]): EntryList {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  const list: ListEntry[] = [];
  const taken = keysOf(former);
  for (const [index, { id, listing_id, ...settings }] of places.entries()) {
    const loc = ['body', 'entries', String(index)];
    if (Boolean(id) === Boolean(listing_id)) {
      faults.push({ loc, msg: 'Provide either id or listing_id.', type: id ? 'value_error' : 'missing' });
      continue;
    }
    const known = id
      ? requireEntry(former, id)
      : former.find((entry) => entry.listing_id === listing_id?.toLowerCase());
    if (known) requireNewPin(listings, known, settings);
    const listing = known ? undefined : requireListing(listings, listing_id as string, settings.version);
    const which = listing?.id ?? known?.listing_id ?? known?.id ?? '';
    const same = seen.get(which);
    if (same !== undefined) {
      faults.push({ loc, msg: `Is the same entry as the one at ${same}.`, type: 'value_error' });
      continue;
    }
    seen.set(which, index);
    if (listing) list.push(makeEntry(listing, former, taken, settings));
    else if (known) list.push(withSettings(known, settings));
  }
  if (faults.length > 0) throw new ValidationError(faults);
  return list;
}

/**
 * The entries of a version in the place of those that the bundle has. An entry whose listing has one now stays that one; one
 * whose listing was deleted comes back without it.
 *
 * @param living the listings of the version that still exist
 * @param isPinned whether each entry is pinned to the version of its listing that the snapshot recorded; else it follows
 *   the newest if it did so then
 */
export function restoreAll(
  former: EntryList,
  snapshot: readonly SnapshotEntry[],
  living: ReadonlySet<string>,
  isPinned = false,
): EntryList {
  const byId = new Map(former.map((entry) => [entry.id, entry]));
  const byListing = new Map(former.map((entry) => [entry.listing_id, entry]));
  const kept = new Map(
    snapshot.flatMap(({ id, listing_id }) => {
      const known = byId.get(id) ?? (listing_id === null ? undefined : byListing.get(listing_id));
      return known ? [[id, known] as const] : [];
    }),
  );
  const taken = new Set([...kept.values()].map(({ key }) => key));
  return snapshot.map((entry) => {
    const { id, listing_id, listing_name, is_enabled, config } = entry;
    // A snapshot that a process of the release before made has neither.
    const version = (isPinned ? entry.listing_version : entry.version) ?? null;
    const known = kept.get(id);
    if (known) return { ...known, version, is_enabled, config };
    const key = taken.has(entry.key) ? entryKey(listing_name, taken) : entry.key;
    taken.add(key);
    const isAlive = listing_id !== null && living.has(listing_id);
    return { id, listing_id: isAlive ? listing_id : null, listing_name, key, version, is_enabled, config };
  });
}

/** @throws NotFoundError */
export function requireEntry(list: EntryList, id: string): ListEntry {
  const entry = list.find((candidate) => candidate.id === id.toLowerCase());
  if (!entry) throw new NotFoundError(ErrorCode.BundleEntryNotFound, id);
  return entry;
}

function keysOf(list: EntryList): Set<string> {
  return new Set(list.map(({ key }) => key));
}

/** @param taken the keys of the other entries, to which that of this one is added */
function makeEntry(
  { id: listing_id, name: listing_name }: EntryListing,
  former: EntryList,
  taken: Set<string>,
  settings: EntrySettings,
): ListEntry {
  const known = former.find((entry) => entry.listing_id === listing_id);
  const { id, key } = known ?? { id: newId(), key: entryKey(listing_name, taken) };
  taken.add(key);
  return withSettings({ id, listing_id, listing_name, key, version: null, is_enabled: true, config: {} }, settings);
}

/** A pin that is sent back as it is stays, even if its version was deleted meanwhile. */
function requireNewPin(listings: EntryListings, entry: ListEntry, { version }: EntrySettings): void {
  if (version != null && version !== entry.version) requirePin(listings, entry.listing_id, version);
}

function requirePosition(position: number | null | undefined, most: number, loc: string[]): void {
  if (position == null || position <= most) return;
  throw new ValidationError([{ loc: [...loc, 'position'], msg: `Must be at most ${most}.`, type: 'less_than_equal' }]);
}
