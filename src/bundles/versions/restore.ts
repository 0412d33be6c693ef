import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many, one } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import type { BundleRow } from '../bundle.dto';
import { entryKey } from '../entries/entry-key';
import { listingKey, readListings } from '../entries/entry-listings';
import type { EntryList, ListEntry, SnapshotEntry } from '../entries/entry-list';
import { FORMER_PINNING } from '../entries/pinning';
import { hasOwnRemote } from '../launch/own-remote';
import { requireVersion } from './bundle-version-reader';

/** $1 bundle, $2 version. */
const SNAPSHOT = `SELECT entries FROM bundle_versions WHERE bundle_id = $1 AND number = $2`;

/**
 * @param bundle locked
 * @returns the entries of a version, including those whose listings the caller may not see
 * @throws NotFoundError if the bundle does not have this version
 */
export async function readSnapshot(
  manager: EntityManager,
  bundle: BundleRow,
  number: number,
): Promise<readonly SnapshotEntry[]> {
  requireVersion(bundle, number);
  return (await one<{ entries: SnapshotEntry[] }>(manager, SNAPSHOT, [bundle.id, number])).entries;
}

/**
 * The entries of a version, in place of those that the bundle has. An entry whose listing is in the bundle now stays
 * that entry; one whose listing was deleted comes back without it. Two entries of the version can be one entry now, if
 * the listing of one was replaced by that of the other: it is restored once.
 *
 * @param existingListings the ids of the listings of the version that still exist
 * @param isPinned whether each entry is pinned to the version of its listing that the snapshot recorded; otherwise it
 *   follows the newest if it did so then
 */
export function restoreEntries(
  current: EntryList,
  snapshot: readonly SnapshotEntry[],
  existingListings: ReadonlySet<string>,
  isPinned = false,
): EntryList {
  const currentById = new Map(current.map((entry) => [entry.id, entry]));
  const currentByListing = new Map(current.map((entry) => [entry.listing_id, entry]));
  const snapshotIds = new Set(snapshot.map(({ id }) => id));
  const matches = snapshot.map((entry): { entry: SnapshotEntry; match: ListEntry | undefined } => {
    const sameListing = entry.listing_id === null ? undefined : currentByListing.get(entry.listing_id);
    return { entry, match: currentById.get(entry.id) ?? sameListing };
  });
  const takenKeys = new Set(matches.flatMap(({ match }) => match?.key ?? []));
  return matches
    .filter(({ entry, match }) => !match || match.id === entry.id || !snapshotIds.has(match.id))
    .map(({ entry, match }) => {
      const { id, listing_name, is_enabled, config, credential_mode = 'NONE', name_known_to = 'NOBODY' } = entry;
      const { pinning = FORMER_PINNING, endpoint_url = null } = entry;
      // Snapshots of processes of the release before pinned entries have neither version.
      const version = (isPinned ? entry.listing_version : entry.version) ?? null;
      if (match) {
        // A snapshot of a release that did not know them says nothing of them, and must not open what was closed since.
        const kept = {
          credential_mode: entry.credential_mode ?? match.credential_mode,
          pinning: entry.pinning ?? match.pinning,
          endpoint_url: entry.endpoint_url === undefined ? match.endpoint_url : endpoint_url,
        };
        return { ...match, version, is_enabled, config, ...kept };
      }
      const key = takenKeys.has(entry.key) ? entryKey(listing_name, takenKeys) : entry.key;
      takenKeys.add(key);
      const exists = entry.listing_id !== null && existingListings.has(entry.listing_id);
      const listing_id = exists ? entry.listing_id : null;
      const kept = { id, listing_id, listing_name, key, version, is_enabled, config };
      return { ...kept, credential_mode, name_known_to, pinning, endpoint_url };
    });
}

/** @returns the ids that entries of a version have after `restoreEntries`, where these differ */
export function restoredIds(restored: EntryList, snapshot: readonly SnapshotEntry[]): Map<string, string> {
  const restoredById = new Set(restored.map(({ id }) => id));
  const byListing = new Map(restored.map(({ id, listing_id }) => [listing_id, id]));
  const moved = snapshot.filter(({ id, listing_id }) => listing_id !== null && !restoredById.has(id));
  return new Map(moved.flatMap(({ id, listing_id }) => ofListing(id, byListing.get(listing_id))));
}

function ofListing(id: string, now: string | undefined): [string, string][] {
  return now === undefined ? [] : [[id, now]];
}

/** $1 listings. Locked so that none is deleted before an entry refers to it. */
const EXISTING_LISTINGS = `SELECT id FROM listings WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE`;

/**
 * @param manager of the transaction that writes the restored entries
 * @returns the ids of the listings of a version that still exist
 */
export async function readExistingListings(
  manager: EntityManager,
  snapshot: readonly SnapshotEntry[],
): Promise<ReadonlySet<string>> {
  const ids = snapshot.flatMap(({ listing_id }) => listing_id ?? []);
  const rows = await many<{ id: string }>(manager, EXISTING_LISTINGS, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** $1 entries, $2 their listings, $3 the versions to which they would be pinned. */
const DELETED_PINS = `
  SELECT restored.id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS restored(id, listing_id, version, place)
  WHERE NOT EXISTS (SELECT FROM listing_versions AS pinned
                    WHERE pinned.listing_id = restored.listing_id AND pinned.version = restored.version
                      AND pinned.status <> 'deleted')
  ORDER BY restored.place`;

/** How many entries an error names. */
const MAX_NAMED = 20;

/**
 * Checks that the versions to which restored entries are pinned still exist. An entry without a listing need not have
 * its version, and a pin that the entry has already stays.
 *
 * @throws ConflictError for versions that were deleted; it names the entries and not their listings, which not everyone
 *   who may change the bundle may see
 */
export async function requireRestoredPins(
  manager: EntityManager,
  current: EntryList,
  restored: EntryList,
): Promise<void> {
  const currentPins = new Map(current.map(({ id, version }) => [id, version]));
  const newPins = restored.filter(
    ({ id, listing_id, version }) => listing_id !== null && version !== null && version !== currentPins.get(id),
  );
  if (newPins.length === 0) return;
  const deletedPins = await many<{ id: string }>(manager, DELETED_PINS, [
    newPins.map(({ id }) => id),
    newPins.map(({ listing_id }) => listing_id),
    newPins.map(({ version }) => version),
  ]);
  if (deletedPins.length === 0) return;
  throw new ConflictError(
    ErrorCode.ListingVersionConflict,
    `The listing versions that it recorded were deleted, for the entries ${namesOf(deletedPins)}.`,
  );
}

/**
 * Checks that the restored entries may have their `endpoint_url`, as for any other change (`requireEndpointUrl`): a listing may
 * have got a remote server of its own since. What an entry has already stays, and one without a listing is not called.
 *
 * @throws ConflictError if a listing has one now; it names the entries, as above
 */
export async function requireRestoredEndpoints(
  manager: EntityManager,
  caller: Caller,
  current: EntryList,
  restored: EntryList,
): Promise<void> {
  const currentById = new Map(current.map((entry) => [entry.id, entry]));
  const wanted = restored.flatMap(({ id, listing_id: listingId, version, endpoint_url }) => {
    const present = currentById.get(id);
    const isNew = endpoint_url !== present?.endpoint_url || version !== present.version;
    return listingId !== null && endpoint_url !== null && isNew ? [{ id, listingId, version }] : [];
  });
  const listings = await readListings(manager, caller, wanted);
  const refused = wanted.filter(({ listingId, version }) =>
    hasOwnRemote(listings.get(listingKey(listingId, version))?.server),
  );
  if (refused.length === 0) return;
  throw new ConflictError(
    ErrorCode.BundleEntryConflict,
    `The listings have a remote server (Streamable HTTP) now, so that these entries take no endpoint_url: ${namesOf(refused)}.`,
  );
}

function namesOf(entries: readonly { id: string }[]): string {
  const named = entries.slice(0, MAX_NAMED).map(({ id }) => id);
  return named.join(', ') + (entries.length > named.length ? ` and ${entries.length - named.length} more` : '');
}
