import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../catalog.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { PageQuery } from '../../http/requests/page';
import { ImportRunOut, QuarantinedOut } from './import.dto';
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

  @Get('quarantine')
  @OperationId('import_quarantine_list')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List documents that could not be imported',
    description: 'Documents that are invalid or whose name or version is taken, with the reasons.',
  })
  @Lists(QuarantinedOut)
  quarantine(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.records.quarantine(caller, query);
  }
}
