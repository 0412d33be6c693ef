import type { EntityManager } from 'typeorm';
import { belongsTo } from '../../catalog/listings/listing-visibility.sql';
import { execute, many } from '../../database/statements';
import { type AnyDomainEvent, recordAll } from '../../events/outbox';
import type { BundleRow } from '../bundle.dto';
import { Bundle } from '../bundle.entity';
import { nextVersion, type VersionCause, writeVersion } from '../versions/version-store';
import { compareEntries, type ComparedEntry, countChanges, type EntryChanges, isUnchanged } from './entry-changes';
import type { EntryList, ListEntry } from './entry-list';
import { WAS_PUBLIC_LISTING } from './entry-view.sql';

const READ = `
  SELECT id, listing_id, listing_name, key, version, is_enabled, config FROM bundle_entries WHERE bundle_id = $1 ORDER BY position`;

const RECORDS = `jsonb_to_recordset($2::jsonb) AS given(id uuid, listing_id uuid, listing_name text, key text,
  position integer, version text, is_enabled boolean, config jsonb)`;

const INSERT = `
  INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position, version, is_enabled, config)
  SELECT id, $1, listing_id, listing_name, key, position, version, is_enabled, config FROM ${RECORDS}`;

const UPDATE = `
  UPDATE bundle_entries
  SET position = given.position, version = given.version, is_enabled = given.is_enabled, config = given.config,
      updated_at = now()
  FROM ${RECORDS} WHERE bundle_entries.bundle_id = $1 AND bundle_entries.id = given.id`;

/**
 * $1 listings, $2 organisation of the bundle or null, $3 its owner. Those of which the people who get its events need not
 * know: whoever edits a bundle may put in what only they see.
 */
const HIDDEN = `
  SELECT listings.id FROM listings
  WHERE listings.id = ANY ($1) AND NOT ${WAS_PUBLIC_LISTING}
    AND CASE WHEN $2::uuid IS NULL THEN NOT ${belongsTo('$3')} ELSE listings.org_id IS DISTINCT FROM $2 END`;

/** An entry with its place in its list. */
type PlacedEntry = ListEntry & ComparedEntry;

/** The same as an event may tell it. */
type ToldEntry = Omit<PlacedEntry, 'listing_name'> & { listing_name: string | null };

/** @param manager of a transaction that holds the bundle's lock, if the answer is to hold */
export async function readEntries(manager: EntityManager, bundleId: string): Promise<EntryList> {
  return many<ListEntry>(manager, READ, [bundleId]);
}

/**
 * Makes `after` the entries of a bundle: writes what differs, keeps the whole as a new version, and records what
 * happened. If nothing differs, nothing is done. The number of statements does not depend on the number of entries.
 *
 * @param manager of a transaction in which the bundle is locked
 * @param before what `readEntries` gave in it
 * @param after an entry with the listing of one in `before` has its id
 * @returns the number of the version that the bundle is at now
 * @throws ConflictError when the bundle has as many versions as allowed
 */
export async function saveEntries(
  manager: EntityManager,
  bundle: BundleRow,
  before: EntryList,
  after: EntryList,
  cause: VersionCause,
): Promise<number> {
  const former = placed(before);
  const changes = compareEntries(former, placed(after));
  if (isUnchanged(changes)) return bundle.version;
  const { added, removed } = changes;
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id);
    await execute(manager, `DELETE FROM bundle_entries WHERE bundle_id = $1 AND id = ANY ($2)`, [bundle.id, ids]);
  }
  const rewritten = rewrittenOf(former, placed(after), changes);
  if (rewritten.length > 0) await execute(manager, UPDATE, [bundle.id, JSON.stringify(rewritten)]);
  if (added.length > 0) await execute(manager, INSERT, [bundle.id, JSON.stringify(added)]);
  const version = nextVersion(bundle, countChanges(changes), cause);
  await manager.getRepository(Bundle).update({ id: bundle.id }, { version, entryCount: after.length });
  await writeVersion(manager, bundle.id, version, countChanges(changes), cause);
  await recordAll(manager, eventsOf(bundle, version, { ...changes, ...(await told(manager, bundle, changes)) }));
  return version;
}

/** What came and went, as the owner of the bundle may know it. */
async function told(
  manager: EntityManager,
  { org_id, owner_id }: BundleRow,
  { added, removed }: EntryChanges<PlacedEntry>,
): Promise<Pick<EntryChanges<ToldEntry>, 'added' | 'removed'>> {
  const ids = [...added, ...removed].flatMap(({ listing_id }) => listing_id ?? []);
  if (ids.length === 0) return { added, removed };
  const rows = await many<{ id: string }>(manager, HIDDEN, [ids, org_id, owner_id]);
  const hidden = new Set<string | null>(rows.map(({ id }) => id));
  const hide = (entry: PlacedEntry): ToldEntry =>
    hidden.has(entry.listing_id) ? { ...entry, listing_id: null, listing_name: null, version: null } : entry;
  return { added: added.map(hide), removed: removed.map(hide) };
}

function placed(list: EntryList): PlacedEntry[] {
  return list.map((entry, position) => ({ ...entry, position }));
}

/** The entries that were there before and whose row is another one now, be it only for its position. */
function rewrittenOf(
  former: readonly PlacedEntry[],
  latter: readonly PlacedEntry[],
  { enabled, disabled, reconfigured, updated }: EntryChanges<PlacedEntry>,
): PlacedEntry[] {
  const before = new Map(former.map((entry) => [entry.id, entry]));
  const set = new Set([...enabled, ...disabled, ...reconfigured, ...updated].map(({ after }) => after.id));
  return latter.filter(({ id, position }) => {
    const known = before.get(id);
    return known !== undefined && (known.position !== position || set.has(id));
  });
}

function eventsOf(
  { id: bundle_id, org_id, owner_id, name, slug, visibility }: BundleRow,
  bundle_version: number,
  { added, removed, ...others }: EntryChanges<ToldEntry>,
): AnyDomainEvent[] {
  const owner = { orgId: org_id, ownerId: owner_id };
  const events: AnyDomainEvent[] = removed.map(({ id: entry_id, listing_id, listing_name }) => ({
    type: 'bundle.entry_removed',
    ...owner,
    data: { bundle_id, entry_id, listing_id, listing_name, bundle_version, org_id },
  }));
  for (const { id: entry_id, listing_id, listing_name, version, position } of added) {
    events.push({
      type: 'bundle.entry_added',
      ...owner,
      data: { bundle_id, entry_id, listing_id, listing_name, version, position, bundle_version, org_id },
    });
  }
  if (Object.values(others).some((pairs) => pairs.length > 0)) {
    events.push({
      type: 'bundle.updated',
      ...owner,
      data: { bundle_id, name, slug, visibility, changed: ['entries'], bundle_version, org_id },
    });
  }
  return events;
}
