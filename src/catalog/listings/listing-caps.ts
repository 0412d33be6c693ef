import type { EntityManager } from 'typeorm';
import type { Limits } from '../../config/limits';
import { type Cap, requireRoom } from '../../database/cap';
import { ErrorCode } from '../catalog.errors';

/** One lock for both caps, because every listing that a user creates starts as a draft. */
const NAME = 'listings';

// The index on the owner returns all their listings, drafts are then filtered; the cap on listings bounds the cost.
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
 * Checks that an organisation, or a user if `orgId` is null, may have one more draft.
 *
 * @param manager of the transaction that then creates the draft
 * @throws ConflictError if the owner has reached the cap on drafts or listings
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
 * Checks that a listing may have one more version.
 *
 * @param manager of a transaction in which the listing is locked
 * @throws ConflictError if the listing has reached the cap
 */
export function requireRoomForVersion(manager: EntityManager, limits: Limits, listingId: string): Promise<void> {
  return requireRoom(manager, VERSIONS, { ownerId: listingId, most: limits.versionsPerListing, isOwnerLocked: true });
}
