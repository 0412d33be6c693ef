import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../scim.access';
import { GivesWithPage, Lists } from '../../../http/answers/answers';
import { Fails } from '../../../http/answers/api-errors';
import { OperationId } from '../../../http/openapi/openapi-operations';
import { ErrorCode } from '../../scim.errors';
import { IdParam } from '../../../http/requests/fields';
import { PageQuery } from '../../../http/requests/page';
import { type ActingMember, CurrentMember } from '../../../organisations/members/memberships.service';
import { SyncPreviewOut, SyncProposal } from './sync-preview.dto';
import { SyncPreview } from './sync-preview.service';
import { SyncOut, SyncRunOut, SyncRunSummaryOut } from './sync-run.dto';
import { SyncService } from './sync.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim')
export class SyncController {
  constructor(
    private readonly sync: SyncService,
    private readonly previews: SyncPreview,
  ) {}

  @Post('sync')
  @HttpCode(200)
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Synchronise SCIM users',
    description:
      'Recomputes role and membership of every SCIM-provisioned user against the current role mapping table. A second run changes nothing. One runs at a time, and 10 in any 60 seconds unless the operator set another limit; beyond that the response is 429.',
  })
  @ApiOkResponse({
    type: SyncOut,
    description: 'Done; the result is at `Location`.',
    headers: {
      Location: {
        description: 'The run, with its counts and changes.',
        schema: { type: 'string', format: 'uri-reference' },
      },
    },
  })
  @Fails(ErrorCode.LastOwner, ErrorCode.RateLimited)
  async run(@CurrentMember() member: ActingMember, @Res({ passthrough: true }) response: Response): Promise<SyncOut> {
    const runId = await this.sync.run(member);
    response.setHeader('Location', `/v1/organisations/${member.orgId}/scim/sync-runs/${runId}`);
    return {};
  }

  @Post('sync/preview')
  @Access('organisation-admin', 'organisations:read')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Preview a sync',
    description:
      'What a sync would do now, without doing it. With a body: what would follow from proposed settings and role mappings. Because nothing is changed, an ADMIN can propose what only an OWNER can do. One runs at a time, and 30 in any 60 seconds, pages included, unless the operator set another limit; beyond that the response is 429.',
  })
  @ApiBody({ type: SyncProposal, required: false })
  @GivesWithPage(SyncPreviewOut, 'changes')
  @Fails(
    ErrorCode.RoleMappingNotFound,
    ErrorCode.ScimGroupNotFound,
    ErrorCode.RoleMappingConflict,
    ErrorCode.RateLimited,
  )
  preview(@CurrentMember() member: ActingMember, @Body() proposal: SyncProposal, @Query() query: PageQuery) {
    return this.previews.preview(member, proposal, query);
  }

  @Get('sync-runs')
  @OperationId('sync_runs_list')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List sync runs',
    description:
      'Newest first; only runs that were requested. Role changes that follow a change of the directory, the mappings or the settings are in the audit log.',
  })
  @Lists(SyncRunSummaryOut)
  list(@CurrentMember() member: ActingMember, @Query() query: PageQuery) {
    return this.sync.list(member, query);
  }

  @Get('sync-runs/:run_id')
  @OperationId('sync_runs_get')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('run_id', 'The run, from the `Location` of the sync.')
  @ApiOperation({
    summary: 'Read a sync run',
    description: 'Its counts, and each change with its reason; names are those of today.',
  })
  @GivesWithPage(SyncRunOut, 'changes')
  @Fails(ErrorCode.SyncRunNotFound)
  get(@CurrentMember() member: ActingMember, @Param('run_id') runId: string, @Query() query: PageQuery) {
    return this.sync.get(member, runId, query);
  }
}
