import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../catalog.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../catalog.errors';
import { IdParam } from '../../http/requests/fields';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { PageQuery } from '../../http/requests/page';
import { ListingDetailOut, ListingVersionAdd, ListingVersionDetailOut, ListingVersionOut } from './listing.dto';
import { ListingsService } from './listings.service';

const ListingParam = (): MethodDecorator => IdParam('listing_id', 'The listing.');

@ApiTags('MCP Listings')
@Controller('mcp/listings/:listing_id/versions')
export class ListingVersionsController {
  constructor(private readonly listings: ListingsService) {}

  @Post()
  @Access('listing-editor')
  @ListingParam()
  @ApiOperation({
    summary: 'Add a version',
    description: 'Versions are immutable. The listing shows the latest version by precedence, not the one added last.',
  })
  @Creates(ListingDetailOut, ({ id }) => `/v1/mcp/listings/${id}/versions`)
  @Fails(ErrorCode.ListingVersionConflict, ErrorCode.NamespaceRequired)
  add(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Body() body: ListingVersionAdd) {
    return this.listings.addVersion(caller, id, body);
  }

  @Get()
  @Access('listing-reader')
  @ListingParam()
  @ApiOperation({ summary: 'List the versions of a listing', description: 'Newest first.' })
  @Lists(ListingVersionOut)
  list(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Query() query: PageQuery) {
    return this.listings.versions(caller, id, query);
  }

  @Get(':version')
  @Access('listing-reader')
  @ListingParam()
  @PathParam('version', text({ max: 255 }), 'The version, percent-encoded.')
  @ApiOperation({ summary: 'Read a version', description: 'With its `server.json` and its documentation.' })
  @Gives(ListingVersionDetailOut)
  @Fails(ErrorCode.ListingVersionNotFound)
  get(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Param('version') version: string) {
    return this.listings.version(caller, id, version);
  }
}
