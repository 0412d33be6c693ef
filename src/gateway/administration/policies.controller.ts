import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { ErrorCode } from '../../bundles/bundle.errors';
import { BundleParam } from '../../bundles/bundle-param';
import { Gives, GivesWithPage } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { PageQuery } from '../../http/requests/page';
import type { Cause } from '../../organisations/audit/audit-trail';
import { CurrentCause } from '../../organisations/audit/cause';
import { PoliciesService } from './policies.service';
import { BundlePoliciesOut, BundlePoliciesPut } from './policy.dto';
import { BundlePoliciesPreview, EndpointPreviewQuery, PolicyPreviewOut } from './policy-preview.dto';
import { PolicyPreviews } from './policy-previews.service';

@ApiTags('MCP Endpoints')
@Controller('bundles/:bundle_id')
export class PoliciesController {
  constructor(
    private readonly policies: PoliciesService,
    private readonly previews: PolicyPreviews,
  ) {}

  @Get('policies')
  @OperationId('bundle_policies_get')
  @Access('bundle-insider')
  @BundleParam()
  @ApiOperation({
    summary: 'Read the policies of a bundle',
    description: 'The rules about who may use which tools, prompts and resources at its endpoint.',
  })
  @Gives(BundlePoliciesOut)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string) {
    return this.policies.get(caller, bundleId);
  }

  @Put('policies')
  @OperationId('bundle_policies_replace')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Replace the policies of a bundle',
    description:
      'All rules at once, and the default access with them, as one version of the bundle. They count from the next request on, at its deployments, too.',
  })
  @Gives(BundlePoliciesOut, 'The policies as they are now.')
  @Fails(ErrorCode.BundleConflict)
  replace(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('bundle_id') bundleId: string,
    @Body() body: BundlePoliciesPut,
  ) {
    return this.policies.replace(caller, cause, bundleId, body);
  }

  @Post('policies/preview')
  @OperationId('bundle_policies_preview')
  @Access('bundle-editor', 'bundles:read')
  @BundleParam()
  @ApiOperation({
    summary: 'Preview policies of a bundle',
    description:
      'Who could use what by rules that are proposed, and which rule decides; as far as you may see the listings. Changes nothing. The next page is asked for with the same body.',
  })
  @GivesWithPage(PolicyPreviewOut, 'decisions')
  proposed(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Body() body: BundlePoliciesPreview,
    @Query() query: PageQuery,
  ) {
    return this.previews.proposed(caller, bundleId, body, query);
  }

  @Get('endpoint/preview')
  @OperationId('bundle_endpoint_preview')
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Preview the endpoint of a bundle in the place of someone',
    description:
      'What a person, an access token or a role may use, and which rule decides; as far as you may see the listings. Also while the endpoint is disabled. Servers that were never asked are asked first, for at most two seconds.',
  })
  @GivesWithPage(PolicyPreviewOut, 'decisions')
  present(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: EndpointPreviewQuery) {
    return this.previews.present(caller, bundleId, query);
  }
}
