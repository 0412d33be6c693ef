import { newId } from '../../database/id';
import { ConflictError, ErrorCode, type Fault, NotFoundError, ValidationError } from '../../http/errors';
import type { BundleEntryAdd, BundleEntryChange, BundleEntryPlace, BundleEntryUpdate } from './bundle-entry.dto';
import { entryKey } from './entry-key';
import { type EntryListing, requireListing } from './entry-listings';
import {
  type EntryList,
  type EntrySettings,
  insertEntry,
  type ListEntry,
  MOST_ENTRIES,
  moveEntry,
  removeEntries,
  setEntry,
  withSettings,
} from './entry-list';

/** What requests make of the entries of a bundle. None of these functions changes what it is given. */

type Listings = ReadonlyMap<string, EntryListing>;

/**
 * @param former the entries at the beginning of the change: one that was taken out in it and comes back stays itself
 * @param loc where the request has the entry
 * @throws NotFoundError for a listing that the caller may not see; ConflictError when it is there already or there is no
 *   room; ValidationError for a position past the end
 */
export function addOne(
  list: EntryList,
  former: EntryList,
  listings: Listings,
  { listing_id, position, ...settings }: BundleEntryAdd,
  loc: string[],
): EntryList {
  const listing = requireListing(listings, listing_id);
  if (list.some((entry) => entry.listing_id === listing.id)) {
    throw new ConflictError(ErrorCode.BundleEntryConflict, 'The bundle holds this listing already.');
  }
  if (list.length >= MOST_ENTRIES) {
    throw new ConflictError(ErrorCode.BundleEntryConflict, `A bundle holds at most ${MOST_ENTRIES} entries.`);
  }
  requirePosition(position, list.length, loc);
  return insertEntry(list, makeEntry(listing, former, list, settings), position ?? undefined);
}

/** @throws NotFoundError; ValidationError for a position past the end */
export function updateOne(
  list: EntryList,
  { id, position, ...settings }: BundleEntryChange | (BundleEntryUpdate & { id: string }),
  loc: string[],
): EntryList {
  const entry = requireEntry(list, id);
  requirePosition(position, list.length - 1, loc);
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
 * @throws NotFoundError for an entry or listing that is not there; ValidationError for one that is given twice, or not
 *   at all
 */
export function replaceAll(former: EntryList, listings: Listings, places: readonly BundleEntryPlace[]): EntryList {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  const list: ListEntry[] = [];
  for (const [index, { id, listing_id, ...settings }] of places.entries()) {
    const loc = ['body', 'entries', String(index)];
    if (Boolean(id) === Boolean(listing_id)) {
      faults.push({ loc, msg: 'Give either id or listing_id.', type: id ? 'value_error' : 'missing' });
      continue;
    }
    const known = id
      ? requireEntry(former, id)
      : former.find((entry) => entry.listing_id === listing_id?.toLowerCase());
    const entry = known
      ? withSettings(known, settings)
      : makeEntry(requireListing(listings, listing_id as string), former, list, settings);
    const same = seen.get(entry.listing_id ?? entry.id);
    if (same === undefined) seen.set(entry.listing_id ?? entry.id, index);
    else faults.push({ loc, msg: `Is the same entry as the one at ${same}.`, type: 'value_error' });
    list.push(entry);
  }
  if (faults.length > 0) throw new ValidationError(faults);
  return list;
}

/**
 * The entries of a version in the place of those that there are. An entry whose listing has one now stays that one; one
 * whose listing was deleted comes back without it.
 *
 * @param living the listings of the version that still exist
 */
export function restoreAll(former: EntryList, snapshot: EntryList, living: ReadonlySet<string>): EntryList {
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
    const { is_enabled, config } = entry;
    const known = kept.get(entry.id);
    if (known) return { ...known, is_enabled, config };
    const key = taken.has(entry.key) ? entryKey(entry.listing_name, taken) : entry.key;
    taken.add(key);
    const isAlive = entry.listing_id !== null && living.has(entry.listing_id);
    return { ...entry, key, listing_id: isAlive ? entry.listing_id : null };
  });
}

/** @throws NotFoundError */
export function requireEntry(list: EntryList, id: string): ListEntry {
  const entry = list.find((candidate) => candidate.id === id.toLowerCase());
  if (!entry) throw new NotFoundError(ErrorCode.BundleEntryNotFound, id);
  return entry;
}

function makeEntry(
  { id: listing_id, name: listing_name }: EntryListing,
  former: EntryList,
  list: EntryList,
  settings: EntrySettings,
): ListEntry {
  const known = former.find((entry) => entry.listing_id === listing_id);
  const taken = new Set([...former, ...list].map(({ key }) => key));
  const { id, key } = known ?? { id: newId(), key: entryKey(listing_name, taken) };
  return withSettings({ id, listing_id, listing_name, key, is_enabled: true, config: {} }, settings);
}

function requirePosition(position: number | null | undefined, most: number, loc: string[]): void {
  if (position == null || position <= most) return;
  throw new ValidationError([{ loc: [...loc, 'position'], msg: `Must be at most ${most}.`, type: 'less_than_equal' }]);
}
