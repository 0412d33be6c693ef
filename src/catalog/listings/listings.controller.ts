import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../catalog.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../catalog.errors';
import { IdParam } from '../../http/requests/fields';
import { ListingArchive, ListingCreate, ListingDetailOut, ListingOut, ListingUpdate } from './listing.dto';
import { ListingFacetsOut, ListingFilterQuery, ListingHighlightsOut, ListingQuery } from './listing-query';
import { ListingSearch } from './listing-search.service';
import { ListingsService } from './listings.service';

const ListingParam = (): MethodDecorator => IdParam('listing_id', 'The listing.');

@ApiTags('MCP Listings')
@Controller('mcp/listings')
export class ListingsController {
  constructor(
    private readonly listings: ListingsService,
    private readonly search: ListingSearch,
  ) {}

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List and search listings',
    description: 'By default the public catalogue, newest first.',
  })
  @Lists(ListingOut)
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.Forbidden)
  list(@CurrentCaller() caller: Caller, @Query() query: ListingQuery) {
    return this.search.list(caller, query);
  }

  @Post()
  @Access('account')
  @ApiOperation({ summary: 'Create a listing', description: 'Creates a draft with its first `server.json`.' })
  @Creates(ListingDetailOut, ({ id }) => `/v1/mcp/listings/${id}`)
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.ListingConflict)
  create(@CurrentCaller() caller: Caller, @Body() body: ListingCreate) {
    return this.listings.create(caller, body);
  }

  @Get('facets')
  @OperationId('listing_facets_get')
  @Access('account')
  @ApiOperation({
    summary: 'Count listings by category, transport and registry',
    description:
      'The number of listings that the list would return in each category, with each transport and with packages in each registry. Each count ignores the filter by the same.',
  })
  @Gives(ListingFacetsOut, 'The counts.')
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.Forbidden)
  facets(@CurrentCaller() caller: Caller, @Query() query: ListingFilterQuery) {
    return this.search.facets(caller, query);
  }

  @Get('highlights')
  @OperationId('listing_highlights_get')
  @Access('account')
  @ApiOperation({
    summary: 'Read what a start page shows',
    description: 'The newest listings of your organisations, and of the public catalogue.',
  })
  @Gives(ListingHighlightsOut)
  highlights(@CurrentCaller() caller: Caller) {
    return this.search.highlights(caller);
  }

  @Get(':listing_id')
  @Access('listing-reader')
  @ListingParam()
  @ApiOperation({
    summary: 'Read a listing',
    description: 'With the `server.json` and the documentation of its latest version.',
  })
  @Gives(ListingDetailOut)
  get(@CurrentCaller() caller: Caller, @Param('listing_id') id: string) {
    return this.listings.get(caller, id);
  }

  @Patch(':listing_id')
  @Access('listing-editor')
  @ListingParam()
  @ApiOperation({
    summary: 'Change a listing',
    description:
      'Only category, visibility and slug can be changed; everything else comes from the latest version. An absent or null field keeps its value. While platform administrators keep it archived, its visibility stays.',
  })
  @Gives(ListingDetailOut)
  @Fails(ErrorCode.NamespaceRequired, ErrorCode.ListingConflict)
  update(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Body() body: ListingUpdate) {
    return this.listings.update(caller, id, body);
  }

  @Delete(':listing_id')
  @Access('listing-editor')
  @ListingParam()
  @ApiOperation({ summary: 'Delete a draft', description: 'A listing that was ever published can only be archived.' })
  @GivesNothing()
  @Fails(ErrorCode.ListingConflict)
  remove(@CurrentCaller() caller: Caller, @Param('listing_id') id: string) {
    return this.listings.remove(caller, id);
  }

  @Post(':listing_id/publish')
  @HttpCode(200)
  @Access('listing-editor')
  @ListingParam()
  @ApiOperation({
    summary: 'Publish a listing',
    description:
      'Publishes a draft or an archived listing. To publish a PUBLIC listing, its owner needs the namespace. What platform administrators have archived with a reason, only they publish.',
  })
  @Gives(ListingDetailOut)
  @Fails(ErrorCode.NamespaceRequired, ErrorCode.ListingConflict)
  publish(@CurrentCaller() caller: Caller, @Param('listing_id') id: string) {
    return this.listings.publish(caller, id);
  }

  @Post(':listing_id/archive')
  @HttpCode(200)
  @Access('listing-editor')
  @ListingParam()
  @ApiOperation({
    summary: 'Archive a listing',
    description:
      'Removes the listing from the catalogue. Bundles keep their entries, marked unavailable. With the reason of a platform administrator who is not also its owner, it stays archived until one of them restores it, even if it was archived before; another reason replaces the former one.',
  })
  @ApiBody({ type: ListingArchive, required: false })
  @Gives(ListingDetailOut)
  @Fails(ErrorCode.ListingConflict)
  archive(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Body() body: ListingArchive = {}) {
    return this.listings.archive(caller, id, body);
  }

  @Post(':listing_id/restore')
  @HttpCode(200)
  @Access('listing-editor')
  @ListingParam()
  @ApiOperation({
    summary: 'Restore an archived listing',
    description:
      'Returns the listing to the catalogue unchanged, and forgets the reason. What platform administrators have archived with a reason, only they restore.',
  })
  @Gives(ListingDetailOut)
  @Fails(ErrorCode.NamespaceRequired, ErrorCode.ListingConflict)
  restore(@CurrentCaller() caller: Caller, @Param('listing_id') id: string) {
    return this.listings.restore(caller, id);
  }
}
