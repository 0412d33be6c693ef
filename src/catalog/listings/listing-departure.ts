import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/** Whose things go: an organisation's, or a person's own. */
export type Departing = { orgId: string } | { userId: string };

/**
 * Ends the listings of an organisation or a person that goes. Those that nobody else ever saw are deleted. Those that were
 * public are archived and belong to nobody from then on: bundles of others refer to them, and registries have copied them.
 * What is public keeps its name, which must not fall to the next person who wants it. What its owner had made private
 * stays so: its name was given up then, and the documents of that time are nobody's to see.
 *
 * @param manager of the transaction in which the owner goes
 */
export async function releaseListings(manager: EntityManager, owner: Departing): Promise<void> {
  const [condition, id] =
    'orgId' in owner
      ? (['org_id = $1', owner.orgId] as const)
      : (['org_id IS NULL AND owner_id = $1', owner.userId] as const);
  // By the listing, before it is nobody's; the triggers write the rest of what versions say of their listing.
  await execute(
    manager,
    `UPDATE listing_versions SET org_id = NULL
     WHERE org_id IS NOT NULL AND was_public AND listing_id IN (SELECT id FROM listings WHERE ${condition})`,
    [id],
  );
  await execute(
    manager,
    `UPDATE listings
     SET status = 'ARCHIVED', archived_at = coalesce(archived_at, now()), archived_by_import = false, org_id = NULL,
         owner_id = NULL, updated_at = now()
     WHERE ${condition} AND EXISTS (SELECT FROM listing_versions WHERE listing_id = listings.id AND was_public)`,
    [id],
  );
  await execute(manager, `DELETE FROM listings WHERE ${condition}`, [id]);
}
