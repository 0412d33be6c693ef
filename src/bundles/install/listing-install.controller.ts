import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Fails } from '../../http/answers/api-errors';
import { Gives } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { Access } from '../bundle.access';
import { ErrorCode } from '../bundle.errors';
import { ListingInstallOut, ListingInstallQuery } from './install.dto';
import { ListingInstallService } from './listing-install.service';

@ApiTags('MCP Listings')
@Controller('mcp/listings/:listing_id/install')
export class ListingInstallController {
  constructor(private readonly installs: ListingInstallService) {}

  @Get()
  @OperationId('listing_install_get')
  @Access('listing-reader', 'catalog:read')
  @IdParam('listing_id', 'The listing.')
  @ApiOperation({
    summary: 'Read how a listing is put into a client',
    description:
      'The link, the command and the file with which one person gets this server into an editor, as the export of a bundle would write it. It holds no secrets, but placeholders for what its user has to provide, which a page fills in without sending them anywhere.',
  })
  @Gives(ListingInstallOut)
  @Fails(ErrorCode.ListingVersionNotFound)
  get(@CurrentCaller() caller: Caller, @Param('listing_id') id: string, @Query() query: ListingInstallQuery) {
    return this.installs.get(caller, id, query);
  }
}
