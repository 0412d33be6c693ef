import { administers, type Me } from '../../api/me';
import type { ListingDetail } from '../../api/schema';

/** @returns whether the person answers for a listing: its owner, or an administrator of the organisation that owns it */
export function speaksFor({ org_id: orgId, owner_id: ownerId }: ListingDetail, me: Me): boolean {
  return orgId === null ? ownerId === me.id : administers(me, orgId);
}
