import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/** The owner being deleted: an organisation, or a user with their personal listings. */
export type Departing = { orgId: string } | { userId: string };

/**
 * Releases the listings of an organisation or user that is being deleted. Listings that only their owner ever saw are
 * deleted. Public ones are archived and lose their owner, because bundles of others refer to them and registries have
 * copied them. A public listing keeps its name, so that nobody else can claim it. A listing that its owner had made
 * private again stays private: its name was given up then, and the documents of that time stay hidden.
 *
 * @param manager of the transaction that deletes the owner
 */
export async function releaseListings(manager: EntityManager, owner: Departing): Promise<void> {
  const [condition, id] =
    'orgId' in owner
      ? (['org_id = $1', owner.orgId] as const)
      : (['org_id IS NULL AND owner_id = $1', owner.userId] as const);
  // While the listing still has its owner; triggers update the other copied columns of the versions.
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
