import type { EntityManager } from 'typeorm';
import { one } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import type { BundleRow } from '../bundle.dto';
import { Bundle } from '../bundle.entity';
import type { ChangeCounts } from '../entries/entry-changes';
import { nameKnownTo } from '../entries/entry-view.sql';
import type { VersionAction } from './version-action';

/** What created a version of a bundle. */
export interface VersionCause {
  action: VersionAction;
  /** The person who did it. */
  madeBy: string;
  /** The version whose entries were restored. */
  restoredFrom?: number;
  /** Why, in their words. */
  note?: string | undefined;
  /** Whether it only takes something away; then it may be one more than allowed. */
  isStricter?: boolean;
}

/**
 * $1 bundle, $2 the number of the new version. The entries of the bundle, each with the effective version of its
 * listing, and how many of them have another listing or version than in the version before. An entry has the same id in
 * two successive versions.
 */
const SNAPSHOT = `
  WITH snapshot AS (
    SELECT entries.*, COALESCE(entries.version, latest.version) AS listing_version,
           ${nameKnownTo('entries.name_known_to')} AS name_known_to_now
    FROM bundle_entries AS entries JOIN bundles ON bundles.id = entries.bundle_id
    LEFT JOIN listings ON listings.id = entries.listing_id
    LEFT JOIN listing_versions AS latest ON latest.listing_id = entries.listing_id AND latest.is_latest
    WHERE entries.bundle_id = $1
  ), updated AS (
    SELECT count(*)::int AS number
    FROM bundle_versions
    CROSS JOIN LATERAL jsonb_to_recordset(bundle_versions.entries)
      AS former(id uuid, listing_id uuid, version text, listing_version text)
    JOIN snapshot ON snapshot.id = former.id
    WHERE bundle_versions.bundle_id = $1 AND bundle_versions.number = $2 - 1
      AND (snapshot.listing_id, snapshot.version, snapshot.listing_version)
          IS DISTINCT FROM (former.listing_id, former.version, former.listing_version)
  )`;

const WRITE = `
  INSERT INTO bundle_versions (bundle_id, number, action, changes, restored_from, made_by, note, entries, entry_count)
  ${SNAPSHOT}
  SELECT $1, $2, $3, $4::jsonb || jsonb_build_object('updated', (SELECT number FROM updated)), $5, $6, $7,
         COALESCE(jsonb_agg(jsonb_build_object(
           'id', id, 'listing_id', listing_id, 'listing_name', listing_name, 'key', key, 'version', version,
           'listing_version', listing_version, 'is_enabled', is_enabled, 'config', config, 'credential_mode', credential_mode,
           'name_known_to', name_known_to_now, 'pinning', pinning, 'endpoint_url', endpoint_url) ORDER BY position), '[]'),
         count(*)
  FROM snapshot
  RETURNING entry_count`;

const HAS_NEWER_LISTINGS = `${SNAPSHOT} SELECT number > 0 AS has_newer_listings FROM updated`;

/**
 * Creates the next version of a bundle from its entries as they are now.
 *
 * @param manager of the transaction that changed the entries, in which the bundle is locked
 * @param changes `updated` is counted by the database, which knows the effective versions of the listings
 * @param mostVersions how many versions the bundle may have (LIMIT_VERSIONS_PER_BUNDLE)
 * @returns its number
 * @throws ConflictError if the bundle has as many as allowed
 */
export async function commitVersion(
  manager: EntityManager,
  bundle: Pick<BundleRow, 'id' | 'version'>,
  changes: ChangeCounts,
  cause: VersionCause,
  mostVersions: number,
): Promise<number> {
  if (!cause.isStricter) requireRoomForVersion(bundle, changes, mostVersions);
  const version = bundle.version + 1;
  const entryCount = await writeVersion(manager, bundle.id, version, changes, cause);
  await manager.getRepository(Bundle).update({ id: bundle.id }, { version, entryCount });
  return version;
}

/**
 * Stores the entries of a bundle, as they are now, as a version. Every version after the first is created by
 * `commitVersion`.
 *
 * @returns how many entries it has
 */
export async function writeVersion(
  manager: EntityManager,
  bundleId: string,
  number: number,
  changes: ChangeCounts,
  { action, madeBy, restoredFrom, note }: VersionCause,
): Promise<number> {
  const parameters = [bundleId, number, action, JSON.stringify(changes), restoredFrom ?? null, madeBy, note ?? null];
  return (await one<{ entry_count: number }>(manager, WRITE, parameters)).entry_count;
}

/**
 * @param bundle locked
 * @returns whether a new version would record other listing versions than the latest version does
 */
export async function hasNewerListings(manager: EntityManager, { id, version }: BundleRow): Promise<boolean> {
  const parameters = [id, version + 1];
  return (await one<{ has_newer_listings: boolean }>(manager, HAS_NEWER_LISTINGS, parameters)).has_newer_listings;
}

/**
 * The limit must not keep anyone from stopping a compromised server: a change that only disables or removes entries
 * still creates a version. There are at most twice as many such versions as entries.
 */
function requireRoomForVersion(
  { version }: Pick<BundleRow, 'version'>,
  changes: ChangeCounts,
  mostVersions: number,
): void {
  if (version < mostVersions || onlyDisablesOrRemoves(changes)) return;
  throw new ConflictError(
    ErrorCode.BundleConflict,
    `The bundle has ${mostVersions} versions, which is the limit; its entries can now only be disabled or removed.`,
  );
}

function onlyDisablesOrRemoves({ removed, disabled, ...others }: ChangeCounts): boolean {
  return removed + disabled > 0 && Object.values(others).every((count) => count === 0);
}
