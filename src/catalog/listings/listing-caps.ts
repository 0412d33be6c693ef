import type { EntityManager } from 'typeorm';
import type { Limits } from '../../config/limits';
import { type Cap, requireRoom } from '../../database/cap';
import { ErrorCode } from '../catalog.errors';

/** One lock for drafts and listings, as every listing that a person makes begins as a draft. */
const NAME = 'listings';

// The index on the owner gives all their listings; of those, drafts are picked out. The cap on listings bounds that.
const ofOrganisation = 'listings WHERE org_id = $1';
const ofPerson = 'listings WHERE owner_id = $1 AND org_id IS NULL';
type OfOwner = typeof ofOrganisation | typeof ofPerson;

function draftCap(rows: OfOwner): Cap {
  return {
    name: NAME,
    rows: `${rows} AND status = 'DRAFT'`,
    code: ErrorCode.ListingConflict,
    detail: (most) => `This owner has ${most} drafts, which is the limit. Publish or delete one first.`,
  };
}

function listingCap(rows: OfOwner): Cap {
  return {
    name: NAME,
    rows,
    code: ErrorCode.ListingConflict,
    detail: (most) => `This owner has ${most} listings, including archived ones, which is the limit.`,
  };
}

const VERSIONS: Cap = {
  name: 'versions of a listing',
  rows: 'listing_versions WHERE listing_id = $1',
  code: ErrorCode.ListingVersionConflict,
  detail: (most) => `The listing has ${most} versions, which is the limit.`,
};

/**
 * Refuses one more draft of an organisation, or of a person where that is null.
 *
 * @param manager of the transaction that makes the draft after this
 * @throws ConflictError when the owner has as many drafts or listings as allowed
 */
export async function requireRoomForDraft(
  manager: EntityManager,
  { draftsPerOwner, listingsPerOwner }: Limits,
  { orgId, userId }: { orgId: string | null; userId: string },
): Promise<void> {
  const rows = orgId === null ? ofPerson : ofOrganisation;
  const ownerId = orgId ?? userId;
  await requireRoom(manager, draftCap(rows), { ownerId, most: draftsPerOwner });
  await requireRoom(manager, listingCap(rows), { ownerId, most: listingsPerOwner, isOwnerLocked: true });
}

/**
 * Refuses one more version of a listing.
 *
 * @param manager of a transaction in which the listing is locked
 * @throws ConflictError when it has as many as allowed
 */
export function requireRoomForVersion(manager: EntityManager, limits: Limits, listingId: string): Promise<void> {
  return requireRoom(manager, VERSIONS, { ownerId: listingId, most: limits.versionsPerListing, isOwnerLocked: true });
}
