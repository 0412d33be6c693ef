import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, InstantField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { ReviewOut, type ReviewRow, toReview } from './review.dto';
import { REVIEW_STATES, type ReviewState } from './review.sql';

export class ModeratedReviewQuery extends PageQuery {
  @EnumField(REVIEW_STATES, { required: false, description: 'Default: all.' })
  state?: ReviewState;
}

/** The listing of a review. */
export class ReviewedListingOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'io.github.acme/weather' })
  name: string;

  @ApiProperty({ example: 'Weather' })
  title: string;
}

/** A review as those see it who moderate. */
export class ModeratedReviewOut extends ReviewOut {
  @ApiProperty({ type: ReviewedListingOut })
  listing: ReviewedListingOut;

  @InstantField({ nullable: true })
  hidden_at: string | null;
}

/** A row as selected by the service. */
export type ModeratedReviewRow = ReviewRow & { listing_id: string; listing_name: string; listing_title: string };

/** @param userId the caller */
export function toModeratedReview(row: ModeratedReviewRow, userId: string): ModeratedReviewOut {
  const { listing_id: id, listing_name: name, listing_title: title } = row;
  return {
    ...toReview(row),
    is_own: row.user_id === userId,
    listing: { id, name, title },
    hidden_at: row.hidden_at?.toISOString() ?? null,
  };
}
