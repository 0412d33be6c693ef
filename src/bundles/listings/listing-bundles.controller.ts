import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { Access } from '../bundle.access';
import { ListingAllowanceOut } from './listing-allowance.dto';
import { ListingBundleOut } from './listing-bundle.dto';
import { ListingBundlesService } from './listing-bundles.service';

const ListingParam = (): MethodDecorator => IdParam('listing_id', 'The listing.');

@ApiTags('MCP Listings')
@Controller('mcp/listings/:listing_id')
export class ListingBundlesController {
  constructor(private readonly uses: ListingBundlesService) {}

  @Get('bundles')
  @OperationId('listing_bundles_list')
  @Access('listing-reader')
  @ListingParam()
  @ApiOperation({
    summary: 'List the bundles that have a listing',
    description: 'Only bundles that you may see are listed, newest first.',
  })
  @Lists(ListingBundleOut)
  bundles(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Query() query: PageQuery) {
    return this.uses.bundles(caller, id, query);
  }

  @Get('allowances')
  @OperationId('listing_allowances_list')
  @Access('listing-reader')
  @ListingParam()
  @ApiOperation({
    summary: 'List the organisations that allow a listing, or do not',
    description: 'Each organisation of which you are a member, and by which rule its allow list has the listing.',
  })
  @Lists(ListingAllowanceOut)
  allowances(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Query() query: PageQuery) {
    return this.uses.allowances(caller, id, query);
  }
}
