import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';
import { many } from '../../database/statements';
import { ConflictError, NotFoundError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import type { EntryList } from './entry-list';

/** A listing that a request names, and a version of it; null: the newest. */
export interface WantedListing {
  /** In lower case. */
  listingId: string;
  version: string | null;
}

/** What a bundle must know of a listing to have an entry of it. */
export interface EntryListing {
  id: string;
  name: string;
  /** The `server.json` of the wanted version; null when the listing does not have that version. */
  server: unknown;
  /** Whether its source or its publisher has withdrawn that version. */
  is_deleted: boolean;
  /** Whether the caller may see it, and so put it into a bundle. */
  is_visible: boolean;
}

/** By `listingKey`. */
export type EntryListings = ReadonlyMap<string, EntryListing>;

/**
 * $1 listings and $2 their versions, $3 person. Locked so that none is deleted before an entry refers to it; in one order
 * for everybody.
 */
const READ = `
  SELECT listings.id, wanted.version, listings.name, meant.server, COALESCE(meant.status = 'deleted', false) AS is_deleted,
         ${IS_PUBLIC_LISTING} OR ${belongsTo('$3')} AS is_visible
  FROM unnest($1::uuid[], $2::text[]) AS wanted(listing_id, version)
  JOIN listings ON listings.id = wanted.listing_id
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  LEFT JOIN listing_versions AS meant
    ON meant.listing_id = listings.id AND meant.version = COALESCE(wanted.version, latest.version)
  ORDER BY listings.id FOR KEY SHARE OF listings`;

/**
 * @param manager of the transaction that writes the entries
 * @returns those that exist
 */
export async function readListings(
  manager: EntityManager,
  caller: Caller,
  wanted: readonly WantedListing[],
): Promise<EntryListings> {
  if (wanted.length === 0) return new Map();
  const once = [...new Map(wanted.map((one) => [listingKey(one.listingId, one.version), one])).values()];
  const rows = await many<EntryListing & { version: string | null }>(manager, READ, [
    once.map(({ listingId }) => listingId),
    once.map(({ version }) => version),
    caller.userId,
  ]);
  return new Map(rows.map(({ version, ...row }) => [listingKey(row.id, version), row]));
}

/** Under which name a map has the listing with that version; no id has a space. */
export function listingKey(id: string, version: string | null = null): string {
  return version === null ? id.toLowerCase() : `${id.toLowerCase()} ${version}`;
}

/**
 * @param version null: the newest, which is there even if it is withdrawn
 * @throws NotFoundError when the caller may not see the listing, or it does not have the version; ConflictError when that
 *   version is withdrawn
 */
export function requireListing(listings: EntryListings, id: string, version: string | null = null): EntryListing {
  const listing = listings.get(listingKey(id, version));
  if (!listing?.is_visible) throw new NotFoundError(ErrorCode.ListingNotFound, id);
  if (version !== null) requireVersionOf(listing, version);
  return listing;
}

/**
 * The same for a version to which an entry is to be pinned; the error does not say which listing it is, since not everybody
 * who may change a bundle may see it.
 */
export function requirePin(listings: EntryListings, listingId: string | null, version: string): void {
  const listing = listingId === null ? undefined : listings.get(listingKey(listingId, version));
  if (!listing?.is_visible) throw new NotFoundError(ErrorCode.ListingVersionNotFound, version);
  requireVersionOf(listing, version);
}

function requireVersionOf({ server, is_deleted }: EntryListing, version: string): void {
  if (server === null) throw new NotFoundError(ErrorCode.ListingVersionNotFound, version);
  if (is_deleted) throw new ConflictError(ErrorCode.ListingVersionConflict, `Listing version ${version} was deleted.`);
}

/** $1 entries, $2 their listings, $3 the versions to which they would be pinned. */
const DEAD_PINS = `
  SELECT given.id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS given(id, listing_id, version, place)
  WHERE NOT EXISTS (SELECT FROM listing_versions AS pinned
                    WHERE pinned.listing_id = given.listing_id AND pinned.version = given.version
                      AND pinned.status <> 'deleted')
  ORDER BY given.place`;

/** How many entries an error names. */
const MOST_NAMED = 20;

/**
 * The same for entries that are restored, each with a version that was recorded once. One without a listing is as dead as
 * its pin, and one that has its pin already keeps it.
 *
 * @throws ConflictError for versions that were deleted; it names the entries and not their listings, which not everybody
 *   who may change a bundle may see
 */
export async function requireRestoredPins(
  manager: EntityManager,
  former: EntryList,
  restored: EntryList,
): Promise<void> {
  const pins = new Map(former.map(({ id, version }) => [id, version]));
  const fresh = restored.filter(
    ({ id, listing_id, version }) => listing_id !== null && version !== null && version !== pins.get(id),
  );
  if (fresh.length === 0) return;
  const dead = await many<{ id: string }>(manager, DEAD_PINS, [
    fresh.map(({ id }) => id),
    fresh.map(({ listing_id }) => listing_id),
    fresh.map(({ version }) => version),
  ]);
  if (dead.length === 0) return;
  const named = dead.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = dead.length > named.length ? ` and ${dead.length - named.length} more` : '';
  throw new ConflictError(
    ErrorCode.ListingVersionConflict,
    `The listing versions that it recorded were deleted, for the entries ${named.join(', ')}${more}.`,
  );
}
