import type { DomainEvent } from '../events/outbox';
import type { EventType } from '../events/event-types';
import type { BundleRow } from './bundle.dto';

/** @returns who gets the events about a bundle: its organisation, or the person who owns it */
export function ownerOf({
  org_id,
  owner_id,
}: Pick<BundleRow, 'org_id' | 'owner_id'>): Pick<DomainEvent<EventType>, 'orgId' | 'ownerId'> {
  return { orgId: org_id, ownerId: owner_id };
}
