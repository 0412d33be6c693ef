import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Fails } from '../../http/answers/api-errors';
import { Gives, Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { Access } from '../catalog.access';
import { ErrorCode } from '../catalog.errors';
import {
  QuarantinedDetailOut,
  QuarantinedOut,
  QuarantineImport,
  QuarantineOutcomeOut,
  QuarantineQuery,
} from './quarantine.dto';
import { Quarantine } from './quarantine.service';

const DocumentParam = (): MethodDecorator => IdParam('document_id', 'The document in quarantine.');

@ApiTags('Catalog')
@Controller('mcp/imports/quarantine')
export class QuarantineController {
  constructor(private readonly quarantine: Quarantine) {}

  @Get()
  @OperationId('import_quarantine_list')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List documents that could not be imported',
    description: 'Documents that are invalid or whose name or version is taken, with the reasons. Newest first.',
  })
  @Lists(QuarantinedOut)
  list(@CurrentCaller() caller: Caller, @Query() query: QuarantineQuery) {
    return this.quarantine.list(caller, query);
  }

  @Get(':document_id')
  @OperationId('import_quarantine_get')
  @Access('platform-admin')
  @DocumentParam()
  @ApiOperation({
    summary: 'Read a document that could not be imported',
    description: 'As a formatted text, with the line and column of each error in it.',
  })
  @Gives(QuarantinedDetailOut)
  @Fails(ErrorCode.ImportDocumentNotFound)
  get(@CurrentCaller() caller: Caller, @Param('document_id') id: string) {
    return this.quarantine.get(caller, id);
  }

  @Post(':document_id/retry')
  @HttpCode(200)
  @OperationId('import_quarantine_retry')
  @Access('platform-admin')
  @DocumentParam()
  @ApiOperation({
    summary: 'Import a quarantined document as it is',
    description:
      'For one whose obstacle is gone, such as a listing that had its name. If it still cannot be imported, it stays with the reasons of now.',
  })
  @ApiOkResponse({ type: QuarantineOutcomeOut, description: 'What came of it.' })
  @Fails(ErrorCode.ImportDocumentNotFound, ErrorCode.ImportConflict)
  retry(@CurrentCaller() caller: Caller, @Param('document_id') id: string) {
    return this.quarantine.retry(caller, id);
  }

  @Post(':document_id/import')
  @HttpCode(200)
  @OperationId('import_quarantine_import')
  @Access('platform-admin')
  @DocumentParam()
  @ApiOperation({
    summary: 'Import an edited document in place of a quarantined one',
    description:
      'Validated like any import; what an import would leave out because of its address is an error here. The original is kept. **The edited document stands for it as long as the source sends it.** If the source sends another document for this version, that one goes to the quarantine and the edited one stays. The edit and its author are in the audit log.',
  })
  @ApiOkResponse({ type: QuarantineOutcomeOut, description: 'It was imported.' })
  @Fails(ErrorCode.ImportDocumentNotFound, ErrorCode.ImportConflict)
  importEdited(@CurrentCaller() caller: Caller, @Param('document_id') id: string, @Body() body: QuarantineImport) {
    return this.quarantine.importEdited(caller, id, body.server);
  }

  @Post(':document_id/dismiss')
  @HttpCode(200)
  @OperationId('import_quarantine_dismiss')
  @Access('platform-admin')
  @DocumentParam()
  @ApiOperation({
    summary: 'Dismiss a quarantined document',
    description:
      'Imports leave it out as long as the source sends it. Another document for this version is imported or quarantined.',
  })
  @Gives(QuarantinedDetailOut)
  @Fails(ErrorCode.ImportDocumentNotFound, ErrorCode.ImportConflict)
  dismiss(@CurrentCaller() caller: Caller, @Param('document_id') id: string) {
    return this.quarantine.dismiss(caller, id);
  }

  @Post(':document_id/reopen')
  @HttpCode(200)
  @OperationId('import_quarantine_reopen')
  @Access('platform-admin')
  @DocumentParam()
  @ApiOperation({
    summary: 'Take back a decision about a quarantined document',
    description: 'What was imported stays. The next import that reads the document decides about it by the rules.',
  })
  @Gives(QuarantinedDetailOut)
  @Fails(ErrorCode.ImportDocumentNotFound, ErrorCode.ImportConflict)
  reopen(@CurrentCaller() caller: Caller, @Param('document_id') id: string) {
    return this.quarantine.reopen(caller, id);
  }
}
