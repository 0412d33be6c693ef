import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Environment } from '../../config/environment';
import { Access } from '../../auth/access.decorator';
import { GivesJson } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ClientDocumentOut } from './client-document.dto';
import { CLIENT_NAME, ClientRegistrations } from './client-registrations';

/** Who this service is for authorization servers that read it where it says so itself. */
@ApiTags('Credentials')
@Controller('oauth2/clients')
export class ClientDocumentController {
  constructor(
    private readonly registrations: ClientRegistrations,
    private readonly environment: Environment,
  ) {}

  @Get('mcp.json')
  @OperationId('mcp_client_document_get')
  @Access('open')
  @ApiOperation({
    summary: 'Read the client metadata document of this service',
    description:
      'Its address is the client id of this service at authorization servers of MCP servers that read such documents (draft-ietf-oauth-client-id-metadata-document).',
  })
  @Header('Cache-Control', 'public, max-age=3600')
  @GivesJson(ClientDocumentOut, 'The document.')
  get(): ClientDocumentOut {
    return {
      client_id: this.registrations.documentUrl,
      client_name: CLIENT_NAME,
      client_uri: this.environment.publicUrl,
      redirect_uris: [this.registrations.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    };
  }
}
