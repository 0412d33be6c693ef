import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../bundle.errors';
import { BundleParam } from '../bundle-param';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { BundleEntriesService } from './bundle-entries.service';
import {
  BundleEntriesChange,
  BundleEntriesOut,
  BundleEntriesReplace,
  BundleEntryAdd,
  BundleEntryOut,
  BundleEntryUpdate,
} from './bundle-entry.dto';

const { BundleConflict, BundleEntryConflict, BundleEntryNotFound, ListingNotFound } = ErrorCode;
const { ListingVersionConflict, ListingVersionNotFound } = ErrorCode;

/** Errors about the version to which an entry is pinned, and about the next version of the bundle. */
const FailsOnVersions = () => Fails(ListingVersionNotFound, ListingVersionConflict, BundleConflict);

@ApiTags('Bundles')
@Controller('bundles/:bundle_id/entries')
export class BundleEntriesController {
  constructor(private readonly entries: BundleEntriesService) {}

  @Post()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({ summary: 'Add a listing to a bundle' })
  @Creates(BundleEntryOut, ({ id }, path) => `/v1/bundles/${path.bundle_id as string}/entries/${id}`)
  @Fails(ListingNotFound, BundleEntryConflict)
  @FailsOnVersions()
  add(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Body() body: BundleEntryAdd) {
    return this.entries.add(caller, bundleId, body);
  }

  @Get()
  @Access('bundle-reader-or-token')
  @BundleParam()
  @ApiOperation({
    summary: 'List the entries of a bundle',
    description:
      'In the order of their positions. If you may not see the listing of an entry, because it is private or a draft, the entry has no name; if you see the bundle only because it is public, the entry is left out.',
  })
  @Lists(BundleEntryOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.entries.list(caller, bundleId, query);
  }

  @Put()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Replace the entries of a bundle',
    description: 'Adds, removes, orders, enables, configures and pins in one step, all or nothing, as one version.',
  })
  @Gives(BundleEntriesOut, 'The entries as they are now.')
  @Fails(ListingNotFound, BundleEntryNotFound, BundleEntryConflict)
  @FailsOnVersions()
  replace(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Body() body: BundleEntriesReplace) {
    return this.entries.replace(caller, bundleId, body);
  }

  @Patch()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Change several entries of a bundle',
    description:
      'Applied one after the other: `remove` first, then `update`, then `add`, each in its order; all or nothing, as one version.',
  })
  @Gives(BundleEntriesOut, 'The entries as they are now.')
  @Fails(ListingNotFound, BundleEntryNotFound, BundleEntryConflict)
  @FailsOnVersions()
  change(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Body() body: BundleEntriesChange) {
    return this.entries.change(caller, bundleId, body);
  }

  @Get(':entry_id')
  @Access('bundle-reader-or-token')
  @BundleParam()
  @IdParam('entry_id', 'The entry.')
  @ApiOperation({ summary: 'Read an entry of a bundle' })
  @Gives(BundleEntryOut)
  @Fails(BundleEntryNotFound)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('entry_id') id: string) {
    return this.entries.get(caller, bundleId, id);
  }

  @Patch(':entry_id')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('entry_id', 'The entry.')
  @ApiOperation({ summary: 'Move, enable, disable, configure or pin an entry of a bundle' })
  @Gives(BundleEntryOut)
  @Fails(BundleEntryNotFound, BundleEntryConflict)
  @FailsOnVersions()
  update(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Param('entry_id') id: string,
    @Body() body: BundleEntryUpdate,
  ) {
    return this.entries.update(caller, bundleId, id, body);
  }

  @Delete(':entry_id')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('entry_id', 'The entry.')
  @ApiOperation({ summary: 'Remove a listing from a bundle', description: 'The entries after it move up by one.' })
  @GivesNothing('The entry was removed.')
  @Fails(BundleEntryNotFound, BundleConflict)
  remove(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('entry_id') id: string) {
    return this.entries.remove(caller, bundleId, id);
  }
}
