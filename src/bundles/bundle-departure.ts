import type { EntityManager } from 'typeorm';

/**
 * Deletes the bundles of an organisation that goes, with all that belongs to them: their access tokens are refused from
 * then on.
 *
 * @param manager of the transaction in which it goes
 */
export async function removeBundlesOf(manager: EntityManager, orgId: string): Promise<void> {
  await manager.query(`DELETE FROM bundles WHERE org_id = $1`, [orgId]);
}

/**
 * Deletes the personal bundles of a person who goes, and takes them out of the editors and followers of others. Bundles of
 * organisations stay theirs.
 *
 * @param manager of the transaction in which they go
 */
export async function removePersonalBundles(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(`DELETE FROM bundles WHERE org_id IS NULL AND owner_id = $1`, [userId]);
  await manager.query(`DELETE FROM bundle_follows WHERE user_id = $1`, [userId]);
  await manager.query(`DELETE FROM bundle_editors WHERE user_id = $1`, [userId]);
}
