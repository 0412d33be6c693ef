import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { BundleParam } from '../../bundles/bundle-param';
import { Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { PageQuery } from '../../http/requests/page';
import { CredentialNeedOut } from './credential-needs.dto';
import { EntryNeeds } from './entry-needs.service';

@ApiTags('Credentials')
@Controller('bundles/:bundle_id')
export class CredentialNeedsController {
  constructor(private readonly needs: EntryNeeds) {}

  @Get('credential-needs')
  @OperationId('bundle_credential_needs_list')
  @Access('bundle-reader')
  @BundleParam()
  @ApiOperation({
    summary: 'List what the servers of a bundle need from you',
    description:
      'For each enabled entry that you may use, in their order: what its server asks for, what there is, and whether it can be used. Connect an account by `POST /v1/credentials/connect`, or give values by `POST /v1/credentials`.',
  })
  @Lists(CredentialNeedOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: PageQuery) {
    return this.needs.list(caller, bundleId, query);
  }
}
