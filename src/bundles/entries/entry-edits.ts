import { newId } from '../../database/id';
import { ConflictError, type Fault, ValidationError, requireFound } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { secretFaults } from '../launch/secrets';
import type {
  BundleEntriesChange,
  BundleEntriesReplace,
  BundleEntryAdd,
  BundleEntryChange,
  BundleEntryPlace,
} from './bundle-entry.dto';
import { requireEndpointUrl } from './entry-endpoint';
import { entryKey } from './entry-key';
import {
  type EntryListing,
  type EntryListings,
  listingKey,
  requireListing,
  requirePin,
  type WantedListing,
} from './entry-listings';
import {
  type EntryConfig,
  type EntryList,
  type EntrySettings,
  insertEntry,
  type ListEntry,
  MAX_ENTRIES,
  moveEntry,
  removeEntries,
  setEntry,
  withSettings,
} from './entry-list';

/**
 * What requests do to the entries of a bundle, as functions from a list to a list (docs/adr/0010). None of them changes
 * its arguments. `loc` is the place of the entry in the request, for faults.
 */

/** The parts of a request that add or change entries. */
type EntryRequests = Partial<Pick<BundleEntriesChange, 'add' | 'update'> & Pick<BundleEntriesReplace, 'entries'>>;

/**
 * @returns the listings that the functions below need: those to add, and those of new versions, configurations or
 *   `endpoint_url`s
 */
export function listingsToRead(
  current: EntryList,
  { add = [], update = [], entries: places = [] }: EntryRequests,
): WantedListing[] {
  const pins = new Map(current.map(({ id, version }) => [id, version]));
  const wanted = add.map(({ listing_id, version }) => ({
    listingId: listing_id.toLowerCase(),
    version: version ?? null,
  }));
  for (const { config, version, endpoint_url, ...request } of [...update, ...places]) {
    const target = targetOf(request);
    const entry = target && findEntry(current, target);
    if (entry) {
      // An update may follow another one of the same entry.
      const pin = version === undefined ? (pins.get(entry.id) ?? null) : version;
      pins.set(entry.id, pin);
      if (entry.listing_id !== null && (config || version !== undefined || endpoint_url != null)) {
        wanted.push({ listingId: entry.listing_id, version: pin });
      }
    } else if (target && 'listingId' in target) {
      wanted.push({ listingId: target.listingId, version: version ?? null });
    }
  }
  return wanted;
}

/**
 * Adds an entry at a position, or at the end.
 *
 * @param former the entries before the request: an entry that it removes and adds again keeps its id, key and pinning
 * @throws NotFoundError for a listing that the caller may not see, or a version that it does not have; ConflictError if
 *   the bundle contains the listing, has no room, or the listing takes no `endpoint_url`; ValidationError for a position
 *   past the end, or a secret
 */
export function addOne(
  list: EntryList,
  former: EntryList,
  listings: EntryListings,
  { listing_id, position, ...settings }: BundleEntryAdd,
  loc: string[],
): { list: EntryList; entry: ListEntry } {
  const listing = requireListing(listings, listing_id, settings.version);
  if (list.some((entry) => entry.listing_id === listing.id)) {
    throw new ConflictError(ErrorCode.BundleEntryConflict, 'The bundle already contains this listing.');
  }
  if (list.length >= MAX_ENTRIES) {
    throw new ConflictError(ErrorCode.BundleEntryConflict, `A bundle can have at most ${MAX_ENTRIES} entries.`);
  }
  requirePosition(position, list.length, loc);
  requireNoFaults(configSecrets(settings.config, listing, loc));
  requireEndpointUrl(undefined, settings, listing);
  const entry = createEntry(listing, former, keysOf([...former, ...list]), settings);
  return { list: insertEntry(list, entry, position ?? undefined), entry };
}

/**
 * @throws NotFoundError for an entry that does not exist, or a version that its listing does not have; ConflictError if the
 *   listing takes no `endpoint_url`; ValidationError for a position past the end, or a secret
 */
export function updateOne(
  list: EntryList,
  listings: EntryListings,
  { id, position, ...settings }: BundleEntryChange,
  loc: string[],
): EntryList {
  const entry = requireEntry(list, id);
  requirePosition(position, list.length - 1, loc);
  requireNewPin(listings, entry, settings);
  const listing = listingOf(listings, entry, settings);
  requireNoFaults(configSecrets(settings.config, listing, loc));
  requireEndpointUrl(entry, settings, listing);
  const updated = setEntry(list, entry.id, settings);
  return position == null ? updated : moveEntry(updated, entry.id, position);
}

/** @throws NotFoundError */
export function removeAll(list: EntryList, ids: readonly string[]): EntryList {
  return removeEntries(
    list,
    ids.map((id) => requireEntry(list, id).id),
  );
}

/**
 * @returns the requested entries in their order, and no others
 * @throws NotFoundError for an entry, listing or version that does not exist; ConflictError if a listing takes no
 *   `endpoint_url`; ValidationError with all entries that are requested twice, without or with two ids, or have a secret
 */
export function replaceAll(
  current: EntryList,
  listings: EntryListings,
  places: readonly BundleEntryPlace[],
): EntryList {
  const faults: Fault[] = [];
  const indexes = new Map<string, number>();
  const takenKeys = keysOf(current);
  const list: ListEntry[] = [];
  for (const [index, { id, listing_id, ...settings }] of places.entries()) {
    const loc = ['body', 'entries', String(index)];
    const target = targetOf({ id, listing_id });
    if (!target) {
      faults.push({ loc, msg: 'Provide either id or listing_id.', type: id ? 'value_error' : 'missing' });
      continue;
    }
    const existing = 'id' in target ? requireEntry(current, target.id) : findEntry(current, target);
    if (existing) requireNewPin(listings, existing, settings);
    const listing = existing
      ? listingOf(listings, existing, settings)
      : requireListing(listings, 'listingId' in target ? target.listingId : '', settings.version);
    const identity = existing?.id ?? listing?.id ?? '';
    const firstIndex = indexes.get(identity);
    if (firstIndex !== undefined) {
      faults.push({ loc, msg: `Is the same entry as the one at ${firstIndex}.`, type: 'value_error' });
      continue;
    }
    indexes.set(identity, index);
    faults.push(...configSecrets(settings.config, listing, loc));
    requireEndpointUrl(existing, settings, listing);
    if (existing) list.push(withSettings(existing, settings));
    else if (listing) list.push(createEntry(listing, current, takenKeys, settings));
  }
  requireNoFaults(faults);
  return list;
}

/** An entry of the bundle by its id, or an existing or new one by its listing; ids in lower case. */
type Target = { id: string } | { listingId: string };

/** @returns undefined if a request names neither, or both */
function targetOf({ id, listing_id }: Pick<BundleEntryPlace, 'id' | 'listing_id'>): Target | undefined {
  if (id && !listing_id) return { id: id.toLowerCase() };
  return listing_id && !id ? { listingId: listing_id.toLowerCase() } : undefined;
}

function findEntry(list: EntryList, target: Target): ListEntry | undefined {
  return list.find((entry) => ('id' in target ? entry.id === target.id : entry.listing_id === target.listingId));
}

function requireEntry(list: EntryList, id: string): ListEntry {
  return requireFound(findEntry(list, { id: id.toLowerCase() }), ErrorCode.BundleEntryNotFound, id);
}

function keysOf(list: EntryList): Set<string> {
  return new Set(list.map(({ key }) => key));
}

/** @param takenKeys the keys of the other entries, to which the key of this one is added */
function createEntry(
  { id: listing_id, name: listing_name }: EntryListing,
  former: EntryList,
  takenKeys: Set<string>,
  settings: EntrySettings,
): ListEntry {
  const formerEntry = former.find((entry) => entry.listing_id === listing_id);
  const { id, key } = formerEntry ?? { id: newId(), key: entryKey(listing_name, takenKeys) };
  takenKeys.add(key);
  return withSettings(
    {
      id,
      listing_id,
      listing_name,
      key,
      version: null,
      is_enabled: true,
      config: {},
      credential_mode: 'NONE',
      name_known_to: 'NOBODY',
      pinning: formerEntry?.pinning ?? null,
      endpoint_url: null,
    },
    settings,
  );
}

/** @returns the listing of an entry in the version to which it will be pinned, or undefined if it was not read */
function listingOf(listings: EntryListings, entry: ListEntry, { version }: EntrySettings): EntryListing | undefined {
  return listings.get(listingKey(entry.listing_id ?? '', version === undefined ? entry.version : version));
}

/** A pin that is sent back unchanged stays, even if its version was deleted meanwhile. */
function requireNewPin(listings: EntryListings, entry: ListEntry, { version }: EntrySettings): void {
  if (version != null && version !== entry.version) requirePin(listings, entry.listing_id, version);
}

function requirePosition(position: number | null | undefined, most: number, loc: string[]): void {
  if (position == null || position <= most) return;
  throw new ValidationError([{ loc: [...loc, 'position'], msg: `Must be at most ${most}.`, type: 'less_than_equal' }]);
}

/** @returns a fault for each value that the `server.json` of the listing marks as a secret */
function configSecrets(
  config: EntryConfig | null | undefined,
  listing: EntryListing | undefined,
  loc: string[],
): Fault[] {
  if (!config || !listing) return [];
  return secretFaults(config, listing.server).map((fault) => ({ ...fault, loc: [...loc, 'config', ...fault.loc] }));
}

function requireNoFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new ValidationError(faults);
}
