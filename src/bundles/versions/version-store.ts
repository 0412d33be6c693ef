import type { EntityManager } from 'typeorm';
import { execute, one } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import type { BundleRow } from '../bundle.dto';
import type { ChangeCounts } from '../entries/entry-changes';
import type { VersionAction } from './version-action';

/** What made a version of a bundle. */
export interface VersionCause {
  action: VersionAction;
  /** The person who did it. */
  madeBy: string;
  /** The version whose entries were restored. */
  restoredFrom?: number;
  /** How many versions the bundle may have (LIMIT_VERSIONS_PER_BUNDLE). */
  mostVersions: number;
}

/**
 * $1 bundle, $2 the number after the one to compare with. The entries as they lie in the tables, each with the version of
 * its listing that is meant now, and how many of them differ in that or in their listing from the version before. An entry has the same id in
 * two versions that follow one another.
 */
const SNAPSHOT = `
  WITH snapshot AS (
    SELECT entries.*, COALESCE(entries.version, latest.version) AS listing_version
    FROM bundle_entries AS entries
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
  INSERT INTO bundle_versions (bundle_id, number, action, changes, restored_from, made_by, entries, entry_count)
  ${SNAPSHOT}
  SELECT $1, $2, $3, $4::jsonb || jsonb_build_object('updated', (SELECT number FROM updated)), $5, $6,
         COALESCE(jsonb_agg(jsonb_build_object(
           'id', id, 'listing_id', listing_id, 'listing_name', listing_name, 'key', key, 'version', version,
           'listing_version', listing_version, 'is_enabled', is_enabled, 'config', config) ORDER BY position), '[]'),
         count(*)
  FROM snapshot`;

const HAS_NEWS = `${SNAPSHOT} SELECT number > 0 AS has_news FROM updated`;

/**
 * Keeps the entries of a bundle, as they are now, as one more version. With each goes the version of its listing that is
 * meant: the one to which it is pinned, or the newest.
 *
 * @param manager of the transaction that changed them, which holds the bundle's lock
 * @param changes `updated` is counted here, since only the database knows which versions are the newest
 */
export async function writeVersion(
  manager: EntityManager,
  bundleId: string,
  number: number,
  changes: ChangeCounts,
  { action, madeBy, restoredFrom }: VersionCause,
): Promise<void> {
  await execute(manager, WRITE, [bundleId, number, action, JSON.stringify(changes), restoredFrom ?? null, madeBy]);
}

/**
 * @param bundle locked
 * @returns whether a version would record other listing versions than the latest one did
 */
export async function hasNews(manager: EntityManager, { id, version }: BundleRow): Promise<boolean> {
  return (await one<{ has_news: boolean }>(manager, HAS_NEWS, [id, version + 1])).has_news;
}

/**
 * The limit keeps nobody from taking a server out that must not run any more: entries that are only disabled or taken out
 * still make a version, of which there can be no more than twice as many as entries.
 *
 * @param bundle locked
 * @param changes that the version would record
 * @returns the number of the next version
 * @throws ConflictError when the bundle has as many as allowed
 */
export function nextVersion({ version }: BundleRow, changes: ChangeCounts, { mostVersions }: VersionCause): number {
  if (version < mostVersions || onlyEnds(changes)) return version + 1;
  throw new ConflictError(
    ErrorCode.BundleConflict,
    `The bundle has ${mostVersions} versions, which is the limit; its entries can now only be disabled or removed.`,
  );
}

function onlyEnds({ removed, disabled, ...others }: ChangeCounts): boolean {
  return removed + disabled > 0 && Object.values(others).every((count) => count === 0);
}
