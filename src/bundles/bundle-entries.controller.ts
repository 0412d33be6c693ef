import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Creates, Lists } from '../http/answers';
import { Fails } from '../http/api-errors';
import { ErrorCode } from '../http/errors';
import { IdParam } from '../http/fields';
import { PageQuery } from '../http/page';
import { BundleEntriesService } from './bundle-entries.service';
import { BundleEntryAdd, BundleEntryOut } from './bundle-entry.dto';

@ApiTags('Bundles')
@Controller('bundles/:bundle_id/entries')
export class BundleEntriesController {
  constructor(private readonly entries: BundleEntriesService) {}

  @Post()
  @Access('bundle-editor')
  @IdParam('bundle_id', 'The bundle.')
  @ApiOperation({ summary: 'Put a listing into a bundle' })
  @Creates(BundleEntryOut, (_, path) => `/v1/bundles/${path.bundle_id as string}/entries`)
  @Fails(ErrorCode.ListingNotFound, ErrorCode.BundleEntryConflict)
  add(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Body() body: BundleEntryAdd) {
    return this.entries.add(caller, bundleId, body);
  }

  @Get()
  @Access('bundle-reader')
  @IdParam('bundle_id', 'The bundle.')
  @ApiOperation({
    summary: 'List the entries of a bundle',
    description:
      'In the order of their positions, without those whose listing is private or a draft and not yours to see.',
  })
  @Lists(BundleEntryOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.entries.list(caller, bundleId, query);
  }
}
