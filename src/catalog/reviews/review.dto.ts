import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { BooleanField, IdField, InstantField, IntegerField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { ListingReview } from './review.entity';

const MAX_TEXT_LENGTH = 4_000;
const MAX_REASON_LENGTH = 500;

const RATING = { min: 1, max: 5, example: 4 };

export class ReviewQuery extends PageQuery {
  @BooleanField({ required: false, description: 'Only your own review.' })
  mine?: boolean;
}

export class ReviewCreate {
  @IntegerField({ ...RATING, description: '5 is best.' })
  rating: number;

  @TextField({ required: false, nullable: true, max: MAX_TEXT_LENGTH, description: 'Default: none.' })
  text?: string | null;
}

export class ReviewUpdate {
  @IntegerField({ ...RATING, required: false, nullable: true })
  rating?: number | null;

  @TextField({ required: false, nullable: true, max: MAX_TEXT_LENGTH })
  text?: string | null;
}

export class ReviewAnswerPut {
  @TextField({ min: 1, max: MAX_TEXT_LENGTH, pattern: '\\S', example: 'Fixed in 1.4.1. Thank you!' })
  text: string;
}

export class ReviewHide {
  @TextField({
    min: 1,
    max: MAX_REASON_LENGTH,
    pattern: '\\S',
    example: 'It names a customer.',
    description: 'Shown to the author.',
  })
  reason: string;
}

/** The person who wrote a review. */
export class ReviewAuthorOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description: 'Null also for a person who is in none of your organisations.',
  })
  name: string | null;
}

/** What the owner of the listing answers. */
export class ReviewAnswerOut {
  @ApiProperty({ example: 'Fixed in 1.4.1. Thank you!' })
  text: string;

  @InstantField()
  answered_at: string;
}

/** What a person thinks of a listing. */
export class ReviewOut {
  @IdField()
  id: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5, example: 4 })
  rating: number;

  @ApiProperty({ example: 'Fast, and the warnings are right.', description: 'May be empty.' })
  text: string;

  @ApiProperty({ type: ReviewAuthorOut })
  author: ReviewAuthorOut;

  @ApiProperty({ description: 'Whether you wrote it.' })
  is_own: boolean;

  @ApiProperty({
    description:
      'Whether a platform administrator has hidden it. Then only its author and platform administrators see it, and it does not count.',
  })
  is_hidden: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it is hidden.' })
  hidden_reason: string | null;

  @ApiProperty({ type: ReviewAnswerOut, nullable: true })
  answer: ReviewAnswerOut | null;

  @InstantField()
  created_at: string;

  @InstantField({ description: 'When its author last changed it.' })
  updated_at: string;
}

/** A row as selected by the service. */
export type ReviewRow = Pick<
  Columns<ListingReview>,
  | 'id'
  | 'user_id'
  | 'rating'
  | 'text'
  | 'answer'
  | 'answered_at'
  | 'hidden_at'
  | 'hidden_reason'
  | 'created_at'
  | 'updated_at'
> & { author_name: string | null; is_own: boolean };

export function toReview(row: ReviewRow): ReviewOut {
  const { answer, answered_at } = row;
  return {
    id: row.id,
    rating: row.rating,
    text: row.text,
    author: { user_id: row.user_id, name: row.author_name },
    is_own: row.is_own,
    is_hidden: row.hidden_at !== null,
    hidden_reason: row.hidden_reason,
    answer: answer !== null && answered_at !== null ? { text: answer, answered_at: answered_at.toISOString() } : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
