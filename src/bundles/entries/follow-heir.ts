import type { EntityManager } from 'typeorm';
import type { Heir } from '../../catalog/listings/sample-heirs';
import { execute } from '../../database/statements';

/**
 * $1 a sample listing, $2 and $3 the id and name of its heir, which may be the same listing. If a bundle contains both,
 * only the entry of the heir stays connected to a listing. A pin to a version that the heir does not have is removed.
 */
const FOLLOW = `
  UPDATE bundle_entries AS entries
  SET listing_id = $2, listing_name = $3, updated_at = now(),
      version = (SELECT pinned.version FROM listing_versions AS pinned
                 WHERE pinned.listing_id = $2 AND pinned.version = entries.version AND pinned.status <> 'deleted')
  WHERE listing_id = $1 AND NOT EXISTS (
    SELECT FROM bundle_entries AS other
    WHERE other.bundle_id = entries.bundle_id AND other.listing_id = $2 AND other.id <> entries.id)`;

/**
 * Moves the entries of a sample listing to the listing that takes its place. Earlier versions of the bundles still name
 * the versions of the sample listing, which no longer exist.
 */
export async function followHeir(manager: EntityManager, sampleId: string, heir: Heir): Promise<void> {
  await execute(manager, FOLLOW, [sampleId, heir.id, heir.name]);
}
