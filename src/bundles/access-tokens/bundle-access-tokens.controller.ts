import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../bundle.errors';
import { BundleParam } from '../bundle-param';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { BundleAccessTokenCreate, BundleAccessTokenCreatedOut, BundleAccessTokenOut } from './bundle-access-token.dto';
import { BundleAccessTokensService } from './bundle-access-tokens.service';

@ApiTags('Bundles')
@Controller('bundles/:bundle_id/access-tokens')
export class BundleAccessTokensController {
  constructor(private readonly tokens: BundleAccessTokensService) {}

  @Post()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Create an access token of a bundle',
    description:
      'With `read` it can read this bundle, its entries, its export and what its MCP endpoint lists, with `call` call the tools there, and nothing else. Send it as `Authorization: Bearer tyb_…`. It sees what you see, and stops working when you lose access to the bundle. Only the latest expired tokens are kept.',
  })
  @ShowsSecret()
  @Creates(BundleAccessTokenCreatedOut, ({ id }, path) => `/v1/bundles/${path.bundle_id as string}/access-tokens/${id}`)
  @Fails(ErrorCode.BundleAccessTokenConflict)
  create(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Body() body: BundleAccessTokenCreate) {
    return this.tokens.create(caller, bundleId, body);
  }

  @Get()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'List the access tokens of a bundle',
    description: 'Newest first, including expired ones.',
  })
  @Lists(BundleAccessTokenOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.tokens.list(caller, bundleId, query);
  }

  @Get(':token_id')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('token_id', 'The access token.')
  @ApiOperation({ summary: 'Read an access token of a bundle', description: 'Without the token itself.' })
  @Gives(BundleAccessTokenOut)
  @Fails(ErrorCode.BundleAccessTokenNotFound)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('token_id') id: string) {
    return this.tokens.get(caller, bundleId, id);
  }

  @Delete(':token_id')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('token_id', 'The access token.')
  @ApiOperation({
    summary: 'Revoke an access token of a bundle',
    description: 'It is rejected from the next request on.',
  })
  @GivesNothing('The token no longer works.')
  @Fails(ErrorCode.BundleAccessTokenNotFound)
  revoke(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('token_id') id: string) {
    return this.tokens.revoke(caller, bundleId, id);
  }
}
