import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { ForbiddenError } from '../../errors/errors';
import { Page, Pages } from '../../http/requests/page';
import {
  type ModeratedReviewOut,
  type ModeratedReviewQuery,
  type ModeratedReviewRow,
  toModeratedReview,
} from './moderated-review.dto';
import { ALL_REVIEWS, HIDDEN_REVIEWS, type ReviewState, SHOWN_REVIEWS } from './review.sql';

const LIST = 'moderated reviews';

/** The reviews of all public listings, for platform administrators. */
@Injectable()
export class ModeratedReviews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** Newest first. @throws ForbiddenError */
  async list(caller: Caller, { state, ...query }: ModeratedReviewQuery): Promise<Page<ModeratedReviewOut>> {
    if (!caller.isPlatformAdmin) throw new ForbiddenError('Only platform administrators moderate reviews.');
    const page = this.pages.open(LIST, query, { state });
    const values = [page.after ?? null, page.take];
    const rows = await this.rows(page.filter.state, values);
    return page.close(rows, (row) => toModeratedReview(row, caller.userId));
  }

  private rows(state: ReviewState | undefined, values: readonly unknown[]): Promise<ModeratedReviewRow[]> {
    if (state === 'HIDDEN') return many<ModeratedReviewRow>(this.dataSource, HIDDEN_REVIEWS, values);
    if (state === 'SHOWN') return many<ModeratedReviewRow>(this.dataSource, SHOWN_REVIEWS, values);
    return many<ModeratedReviewRow>(this.dataSource, ALL_REVIEWS, values);
  }
}
