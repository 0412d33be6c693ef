import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { ProtectedResourceOut } from '../../auth/well-known.dto';
import { OperationId } from '../../http/openapi/openapi-operations';
import { BundleParam } from '../../bundles/bundle-param';
import { IdParam } from '../../http/requests/fields';
import { EndpointMetadata } from './endpoint-metadata';

/**
 * Where MCP clients find out how to get access tokens for an endpoint: RFC 9728 puts the path of the resource behind that
 * of the document. The same for endpoints that do not exist, or that the caller may not see.
 */
@ApiTags('MCP Endpoints')
@Controller('.well-known/oauth-protected-resource/mcp')
export class EndpointMetadataController {
  constructor(private readonly metadata: EndpointMetadata) {}

  @Get('bundles/:bundle_id')
  @OperationId('bundle_endpoint_metadata_get')
  @Access('open')
  @BundleParam()
  @ApiOperation({ summary: 'Protected resource metadata (RFC 9728) of the endpoint of a bundle' })
  @ApiOkResponse({ type: ProtectedResourceOut })
  ofBundle(@Param('bundle_id') id: string): ProtectedResourceOut {
    return this.metadata.of(`bundles/${id}`);
  }

  @Get('deployments/:deployment_id')
  @OperationId('deployment_endpoint_metadata_get')
  @Access('open')
  @IdParam('deployment_id', 'The deployment.')
  @ApiOperation({ summary: 'Protected resource metadata (RFC 9728) of a deployment' })
  @ApiOkResponse({ type: ProtectedResourceOut })
  ofDeployment(@Param('deployment_id') id: string): ProtectedResourceOut {
    return this.metadata.of(`deployments/${id}`);
  }
}
