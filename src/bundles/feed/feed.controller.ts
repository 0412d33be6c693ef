import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { PageQuery } from '../../http/requests/page';
import { Access } from '../bundle.access';
import { FeedItemOut } from './feed.dto';
import { FeedService } from './feed.service';

/** What is new for the caller. */
@ApiTags('Bundles')
@Controller('users/me')
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  @Get('feed')
  @OperationId('my_feed_list')
  @Access('account')
  @ApiOperation({
    summary: 'List what changed in the bundles that you follow',
    description: 'Newest first: each version of the bundles that you follow and may see, with what it changed.',
  })
  @Lists(FeedItemOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.feed.list(caller, query);
  }
}
