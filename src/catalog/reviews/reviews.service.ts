import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { newId } from '../../database/id';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, ForbiddenError, requireFound } from '../../errors/errors';
import type { EventTypes } from '../../events/event-types';
import { record } from '../../events/outbox';
import { Page, Pages } from '../../http/requests/page';
import { requireOpenAccount } from '../../users/open-account';
import { ErrorCode } from '../catalog.errors';
import type { ListedRow } from '../listings/listing.dto';
import { ListingFinder } from '../listings/listing-finder';
import type { ReviewCreate, ReviewOut, ReviewQuery, ReviewRow, ReviewUpdate } from './review.dto';
import { toReview } from './review.dto';
import { ListingReview } from './review.entity';
import { ADJUST_RATING } from './review-rating.sql';
import {
  ANSWER_REVIEW,
  FIND_REVIEW,
  HIDE_REVIEW,
  INSERT_REVIEW,
  NEWEST_REVIEWS,
  OWN_REVIEW,
  SHOW_REVIEW,
  SPEAKS_FOR_LISTING,
  UPDATE_REVIEW,
} from './review.sql';

const LIST = 'reviews';

/**
 * Reviews of listings: one per person and listing, by those who can see it. Every change locks the listing first, which
 * counts the reviews that are not hidden in the same transaction.
 */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ListingFinder,
    private readonly pages: Pages,
  ) {}

  /** Newest first. @throws NotFoundError for the listing */
  async list(caller: Caller, listingId: string, { limit, cursor, mine }: ReviewQuery): Promise<Page<ReviewOut>> {
    const filter = { listing: listingId, mine: mine ? 'true' : undefined };
    const page = this.pages.open<{ listing: string; mine?: string }>(LIST, { limit, cursor }, filter);
    const { manager } = this.dataSource;
    const { id } = await this.finder.listed(manager, caller, listingId);
    const values = [...parametersOf(caller, id), page.after, page.take];
    const rows = page.filter.mine
      ? await many<ReviewRow>(manager, OWN_REVIEW, values)
      : await many<ReviewRow>(manager, NEWEST_REVIEWS, values);
    return page.close(rows, toReview);
  }

  /** @throws NotFoundError for the listing or the review, also for one that is hidden from the caller */
  async get(caller: Caller, listingId: string, id: string): Promise<ReviewOut> {
    const { manager } = this.dataSource;
    const listing = await this.finder.listed(manager, caller, listingId);
    return toReview(await this.find(manager, caller, listing.id, id));
  }

  /** @throws NotFoundError; ConflictError if the caller has reviewed the listing, or it is not published */
  async create(caller: Caller, listingId: string, { rating, text }: ReviewCreate): Promise<ReviewOut> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      const listing = await this.finder.held(manager, caller, listingId);
      if (listing.status !== 'PUBLISHED')
        throw conflict(`Only a published listing can be reviewed; this one is ${listing.status}.`);
      const id = newId();
      await execute(manager, INSERT_REVIEW, [id, listing.id, caller.userId, rating, text ?? '']);
      await execute(manager, ADJUST_RATING, [listing.id, 1, rating]);
      const review = await this.find(manager, caller, listing.id, id);
      await record(manager, { type: 'review.created', ...ownerOf(listing), data: dataOf(listing, review) });
      return toReview(review);
    });
  }

  /**
   * An absent or null field keeps its value. A hidden review stays hidden.
   *
   * @throws NotFoundError; ForbiddenError for anyone but the author
   */
  async update(caller: Caller, listingId: string, id: string, input: ReviewUpdate): Promise<ReviewOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const listing = await this.finder.held(manager, caller, listingId);
      const before = requireAuthor(await this.find(manager, caller, listing.id, id));
      const rating = input.rating ?? before.rating;
      const text = input.text ?? before.text;
      const changed: EventTypes['review.updated']['changed'] = [];
      if (rating !== before.rating) changed.push('rating');
      if (text !== before.text) changed.push('text');
      if (changed.length === 0) return toReview(before);
      await execute(manager, UPDATE_REVIEW, [before.id, rating, text]);
      if (before.hidden_at === null && rating !== before.rating)
        await execute(manager, ADJUST_RATING, [listing.id, 0, rating - before.rating]);
      const review = await this.find(manager, caller, listing.id, id);
      const data = { ...dataOf(listing, review), changed };
      await record(manager, { type: 'review.updated', ...ownerOf(listing), data });
      return toReview(review);
    });
  }

  /**
   * Also the review of a listing that its author may no longer see.
   *
   * @throws NotFoundError; ForbiddenError for anyone but the author; ConflictError for a hidden one, which its author
   *   could otherwise write again to show it
   */
  async remove(caller: Caller, listingId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await this.finder.hold(manager, listingId);
      const found = await maybe<ReviewRow>(manager, FIND_REVIEW, [...parametersOf(caller, listingId), id]);
      if (!found?.is_own) await this.finder.listed(manager, caller, listingId);
      const review = requireAuthor(requireFound(found, ErrorCode.ReviewNotFound, id));
      if (review.hidden_at !== null)
        throw conflict('A hidden review cannot be deleted. You can remove its text by changing it.');
      const listing = await this.finder.changed(manager, caller, listingId);
      await manager.getRepository(ListingReview).delete({ id: review.id });
      await execute(manager, ADJUST_RATING, [listing.id, -1, -review.rating]);
      await record(manager, { type: 'review.deleted', ...ownerOf(listing), data: dataOf(listing, review) });
    });
  }

  /**
   * For the owner of the listing, once.
   *
   * @throws NotFoundError; ForbiddenError for anyone who does not speak for the listing; ConflictError if the review has
   *   an answer
   */
  async answer(caller: Caller, listingId: string, id: string, text: string): Promise<ReviewOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const listing = await this.finder.held(manager, caller, listingId);
      const review = await this.find(manager, caller, listing.id, id);
      if ((await execute(manager, SPEAKS_FOR_LISTING, parametersOf(caller, listing.id))) === 0) {
        throw new ForbiddenError(
          'Only the owner of the listing, or an ADMIN or OWNER of its organisation, can answer a review.',
        );
      }
      if (review.answer !== null) throw conflict('The review has been answered already; it can be answered once.');
      await execute(manager, ANSWER_REVIEW, [review.id, text]);
      const data = { ...dataOf(listing, review), answered_by: caller.userId };
      await record(manager, { type: 'review.answered', ...ownerOf(listing), data });
      return toReview(await this.find(manager, caller, listing.id, id));
    });
  }

  /**
   * Hides a review from all but its author and platform administrators. Another reason replaces the former one.
   *
   * @throws ForbiddenError for anyone but platform administrators; NotFoundError
   */
  async hide(caller: Caller, listingId: string, id: string, reason: string): Promise<ReviewOut> {
    return this.moderate(caller, listingId, id, async (manager, listing, review) => {
      if (review.hidden_at !== null && review.hidden_reason === reason) return;
      await execute(manager, HIDE_REVIEW, [review.id, reason]);
      if (review.hidden_at === null) await execute(manager, ADJUST_RATING, [listing.id, -1, -review.rating]);
      const data = { ...dataOf(listing, review), reason };
      await record(manager, { type: 'review.hidden', ...ownerOf(listing), data });
    });
  }

  /** Shows a hidden review again. @throws like `hide` */
  async show(caller: Caller, listingId: string, id: string): Promise<ReviewOut> {
    return this.moderate(caller, listingId, id, async (manager, listing, review) => {
      if (review.hidden_at === null) return;
      await execute(manager, SHOW_REVIEW, [review.id]);
      await execute(manager, ADJUST_RATING, [listing.id, 1, review.rating]);
      await record(manager, { type: 'review.shown', ...ownerOf(listing), data: dataOf(listing, review) });
    });
  }

  private async moderate(
    caller: Caller,
    listingId: string,
    id: string,
    apply: (manager: EntityManager, listing: ListedRow, review: ReviewRow) => Promise<void>,
  ): Promise<ReviewOut> {
    if (!caller.isPlatformAdmin) throw new ForbiddenError('Only platform administrators can hide reviews.');
    return inTransaction(this.dataSource, async (manager) => {
      const listing = await this.finder.held(manager, caller, listingId);
      await apply(manager, listing, await this.find(manager, caller, listing.id, id));
      return toReview(await this.find(manager, caller, listing.id, id));
    });
  }

  private async find(manager: EntityManager, caller: Caller, listingId: string, id: string): Promise<ReviewRow> {
    const row = await maybe<ReviewRow>(manager, FIND_REVIEW, [...parametersOf(caller, listingId), id]);
    return requireFound(row, ErrorCode.ReviewNotFound, id);
  }
}

/** `$1` to `$3` of the statements about reviews. */
function parametersOf({ userId, isPlatformAdmin }: Caller, listingId: string): [string, string, boolean] {
  return [listingId, userId, isPlatformAdmin];
}

/** @throws ForbiddenError */
function requireAuthor(review: ReviewRow): ReviewRow {
  if (review.is_own) return review;
  throw new ForbiddenError('Only its author can change or delete a review.');
}

function conflict(detail: string): ConflictError {
  return new ConflictError(ErrorCode.ReviewConflict, detail);
}

function ownerOf({ org_id, owner_id }: ListedRow): { orgId: string | null; ownerId: string | null } {
  return { orgId: org_id, ownerId: owner_id };
}

function dataOf(listing: ListedRow, { id, user_id, rating }: ReviewRow): EventTypes['review.created'] {
  const { id: listing_id, name, org_id } = listing;
  return { review_id: id, listing_id, name, user_id, rating, org_id };
}
