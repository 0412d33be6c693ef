import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../catalog.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Fails } from '../../http/answers/api-errors';
import { Gives, Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { PageQuery } from '../../http/requests/page';
import { ErrorCode } from '../catalog.errors';
import { ImportOverviewOut, ImportRunOut } from './import.dto';
import { ImportRecords } from './import-records.service';

@ApiTags('Catalog')
@Controller('mcp/imports')
export class ImportsController {
  constructor(private readonly records: ImportRecords) {}

  @Get()
  @Access('platform-admin')
  @ApiOperation({ summary: 'List imports', description: 'Newest first, with progress and counts.' })
  @Lists(ImportRunOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.records.runs(caller, query);
  }

  @Post()
  @HttpCode(202)
  @Access('platform-admin')
  @ApiOperation({
    summary: 'Start the scheduled import now',
    description: 'Imports the changes of `IMPORT_FROM`. A process with `worker` begins within a minute.',
  })
  @ApiAcceptedResponse({ type: ImportOverviewOut, description: 'It is due.' })
  @Fails(ErrorCode.ImportConflict)
  start(@CurrentCaller() caller: Caller) {
    return this.records.start(caller);
  }

  @Get('overview')
  @OperationId('imports_overview_get')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'Read the sources of imports and what is in quarantine',
    description: 'The number of documents in quarantine by kind and by source, and when the next import is due.',
  })
  @Gives(ImportOverviewOut)
  overview(@CurrentCaller() caller: Caller) {
    return this.records.overview(caller);
  }
}
