import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';
import { many } from '../../database/statements';
import { ConflictError, NotFoundError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';

/** A listing that a request refers to, and a version of it; null: the newest. */
export interface WantedListing {
  /** In lower case. */
  listingId: string;
  version: string | null;
}

/** What is needed of a listing to add it to a bundle. */
export interface EntryListing {
  id: string;
  name: string;
  /** The `server.json` of the wanted version; null when the listing does not have that version. */
  server: unknown;
  /** Whether that version was deleted by its source or its publisher. */
  is_deleted: boolean;
  /** Whether the caller may see it, and so add it to a bundle. */
  is_visible: boolean;
}

/** By `listingKey`. */
export type EntryListings = ReadonlyMap<string, EntryListing>;

/**
 * $1 listings and $2 their versions, $3 person. Locked so that none is deleted before an entry refers to it, always in
 * the same order.
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
  const distinct = [
    ...new Map(wanted.map((listing) => [listingKey(listing.listingId, listing.version), listing])).values(),
  ];
  const rows = await many<EntryListing & { version: string | null }>(manager, READ, [
    distinct.map(({ listingId }) => listingId),
    distinct.map(({ version }) => version),
    caller.userId,
  ]);
  return new Map(rows.map(({ version, ...row }) => [listingKey(row.id, version), row]));
}

/** The key of a listing and a version of it in `EntryListings`; ids contain no space. */
export function listingKey(id: string, version: string | null = null): string {
  return version === null ? id.toLowerCase() : `${id.toLowerCase()} ${version}`;
}

/**
 * @param version null: the newest, which may be a deleted one
 * @throws NotFoundError if the caller may not see the listing, or it does not have the version; ConflictError if that
 *   version was deleted
 */
export function requireListing(listings: EntryListings, id: string, version: string | null = null): EntryListing {
  const listing = listings.get(listingKey(id, version));
  if (!listing?.is_visible) throw new NotFoundError(ErrorCode.ListingNotFound, id);
  if (version !== null) requireVersionOf(listing, version);
  return listing;
}

/**
 * The same for a version to which an existing entry is to be pinned. The error does not name the listing, since not
 * everyone who may change a bundle may see it.
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
