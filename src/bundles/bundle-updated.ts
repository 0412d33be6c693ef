import type { EventTypes } from '../events/event-types';
import type { DomainEvent } from '../events/outbox';
import type { BundleRow } from './bundle.dto';
import { ownerOf } from './bundle-owner';

/**
 * @param bundle as it is after the change
 * @returns the event of a change of a bundle
 */
export function bundleUpdated(
  bundle: Pick<BundleRow, 'id' | 'name' | 'slug' | 'visibility' | 'version' | 'org_id' | 'owner_id'>,
  changed: EventTypes['bundle.updated']['changed'],
): DomainEvent<'bundle.updated'> {
  const { id, name, slug, visibility, version, org_id } = bundle;
  return {
    type: 'bundle.updated',
    ...ownerOf(bundle),
    data: { bundle_id: id, name, slug, visibility, changed, bundle_version: version, org_id },
  };
}
