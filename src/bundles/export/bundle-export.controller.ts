import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../bundle.errors';
import { IdParam } from '../../http/requests/fields';
import { BundleExportService } from './bundle-export.service';
import { BundleExportOut, BundleExportQuery, McpServersConfigurationOut, VsCodeConfigurationOut } from './export.dto';

const ANSWERS = [VsCodeConfigurationOut, McpServersConfigurationOut, BundleExportOut];

@ApiTags('Bundles')
@Controller('bundles/:bundle_id/export')
export class BundleExportController {
  constructor(private readonly exports: BundleExportService) {}

  @Get()
  @OperationId('bundles_export')
  @Access('bundle-reader-or-token')
  @IdParam('bundle_id', 'The bundle.')
  @ApiOperation({
    summary: 'Export a bundle as the configuration of a client',
    description:
      'Each entry that is enabled and available, by the `server.json` of its listing and its own configuration: of the version of the listing that the given version of the bundle recorded, or without one, of that to which the entry is pinned, else of the newest. It contains no secrets: VS Code asks for them (`${input:…}`), Cursor reads them from the environment (`${env:…}`), and the configuration of Claude Desktop contains `<NAME>`, to be replaced by hand. Entries that cannot be expressed are left out; `X-Skipped-Entries` counts them, `format=report` lists them with the reasons. A configuration of more than 4 MiB is rejected with 409.',
  })
  @ApiExtraModels(...ANSWERS)
  @ApiOkResponse({
    description: 'The configuration, or with `format=report` the report.',
    schema: { oneOf: ANSWERS.map((model) => ({ $ref: getSchemaPath(model) })) },
    headers: {
      'X-Skipped-Entries': { description: 'How many entries were left out.', schema: { type: 'integer', minimum: 0 } },
      'Content-Disposition': { description: 'With the name of the file.', schema: { type: 'string' } },
    },
  })
  @Fails(ErrorCode.BundleVersionNotFound, ErrorCode.BundleConflict)
  async export(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Query() query: BundleExportQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const report = await this.exports.export(caller, bundleId, query);
    response.setHeader('X-Skipped-Entries', report.skipped.length);
    if (query.format === 'report') return report;
    response.setHeader('Content-Disposition', `inline; filename="${report.path.replace(/^.*\//, '')}"`);
    return report.configuration;
  }
}
