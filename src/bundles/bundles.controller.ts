import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from './bundle.access';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { OperationId } from '../http/openapi/openapi-operations';
import { ErrorCode } from './bundle.errors';
import { BundleParam } from './bundle-param';
import { BundleCreate, BundleDeletionPreviewOut, BundleOut, BundleQuery, BundleUpdate } from './bundle.dto';
import { BundlesService } from './bundles.service';

@ApiTags('Bundles')
@Controller('bundles')
export class BundlesController {
  constructor(private readonly bundles: BundlesService) {}

  @Post()
  @Access('account')
  @ApiOperation({
    summary: 'Create a bundle',
    description: 'A personal bundle, or a bundle of an organisation of which you are a member.',
  })
  @Creates(BundleOut, ({ id }) => `/v1/bundles/${id}`)
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.BundleConflict)
  create(@CurrentCaller() caller: Caller, @Body() body: BundleCreate) {
    return this.bundles.create(caller, body);
  }

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List bundles',
    description:
      'Newest first: bundles that you own, edit or see as a member of an organisation, or those that `scope` selects.',
  })
  @Lists(BundleOut)
  @Fails(ErrorCode.OrganisationNotFound)
  list(@CurrentCaller() caller: Caller, @Query() query: BundleQuery) {
    return this.bundles.list(caller, query);
  }

  @Get(':bundle_id')
  @Access('bundle-reader-or-token')
  @BundleParam()
  @ApiOperation({ summary: 'Read a bundle' })
  @Gives(BundleOut)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') id: string) {
    return this.bundles.get(caller, id);
  }

  @Patch(':bundle_id')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({ summary: 'Change a bundle', description: 'A field that is absent or null keeps its value.' })
  @Gives(BundleOut)
  @Fails(ErrorCode.BundleConflict)
  update(@CurrentCaller() caller: Caller, @Param('bundle_id') id: string, @Body() body: BundleUpdate) {
    return this.bundles.update(caller, id, body);
  }

  @Get(':bundle_id/deletion-preview')
  @OperationId('bundles_preview_deletion')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Preview the deletion of a bundle',
    description: 'Counts what would be deleted with it now, and whether clients use it as an MCP endpoint.',
  })
  @Gives(BundleDeletionPreviewOut, 'What would be deleted.')
  deletionPreview(@CurrentCaller() caller: Caller, @Param('bundle_id') id: string) {
    return this.bundles.deletionPreview(caller, id);
  }

  @Delete(':bundle_id')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Delete a bundle',
    description:
      'Also deletes its entries and their versions, its access tokens, its follow links, its editors and every deployment bound to it.',
  })
  @GivesNothing('The bundle was deleted, with everything that belonged to it.')
  remove(@CurrentCaller() caller: Caller, @Param('bundle_id') id: string) {
    return this.bundles.remove(caller, id);
  }
}
