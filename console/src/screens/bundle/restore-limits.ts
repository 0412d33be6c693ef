import type { ListedEntry } from '../../api/schema';

/** Why an entry of a former version does not work when it comes back. */
export type RestoreLimit = 'unseen' | 'listing-gone' | 'unavailable';

/**
 * @param entries those of the version, whose `is_available` refers to now
 * @returns those that come back, and are not usable then
 */
export function limitsOf(entries: readonly ListedEntry[]): { entry: ListedEntry; limit: RestoreLimit }[] {
  return entries.flatMap((entry) => {
    const limit = limitOf(entry);
    return limit === undefined ? [] : [{ entry, limit }];
  });
}

function limitOf({ is_available: isAvailable, listing_id: listing, listing_name: name }: ListedEntry) {
  if (isAvailable) return undefined;
  if (listing !== null) return 'unavailable' as const;
  return name === null ? ('unseen' as const) : ('listing-gone' as const);
}
