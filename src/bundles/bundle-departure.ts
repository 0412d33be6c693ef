import { type EntityManager, IsNull } from 'typeorm';
import { Bundle } from './bundle.entity';
import { BundleEditor } from './people/bundle-editor.entity';
import { BundleFollow } from './people/bundle-follow.entity';

/**
 * Deletes the bundles of an organisation that goes, with all that belongs to them: their access tokens are refused from
 * then on.
 *
 * @param manager of the transaction in which it goes
 */
export async function removeBundlesOf(manager: EntityManager, orgId: string): Promise<void> {
  await manager.getRepository(Bundle).delete({ orgId });
}

/**
 * Deletes the personal bundles of a person who goes, and takes them out of the editors and followers of others. Bundles of
 * organisations stay theirs.
 *
 * @param manager of the transaction in which they go
 */
export async function removePersonalBundles(manager: EntityManager, userId: string): Promise<void> {
  await manager.getRepository(Bundle).delete({ orgId: IsNull(), ownerId: userId });
  await manager.getRepository(BundleFollow).delete({ userId });
  await manager.getRepository(BundleEditor).delete({ userId });
}
