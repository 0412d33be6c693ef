import type { EntityManager } from 'typeorm';
import type { Columns } from '../../database/columns';
import { execute, many } from '../../database/statements';
import type { ListingHead } from '../listings/listing-writer';
import type { Listing } from '../listings/listing.entity';
import { adoptSamples, type Heir } from '../listings/sample-heirs';
import type { CategoryMap } from './category-map';
import { type Incoming, type Reason, refused, type Unusable } from './incoming';

/** An existing listing with a name of the page. */
export type ExistingListing = ListingHead &
  Pick<Columns<Listing>, 'import_source' | 'status' | 'archived_by_import' | 'is_sample'>;

export interface ExistingListings {
  listings: Map<string, ExistingListing>;
  refusals: Map<string, (one: Incoming) => Unusable>;
}

/**
 * Looks up the names of a page among the public listings of all owners, the listings of the source and the sample
 * catalogue.
 *
 * @returns the listings of the source and of the sample catalogue by the names of the page; and for other names the
 *   reason why they are refused
 */
export async function findExistingListings(
  manager: EntityManager,
  source: string,
  all: Incoming[],
): Promise<ExistingListings> {
  // Locked, always in the order of ids: a user may publish or archive one of them at the same time.
  const rows = await many<ExistingListing>(
    manager,
    `SELECT id, name, org_id, owner_id, import_source, status, archived_by_import, is_sample FROM listings
     WHERE lower(name COLLATE "C") = ANY ($1)
       AND (visibility = 'PUBLIC' AND status <> 'DRAFT' OR import_source = $2 OR is_sample)
     ORDER BY id FOR NO KEY UPDATE`,
    [all.map(({ server }) => server.name.toLowerCase()), source],
  );
  const byName = groupBy(rows, ({ name }) => name.toLowerCase());
  const known: ExistingListings = { listings: new Map(), refusals: new Map() };
  const firstSpellings = new Map<string, string>();
  for (const { server } of all) {
    const folded = server.name.toLowerCase();
    const listings = byName.get(folded) ?? [];
    const own = listings.filter(({ import_source }) => import_source === source);
    const listing = own.find(({ name }) => name === server.name) ?? own[0] ?? listings.find(isSample);
    const first = firstSpellings.get(folded) ?? server.name;
    firstSpellings.set(folded, first);
    // The source's own listing determines the spelling; otherwise the first occurrence on the page does.
    const spelling = listing && !isSample(listing) ? listing.name : first;
    const [other] = listings;
    if (!listing && other) known.refusals.set(server.name, (one) => refused(one, foreign(other), 'NAME_TAKEN'));
    else if (spelling !== server.name)
      known.refusals.set(server.name, (one) => refused(one, otherCase(spelling), 'NAME_TAKEN'));
    else if (listing) known.listings.set(server.name, listing);
  }
  return known;
}

function isSample({ is_sample }: ExistingListing): boolean {
  return is_sample;
}

/**
 * Turns sample listings into listings of the source and removes the sample's versions.
 *
 * @returns the adopted listings
 */
export async function adoptListings(
  manager: EntityManager,
  source: string,
  usable: Incoming[],
  listings: Map<string, ExistingListing>,
  map: CategoryMap,
  now: Date,
): Promise<Heir[]> {
  const rows = [...groupByName(usable)].flatMap(([name, versions]) => {
    const listing = listings.get(name);
    if (!listing?.is_sample) return [];
    const category = map.assignments.get(name) ?? null;
    return [{ id: listing.id, name, category, published_at: earliest(versions) ?? now }];
  });
  if (rows.length === 0) return [];
  await adoptSamples(
    manager,
    rows.map(({ id }) => id),
  );
  await execute(
    manager,
    `UPDATE listings SET import_source = $2, name = given.name, published_at = given.published_at,
       category_id = coalesce((SELECT id FROM categories WHERE slug = given.category), category_id)
     FROM jsonb_to_recordset($1) AS given (id uuid, name text, category text, published_at timestamptz)
     WHERE listings.id = given.id`,
    [JSON.stringify(rows), source],
  );
  for (const { id, name } of rows) {
    const listing = listings.get(name);
    if (listing) listings.set(name, { ...listing, id, name, is_sample: false, import_source: source });
  }
  return rows.map(({ id, name }) => ({ id, name }));
}

/** @returns the versions by listing name */
export function groupByName(all: readonly Incoming[]): Map<string, Incoming[]> {
  return groupBy(all, ({ server }) => server.name);
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** @returns the earliest known publication time */
export function earliest(versions: Incoming[]): Date | undefined {
  const times = versions.flatMap(({ state }) => (state.publishedAt ? [state.publishedAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** @param listing undefined if it was created while the page was being imported */
export function foreign(listing?: ExistingListing): Reason {
  const whose = listing?.import_source == null ? 'was created here' : `comes from ${listing.import_source}`;
  return { path: '/name', message: `is the name of a listing that ${whose}` };
}

function otherCase(name: string): Reason {
  return {
    path: '/name',
    message: `differs only in case from ${name}, which already exists: it counts as the same name`,
  };
}
