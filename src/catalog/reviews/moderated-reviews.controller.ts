import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../catalog.access';
import { Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ModeratedReviewOut, ModeratedReviewQuery } from './moderated-review.dto';
import { ModeratedReviews } from './moderated-reviews.service';

@ApiTags('Reviews')
@Controller('platform/reviews')
export class ModeratedReviewsController {
  constructor(private readonly reviews: ModeratedReviews) {}

  @Get()
  @OperationId('platform_reviews_list')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List the reviews of all public listings',
    description: 'Newest first, of listings that are or were public, hidden reviews included.',
  })
  @Lists(ModeratedReviewOut)
  list(@CurrentCaller() caller: Caller, @Query() query: ModeratedReviewQuery) {
    return this.reviews.list(caller, query);
  }
}
