import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../bundle.errors';
import { BundleParam } from '../bundle-param';
import { BundleExportService } from './bundle-export.service';
import { GivesExport } from './export-answer';
import { BundleExportQuery } from './export.dto';

@ApiTags('Bundles')
@Controller('bundles/:bundle_id/export')
export class BundleExportController {
  constructor(private readonly exports: BundleExportService) {}

  @Get()
  @OperationId('bundles_export')
  @Access('bundle-reader-or-token')
  @BundleParam()
  @ApiOperation({
    summary: 'Export a bundle as the configuration of a client',
    description:
      'Each entry that is enabled and available, by the `server.json` of its listing and its own configuration: of the version of the listing that the given version of the bundle recorded, or without one, of that to which the entry is pinned, else of the newest. It contains no secrets: VS Code asks for them (`${input:…}`), Cursor and Claude Code read them from the environment (`${env:…}`, `${…}`), and the configuration of Claude Desktop contains `<NAME>`, to be replaced by hand. `compose` and `kubernetes` write what runs the servers that are packages and have no remote server, one container each, in YAML: secrets are variables that Compose requires, or references to Secrets. Entries that cannot be expressed are left out; `X-Skipped-Entries` counts them, `format=report` lists them with the reasons. A configuration of more than 4 MiB is rejected with 409.',
  })
  @GivesExport()
  @Fails(ErrorCode.BundleVersionNotFound, ErrorCode.BundleConflict)
  export(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: BundleExportQuery) {
    return this.exports.export(caller, bundleId, query);
  }
}
