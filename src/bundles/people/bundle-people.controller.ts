import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../bundle.errors';
import { BundleParam } from '../bundle-param';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { BundleEditorsService } from './bundle-editors.service';
import { BundleFollowersService } from './bundle-followers.service';
import { BundleEditorOut, BundleFollowerOut } from './bundle-people.dto';

/** The editors and the followers of a bundle. */
@ApiTags('Bundles')
@Controller('bundles/:bundle_id')
export class BundlePeopleController {
  constructor(
    private readonly editors: BundleEditorsService,
    private readonly followers: BundleFollowersService,
  ) {}

  @Put('follow')
  @OperationId('bundles_follow')
  @Access('bundle-reader')
  @BundleParam()
  @ApiOperation({ summary: 'Follow a bundle', description: 'Repeating it changes nothing.' })
  @GivesNothing('You follow the bundle.')
  follow(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.followers.follow(caller, bundleId);
  }

  @Delete('follow')
  @OperationId('bundles_unfollow')
  @Access('bundle-reader')
  @BundleParam()
  @ApiOperation({
    summary: 'Stop following a bundle',
    description: 'Also a bundle that you may no longer see. Repeating it changes nothing.',
  })
  @GivesNothing('You do not follow the bundle.')
  unfollow(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.followers.unfollow(caller, bundleId);
  }

  @Get('followers')
  @OperationId('bundle_followers_list')
  @Access('bundle-insider')
  @BundleParam()
  @ApiOperation({ summary: 'List the followers of a bundle', description: 'Newest first.' })
  @Lists(BundleFollowerOut)
  listFollowers(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.followers.list(caller, bundleId, query);
  }

  @Get('editors')
  @OperationId('bundle_editors_list')
  @Access('bundle-insider')
  @BundleParam()
  @ApiOperation({
    summary: 'List the editors of a bundle',
    description: 'Without its owner, who can change it anyway.',
  })
  @Lists(BundleEditorOut)
  listEditors(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.editors.list(caller, bundleId, query);
  }

  @Put('editors/:user_id')
  @OperationId('bundle_editors_add')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam(
    'user_id',
    'The person: a member of the organisation if the bundle belongs to one, else a person in one of your organisations.',
  )
  @ApiOperation({ summary: 'Add an editor to a bundle', description: 'Repeating it changes nothing.' })
  @GivesNothing('The person is an editor of the bundle.')
  @Fails(ErrorCode.UserNotFound, ErrorCode.MemberNotFound, ErrorCode.BundleEditorConflict)
  addEditor(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('user_id') userId: string) {
    return this.editors.add(caller, bundleId, userId);
  }

  @Delete('editors/:user_id')
  @OperationId('bundle_editors_remove')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('user_id', 'The editor.')
  @ApiOperation({ summary: 'Remove an editor from a bundle', description: 'Repeating it changes nothing.' })
  @GivesNothing('The person is not an editor of the bundle.')
  removeEditor(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Param('user_id') userId: string,
  ) {
    return this.editors.remove(caller, bundleId, userId);
  }
}
