import { applyDecorators, Body, Controller, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { ErrorCode } from '../../bundles/bundle.errors';
import { BundleParam } from '../../bundles/bundle-param';
import { Fails } from '../../http/answers/api-errors';
import { Gives, Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import type { Cause } from '../../organisations/audit/audit-trail';
import { CurrentCause } from '../../organisations/audit/cause';
import {
  BundleToolApprove,
  BundleToolDetailOut,
  BundleToolOut,
  BundleToolQuery,
  BundleToolsApprove,
  BundleToolsApprovedOut,
  BundleToolUpdate,
} from './bundle-tool.dto';
import { BundleToolChangesOut } from './tool-changes.dto';
import { BundleToolAnswerOut, BundleToolCall } from './tool-trial.dto';
import { BundleTools } from './bundle-tools.service';
import { ToolEdits } from './tool-edits.service';
import { TOOL_ERRORS } from './tool.errors';
import { ToolTrials } from './tool-trials.service';

const { BundleToolConflict, BundleToolNotFound } = TOOL_ERRORS;

/** The bundle and the tool in the path. */
const ToolParam = () =>
  applyDecorators(BundleParam(), IdParam('tool_id', 'The tool, prompt or template.'), Fails(BundleToolNotFound));

@ApiTags('MCP Endpoints')
@Controller('bundles/:bundle_id/tools')
export class BundleToolsController {
  constructor(
    private readonly tools: BundleTools,
    private readonly edits: ToolEdits,
    private readonly trials: ToolTrials,
  ) {}

  @Get()
  @Access('bundle-insider')
  @BundleParam()
  @ApiOperation({
    summary: 'List the tools of a bundle',
    description:
      'The tools, prompts and templates of its enabled entries whose listings you may see, with what the bundle says of them: whether clients get them, which definition is approved, what is shown otherwise. By entry, kind and name.',
  })
  @Lists(BundleToolOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: BundleToolQuery) {
    return this.tools.list(caller, bundleId, query);
  }

  @Post('approve')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Approve definitions of tools of a bundle',
    description:
      'Each by the digest that you have looked at. If a server lists another definition by now, none is approved. What was approved before stays approved: a server may go back to it.',
  })
  @Gives(BundleToolsApprovedOut, 'What was approved.')
  @Fails(BundleToolNotFound, BundleToolConflict, ErrorCode.BundleConflict)
  approveSeveral(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('bundle_id') bundleId: string,
    @Body() body: BundleToolsApprove,
  ) {
    return this.edits.approveSeveral(caller, cause, bundleId, body);
  }

  @Get(':tool_id')
  @Access('bundle-insider')
  @ToolParam()
  @ApiOperation({
    summary: 'Read a tool of a bundle',
    description: 'With its definition, what clients get of it, and the definitions that its server has had.',
  })
  @Gives(BundleToolDetailOut)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('tool_id') id: string) {
    return this.tools.get(caller, bundleId, id);
  }

  @Patch(':tool_id')
  @Access('bundle-editor')
  @ToolParam()
  @ApiOperation({
    summary: 'Change what a bundle shows of a tool',
    description:
      'Whether clients get it, its name, title and description, stricter annotations, and arguments that the bundle gives it. Stays when its server changes the definition. Makes a version of the bundle; connected clients hear of it within a second.',
  })
  @Gives(BundleToolDetailOut)
  @Fails(BundleToolConflict, ErrorCode.BundleConflict)
  update(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('bundle_id') bundleId: string,
    @Param('tool_id') id: string,
    @Body() body: BundleToolUpdate,
  ) {
    return this.edits.update(caller, cause, bundleId, id, body);
  }

  @Get(':tool_id/changes')
  @OperationId('bundle_tools_compare')
  @Access('bundle-insider')
  @ToolParam()
  @ApiOperation({
    summary: 'Compare the definitions of a tool',
    description:
      'From the approved definition to the one that its server lists now; without an approval, from the one before.',
  })
  @Gives(BundleToolChangesOut)
  changes(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('tool_id') id: string) {
    return this.tools.changes(caller, bundleId, id);
  }

  @Post(':tool_id/approve')
  @Access('bundle-editor')
  @ToolParam()
  @ApiOperation({
    summary: 'Approve the definition of a tool',
    description:
      'By the digest that you have looked at. If its server lists another definition by now, nothing changes.',
  })
  @Gives(BundleToolDetailOut)
  @Fails(BundleToolConflict, ErrorCode.BundleConflict)
  approve(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('bundle_id') bundleId: string,
    @Param('tool_id') id: string,
    @Body() looked: BundleToolApprove,
  ) {
    return this.edits.approve(caller, cause, bundleId, id, looked);
  }

  @Post(':tool_id/call')
  @Access('bundle-insider')
  @ToolParam()
  @ApiOperation({
    summary: 'Call a tool of a bundle',
    description:
      'To try it: as you, under the same rules and limits as through the endpoint, which has to be enabled. Your access token needs the scope `mcp:call`, if it is limited to scopes. What the tool says of its failure is a `result`.',
  })
  @Gives(BundleToolAnswerOut, 'The answer of the tool.')
  @Fails(BundleToolConflict)
  call(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Param('tool_id') id: string,
    @Body() body: BundleToolCall,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.trials.call(caller, bundleId, id, body.arguments ?? {}, { request, response });
  }
}
