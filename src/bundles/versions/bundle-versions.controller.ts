import { applyDecorators, Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../bundle.errors';
import { BundleParam } from '../bundle-param';
import { integer } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { PageQuery } from '../../http/requests/page';
import {
  BundleVersionDetailOut,
  BundleVersionOut,
  VersionCompareQuery,
  VersionComparisonOut,
  VersionRestore,
} from './bundle-version.dto';
import { BundleVersionsService } from './bundle-versions.service';

/** The bundle and the number of its version in the path. */
const VersionParam = () =>
  applyDecorators(
    BundleParam(),
    PathParam('number', integer({ min: 1 }), 'The number of the version.'),
    Fails(ErrorCode.BundleVersionNotFound),
  );

@ApiTags('Bundles')
@Controller('bundles/:bundle_id/versions')
export class BundleVersionsController {
  constructor(private readonly versions: BundleVersionsService) {}

  @Get()
  @Access('bundle-reader')
  @BundleParam()
  @ApiOperation({
    summary: 'List the versions of a bundle',
    description: 'Latest first. Each change of its entries creates one, unless nothing differs.',
  })
  @Lists(BundleVersionOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.versions.list(caller, bundleId, query);
  }

  @Post()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Record the newest listing versions as a version of a bundle',
    description:
      'A version records the version of each listing. Publishing a listing version creates no version of a bundle, but entries that follow the newest refer to it from then on: this creates a version that records it, for deployments and comparisons. If nothing is newer, no version is created.',
  })
  @Gives(BundleVersionDetailOut, 'The current version of the bundle.')
  @Fails(ErrorCode.BundleConflict)
  update(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.versions.recordNewest(caller, bundleId);
  }

  @Get(':number')
  @Access('bundle-reader')
  @VersionParam()
  @ApiOperation({ summary: 'Read a version of a bundle', description: 'With its entries, as far as you may see them.' })
  @Gives(BundleVersionDetailOut)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('number') number: number) {
    return this.versions.get(caller, bundleId, number);
  }

  @Get(':number/compare')
  @Access('bundle-reader')
  @VersionParam()
  @ApiOperation({
    summary: 'Compare two versions of a bundle',
    description:
      'What changes from the one in the path to the other. An entry is the same in both if its id is, or its listing. Members also get what it says of tools.',
  })
  @Gives(VersionComparisonOut)
  compare(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Param('number') number: number,
    @Query() query: VersionCompareQuery,
  ) {
    return this.versions.compare(caller, bundleId, number, query.with);
  }

  @Post(':number/restore')
  @Access('bundle-editor')
  @VersionParam()
  @ApiOperation({
    summary: 'Restore a version of a bundle',
    description:
      'Makes its entries, and what it said of their tools, the current ones, as a new version. An entry whose listing was deleted comes back as unavailable. An entry that followed the newest version of its listing follows it again, unless `pin` is true: then all recorded versions must still exist. If nothing differs, no version is created.',
  })
  @ApiBody({ type: VersionRestore, required: false })
  @Gives(BundleVersionDetailOut, 'The current version of the bundle.')
  @Fails(ErrorCode.BundleConflict, ErrorCode.ListingVersionConflict)
  restore(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Param('number') number: number,
    @Body() body: VersionRestore,
  ) {
    return this.versions.restore(caller, bundleId, number, body);
  }
}
