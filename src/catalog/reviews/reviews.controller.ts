import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { IdParam } from '../../http/requests/fields';
import { Access } from '../catalog.access';
import { ErrorCode } from '../catalog.errors';
import { ReviewAnswerPut, ReviewCreate, ReviewHide, ReviewOut, ReviewQuery, ReviewUpdate } from './review.dto';
import { ReviewsService } from './reviews.service';

const ListingParam = (): MethodDecorator => IdParam('listing_id', 'The listing.');
const ReviewParam = (): MethodDecorator => IdParam('review_id', 'The review.');

@ApiTags('Reviews')
@Controller('mcp/listings/:listing_id/reviews')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  @Access('listing-reader')
  @ListingParam()
  @ApiOperation({
    summary: 'List the reviews of a listing',
    description: 'Newest first. Hidden ones only for their authors and platform administrators.',
  })
  @Lists(ReviewOut)
  list(@CurrentCaller() caller: Caller, @Param('listing_id') listingId: string, @Query() query: ReviewQuery) {
    return this.reviews.list(caller, listingId, query);
  }

  @Post()
  @Access('listing-reader')
  @ListingParam()
  @ApiOperation({ summary: 'Review a listing', description: 'A published one, once.' })
  @Creates(ReviewOut, ({ id }, { listing_id }) => `/v1/mcp/listings/${String(listing_id)}/reviews/${id}`)
  @Fails(ErrorCode.ReviewConflict)
  create(@CurrentCaller() caller: Caller, @Param('listing_id') listingId: string, @Body() body: ReviewCreate) {
    return this.reviews.create(caller, listingId, body);
  }

  @Get(':review_id')
  @Access('review-reader')
  @ListingParam()
  @ReviewParam()
  @ApiOperation({ summary: 'Read a review' })
  @Gives(ReviewOut)
  get(@CurrentCaller() caller: Caller, @Param('listing_id') listingId: string, @Param('review_id') id: string) {
    return this.reviews.get(caller, listingId, id);
  }

  @Patch(':review_id')
  @Access('review-author')
  @ListingParam()
  @ReviewParam()
  @ApiOperation({
    summary: 'Change your review',
    description: 'An absent or null field keeps its value. A hidden review stays hidden.',
  })
  @Gives(ReviewOut)
  update(
    @CurrentCaller() caller: Caller,
    @Param('listing_id') listingId: string,
    @Param('review_id') id: string,
    @Body() body: ReviewUpdate,
  ) {
    return this.reviews.update(caller, listingId, id, body);
  }

  @Delete(':review_id')
  @Access('review-author')
  @ListingParam()
  @ReviewParam()
  @ApiOperation({
    summary: 'Delete your review',
    description:
      'Also of a listing that you may no longer see. A hidden review cannot be deleted; its text can be removed.',
  })
  @GivesNothing()
  @Fails(ErrorCode.ReviewConflict)
  remove(@CurrentCaller() caller: Caller, @Param('listing_id') listingId: string, @Param('review_id') id: string) {
    return this.reviews.remove(caller, listingId, id);
  }

  @Put(':review_id/answer')
  @Access('review-answerer')
  @ListingParam()
  @ReviewParam()
  @ApiOperation({ summary: 'Answer a review', description: 'For the listing, once.' })
  @Gives(ReviewOut)
  @Fails(ErrorCode.ReviewConflict)
  answer(
    @CurrentCaller() caller: Caller,
    @Param('listing_id') listingId: string,
    @Param('review_id') id: string,
    @Body() { text }: ReviewAnswerPut,
  ) {
    return this.reviews.answer(caller, listingId, id, text);
  }

  @Post(':review_id/hide')
  @HttpCode(200)
  @Access('platform-admin')
  @ListingParam()
  @ReviewParam()
  @ApiOperation({
    summary: 'Hide a review',
    description: 'It does not count then. Another reason replaces the former one.',
  })
  @Gives(ReviewOut)
  @Fails(ErrorCode.ListingNotFound, ErrorCode.ReviewNotFound)
  hide(
    @CurrentCaller() caller: Caller,
    @Param('listing_id') listingId: string,
    @Param('review_id') id: string,
    @Body() { reason }: ReviewHide,
  ) {
    return this.reviews.hide(caller, listingId, id, reason);
  }

  @Post(':review_id/show')
  @HttpCode(200)
  @Access('platform-admin')
  @ListingParam()
  @ReviewParam()
  @ApiOperation({ summary: 'Show a hidden review again', description: 'Repeating it changes nothing.' })
  @Gives(ReviewOut)
  @Fails(ErrorCode.ListingNotFound, ErrorCode.ReviewNotFound)
  show(@CurrentCaller() caller: Caller, @Param('listing_id') listingId: string, @Param('review_id') id: string) {
    return this.reviews.show(caller, listingId, id);
  }
}
