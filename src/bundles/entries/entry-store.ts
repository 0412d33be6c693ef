import type { EntityManager } from 'typeorm';
import { IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';
import { execute, many } from '../../database/statements';
import { type AnyDomainEvent, recordAll } from '../../events/outbox';
import type { BundleRow } from '../bundle.dto';
import { ownerOf } from '../bundle-owner';
import { bundleUpdated } from '../bundle-updated';
import { commitVersion, type VersionCause } from '../versions/version-store';
import { compareEntries, type ComparedEntry, countChanges, type EntryChanges, isUnchanged } from './entry-changes';
import type { EntryList, ListEntry } from './entry-list';
import { nameKnownTo } from './entry-view.sql';

const READ = `
  SELECT id, listing_id, listing_name, key, version, is_enabled, config, credential_mode, name_known_to, pinning,
         endpoint_url
  FROM bundle_entries WHERE bundle_id = $1 ORDER BY position`;

const DELETE = `DELETE FROM bundle_entries WHERE bundle_id = $1 AND id = ANY ($2)`;

const RECORDS = `jsonb_to_recordset($2::jsonb) AS written(id uuid, listing_id uuid, listing_name text, key text,
  position integer, version text, is_enabled boolean, config jsonb, credential_mode text, name_known_to text, pinning text,
  endpoint_url text)`;

const INSERT = `
  INSERT INTO bundle_entries
    (id, bundle_id, listing_id, listing_name, key, position, version, is_enabled, config, credential_mode, name_known_to,
     pinning, endpoint_url)
  SELECT written.id, bundles.id, written.listing_id, written.listing_name, written.key, written.position, written.version,
         written.is_enabled, written.config, written.credential_mode, ${nameKnownTo('written.name_known_to')},
         COALESCE(written.pinning, CASE WHEN ${IS_PUBLIC_LISTING} THEN 'WARN' ELSE 'OFF' END),
         written.endpoint_url
  FROM ${RECORDS} JOIN bundles ON bundles.id = $1 LEFT JOIN listings ON listings.id = written.listing_id`;

const UPDATE = `
  UPDATE bundle_entries
  SET position = written.position, version = written.version, is_enabled = written.is_enabled, config = written.config,
      credential_mode = written.credential_mode, pinning = written.pinning, endpoint_url = written.endpoint_url,
      updated_at = now()
  FROM ${RECORDS} WHERE bundle_entries.bundle_id = $1 AND bundle_entries.id = written.id`;

/**
 * $1 bundle, $2 listings. Those whose names an event about the bundle must not contain: an editor can add a listing
 * that only they see, but the event goes to everyone who reads the events of the organisation or of the owner.
 */
const HIDDEN_LISTINGS = `
  SELECT listings.id FROM listings JOIN bundles ON bundles.id = $1
  WHERE listings.id = ANY ($2) AND ${nameKnownTo('NULL')} = 'NOBODY'`;

/** An entry with its position in its list. */
type PlacedEntry = ListEntry & ComparedEntry;

/** The same as an event may contain it. */
type PublishableEntry = Omit<PlacedEntry, 'listing_name'> & { listing_name: string | null };

/** @param manager of a transaction that holds the bundle's lock, if the entries must not change meanwhile */
export async function readEntries(manager: EntityManager, bundleId: string): Promise<EntryList> {
  return many<ListEntry>(manager, READ, [bundleId]);
}

/**
 * Makes `after` the entries of a bundle: writes the rows that differ, keeps the whole list as a new version, and
 * records the events. If nothing differs, nothing is written. The number of statements does not depend on the number of
 * entries.
 *
 * @param manager of a transaction in which the bundle is locked
 * @param before the result of `readEntries` in it
 * @param after an entry with the listing of one in `before` has its id
 * @param mostVersions how many versions the bundle may have (LIMIT_VERSIONS_PER_BUNDLE)
 * @returns the number of the version that the bundle is at now
 * @throws ConflictError if the bundle has as many versions as allowed
 */
export async function saveEntries(
  manager: EntityManager,
  bundle: BundleRow,
  before: EntryList,
  after: EntryList,
  cause: VersionCause,
  mostVersions: number,
): Promise<number> {
  const placedBefore = withPositions(before);
  const placedAfter = withPositions(after);
  const changes = compareEntries(placedBefore, placedAfter);
  if (isUnchanged(changes)) return bundle.version;
  const { added, removed } = changes;
  if (removed.length > 0) await execute(manager, DELETE, [bundle.id, removed.map(({ id }) => id)]);
  const changed = changedRows(placedBefore, placedAfter, changes);
  if (changed.length > 0) await execute(manager, UPDATE, [bundle.id, JSON.stringify(changed)]);
  if (added.length > 0) await execute(manager, INSERT, [bundle.id, JSON.stringify(added)]);
  const version = await commitVersion(manager, bundle, countChanges(changes), cause, mostVersions);
  const publishable = await redactHiddenListings(manager, bundle, changes);
  await recordAll(manager, eventsOf({ ...bundle, version }, { ...changes, ...publishable }));
  return version;
}

/** @returns what was added and removed, without the listings whose names the owner of the bundle must not learn */
async function redactHiddenListings(
  manager: EntityManager,
  bundle: BundleRow,
  { added, removed }: EntryChanges<PlacedEntry>,
): Promise<Pick<EntryChanges<PublishableEntry>, 'added' | 'removed'>> {
  const ids = [...added, ...removed].flatMap(({ listing_id }) => listing_id ?? []);
  const rows = ids.length === 0 ? [] : await many<{ id: string }>(manager, HIDDEN_LISTINGS, [bundle.id, ids]);
  const hiddenIds = new Set(rows.map(({ id }) => id));
  const redact = (entry: PlacedEntry): PublishableEntry => {
    const isHidden = entry.listing_id === null ? entry.name_known_to === 'NOBODY' : hiddenIds.has(entry.listing_id);
    return isHidden ? { ...entry, listing_id: null, listing_name: null, version: null } : entry;
  };
  return { added: added.map(redact), removed: removed.map(redact) };
}

function withPositions(list: EntryList): PlacedEntry[] {
  return list.map((entry, position) => ({ ...entry, position }));
}

/** The entries of both lists whose row differs, even if only in its position. */
function changedRows(
  before: readonly PlacedEntry[],
  after: readonly PlacedEntry[],
  { enabled, disabled, reconfigured, updated }: EntryChanges<PlacedEntry>,
): PlacedEntry[] {
  const positionsBefore = new Map(before.map(({ id, position }) => [id, position]));
  const changedIds = new Set([...enabled, ...disabled, ...reconfigured, ...updated].map((pair) => pair.after.id));
  return after.filter(({ id, position }) => {
    const positionBefore = positionsBefore.get(id);
    return positionBefore !== undefined && (positionBefore !== position || changedIds.has(id));
  });
}

function eventsOf(bundle: BundleRow, { added, removed, ...others }: EntryChanges<PublishableEntry>): AnyDomainEvent[] {
  const { id: bundle_id, org_id, version: bundle_version } = bundle;
  const events: AnyDomainEvent[] = removed.map(({ id: entry_id, listing_id, listing_name }) => ({
    type: 'bundle.entry_removed',
    ...ownerOf(bundle),
    data: { bundle_id, entry_id, listing_id, listing_name, bundle_version, org_id },
  }));
  for (const { id: entry_id, listing_id, listing_name, version, position } of added) {
    events.push({
      type: 'bundle.entry_added',
      ...ownerOf(bundle),
      data: { bundle_id, entry_id, listing_id, listing_name, version, position, bundle_version, org_id },
    });
  }
  if (Object.values(others).some((pairs) => pairs.length > 0)) events.push(bundleUpdated(bundle, ['entries']));
  return events;
}
