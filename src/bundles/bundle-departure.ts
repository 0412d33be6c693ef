import { type EntityManager, IsNull } from 'typeorm';
import { Bundle } from './bundle.entity';
import { BundleEditor } from './people/bundle-editor.entity';
import { BundleFollow } from './people/bundle-follow.entity';

/**
 * Deletes the bundles of an organisation with everything that belongs to them. Their access tokens are rejected from
 * then on.
 *
 * @param manager of the transaction that deletes the organisation
 */
export async function deleteBundlesOfOrganisation(manager: EntityManager, orgId: string): Promise<void> {
  await manager.getRepository(Bundle).delete({ orgId });
}

/**
 * Deletes the personal bundles of a person, and removes them from the editors and followers of other bundles. The
 * bundles that they own for organisations stay.
 *
 * @param manager of the transaction that deletes the account
 */
export async function deletePersonalBundles(manager: EntityManager, userId: string): Promise<void> {
  await manager.getRepository(Bundle).delete({ orgId: IsNull(), ownerId: userId });
  await manager.getRepository(BundleFollow).delete({ userId });
  await manager.getRepository(BundleEditor).delete({ userId });
}
