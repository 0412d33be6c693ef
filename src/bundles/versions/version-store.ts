import type { EntityManager } from 'typeorm';
import type { ChangeCounts } from '../entries/entry-changes';
import type { VersionAction } from './version-action';

/** What made a version of a bundle. */
export interface VersionCause {
  action: VersionAction;
  /** The person who did it. */
  madeBy: string;
  /** The version whose entries were restored. */
  restoredFrom?: number;
}

/** The entries as they lie in the tables, so that a snapshot is exactly what the bundle has. */
const WRITE = `
  INSERT INTO bundle_versions (bundle_id, number, action, changes, restored_from, made_by, entries, entry_count)
  SELECT $1, $2, $3, $4, $5, $6, coalesce(jsonb_agg(jsonb_build_object(
           'id', id, 'listing_id', listing_id, 'listing_name', listing_name, 'key', key, 'is_enabled', is_enabled,
           'config', config) ORDER BY position), '[]'), count(*)
  FROM bundle_entries WHERE bundle_id = $1`;

/**
 * Keeps the entries of a bundle, as they are now, as one more version.
 *
 * @param manager of the transaction that changed them, which holds the bundle's lock
 */
export async function writeVersion(
  manager: EntityManager,
  bundleId: string,
  number: number,
  changes: ChangeCounts,
  { action, madeBy, restoredFrom }: VersionCause,
): Promise<void> {
  await manager.query(WRITE, [bundleId, number, action, JSON.stringify(changes), restoredFrom ?? null, madeBy]);
}
