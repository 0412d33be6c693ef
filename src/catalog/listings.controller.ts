import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Gives, Lists } from '../http/answers';
import { Fails } from '../http/api-errors';
import { ErrorCode } from '../http/errors';
import { IdParam } from '../http/fields';
import { ListingDetailOut, ListingOut, ListingQuery } from './listing.dto';
import { ListingsService } from './listings.service';

@ApiTags('MCP Listings')
@Controller('mcp/listings')
export class ListingsController {
  constructor(private readonly listings: ListingsService) {}

  @Get()
  @Access('account')
  @ApiOperation({ summary: 'List the public catalogue', description: 'Newest first.' })
  @Lists(ListingOut)
  list(@Query() query: ListingQuery) {
    return this.listings.list(query);
  }

  @Get(':listing_id')
  @Access('account')
  @IdParam('listing_id', 'The listing.')
  @ApiOperation({ summary: 'Read a listing', description: 'With the `server.json` of its latest version.' })
  @Gives(ListingDetailOut)
  @Fails(ErrorCode.ListingNotFound)
  get(@CurrentCaller() caller: Caller, @Param('listing_id') id: string) {
    return this.listings.get(caller, id);
  }
}
