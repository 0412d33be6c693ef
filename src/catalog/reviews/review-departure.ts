import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';
import type { Heir } from '../listings/sample-heirs';
import { ListingReview } from './review.entity';
import { COUNT_RATINGS, LOCK_REVIEWED_LISTINGS, WITHDRAW_RATINGS } from './review-rating.sql';

/**
 * Deletes what a person has written about listings, which no longer count it.
 *
 * @param manager of the transaction that deletes the account
 */
export async function removeReviews(manager: EntityManager, userId: string): Promise<void> {
  if ((await execute(manager, LOCK_REVIEWED_LISTINGS, [userId])) === 0) return;
  await execute(manager, WITHDRAW_RATINGS, [userId]);
  await manager.getRepository(ListingReview).delete({ userId });
}

/** @returns how many reviews a person has written */
export function countReviews(manager: EntityManager, userId: string): Promise<number> {
  return manager.getRepository(ListingReview).countBy({ userId });
}

/** `$1`: the sample listing; `$2`: its heir. A person who reviewed both keeps the review of the heir. */
const MOVE = `
  UPDATE listing_reviews SET listing_id = $2
  WHERE listing_id = $1 AND NOT EXISTS (
    SELECT FROM listing_reviews AS own WHERE own.listing_id = $2 AND own.user_id = listing_reviews.user_id)`;

/** Moves the reviews of a sample listing to the real listing of that server, which is locked by the caller. */
export async function moveReviews(manager: EntityManager, sampleId: string, heir: Heir): Promise<void> {
  if (heir.id === sampleId) return;
  if ((await execute(manager, MOVE, [sampleId, heir.id])) > 0) await execute(manager, COUNT_RATINGS, [heir.id]);
}
