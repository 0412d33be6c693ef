import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listing-visibility.sql';
import { ErrorCode, NotFoundError } from '../../http/errors';

/** What a bundle must know of a listing to have an entry of it. */
export interface EntryListing {
  id: string;
  name: string;
  /** Its latest `server.json`. */
  server: unknown;
  /** Whether the caller may see it, and so put it into a bundle. */
  is_visible: boolean;
}

/** $1 listings, $2 person. Locked so that none is deleted before an entry refers to it; in one order for everybody. */
const READ = `
  SELECT listings.id, listings.name, latest.server, ${IS_PUBLIC_LISTING} OR ${belongsTo('$2')} AS is_visible
  FROM listings JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  WHERE listings.id = ANY ($1) ORDER BY listings.id FOR KEY SHARE OF listings`;

/**
 * @param manager of the transaction that writes the entries
 * @param ids in lower case
 * @returns those that exist, by their ids
 */
export async function readListings(
  manager: EntityManager,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, EntryListing>> {
  if (ids.length === 0) return new Map();
  const rows = await manager.query<EntryListing[]>(READ, [[...new Set(ids)], caller.userId]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws NotFoundError when there is none that the caller may see */
export function requireListing(listings: ReadonlyMap<string, EntryListing>, id: string): EntryListing {
  const listing = listings.get(id.toLowerCase());
  if (!listing?.is_visible) throw new NotFoundError(ErrorCode.ListingNotFound, id);
  return listing;
}
