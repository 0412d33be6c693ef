import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Creates, Gives, GivesNothing, Lists, ShowsSecret } from '../../../http/answers/answers';
import { Fails } from '../../../http/answers/api-errors';
import { OperationId } from '../../../http/openapi/openapi-operations';
import { IdParam } from '../../../http/requests/fields';
import { PageQuery } from '../../../http/requests/page';
import { Access } from '../../access.decorator';
import { type Caller, CurrentCaller } from '../../caller';
import {
  OAuthClientCreate,
  OAuthClientCreatedOut,
  OAuthClientOut,
  OAuthClientSecretRotation,
  OAuthClientUpdate,
} from './oauth-client.dto';
import { ErrorCode } from './oauth-client.errors';
import { OAuthClientsService } from './oauth-clients.service';

const ClientParam = () => IdParam('client_id', 'The client.');

@ApiTags('OAuth Clients')
@Controller('oauth-clients')
export class OAuthClientsController {
  constructor(private readonly clients: OAuthClientsService) {}

  @Get()
  @OperationId('oauth_clients_list')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List OAuth clients',
    description:
      'Newest first, with those that have registered themselves. Clients with metadata documents have no row.',
  })
  @Lists(OAuthClientOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.clients.list(caller, query);
  }

  @Post()
  @OperationId('oauth_clients_create')
  @Access('platform-admin')
  @ApiOperation({ summary: 'Create an OAuth client', description: 'Its secret is shown only in this response.' })
  @Creates(OAuthClientCreatedOut, ({ id }) => `/v1/oauth-clients/${id}`)
  @ShowsSecret()
  create(@CurrentCaller() caller: Caller, @Body() body: OAuthClientCreate) {
    return this.clients.create(caller, body);
  }

  @Get(':client_id')
  @OperationId('oauth_clients_get')
  @Access('platform-admin')
  @ClientParam()
  @ApiOperation({ summary: 'Read an OAuth client' })
  @Gives(OAuthClientOut)
  @Fails(ErrorCode.OAuthClientNotFound)
  get(@CurrentCaller() caller: Caller, @Param('client_id') id: string) {
    return this.clients.get(caller, id);
  }

  @Patch(':client_id')
  @OperationId('oauth_clients_update')
  @Access('platform-admin')
  @ClientParam()
  @ApiOperation({ summary: 'Change an OAuth client' })
  @Gives(OAuthClientOut)
  @Fails(ErrorCode.OAuthClientNotFound)
  update(@CurrentCaller() caller: Caller, @Param('client_id') id: string, @Body() body: OAuthClientUpdate) {
    return this.clients.update(caller, id, body);
  }

  @Delete(':client_id')
  @OperationId('oauth_clients_remove')
  @Access('platform-admin')
  @ClientParam()
  @ApiOperation({ summary: 'Delete an OAuth client', description: 'Ends everything that people have allowed it.' })
  @GivesNothing()
  @Fails(ErrorCode.OAuthClientNotFound)
  remove(@CurrentCaller() caller: Caller, @Param('client_id') id: string) {
    return this.clients.remove(caller, id);
  }

  @Post(':client_id/rotate-secret')
  @HttpCode(200)
  @OperationId('oauth_clients_rotate_secret')
  @Access('platform-admin')
  @ClientParam()
  @ApiOperation({
    summary: "Rotate an OAuth client's secret",
    description: 'The response shows the new secret. The present one stays valid for a while, so that both work.',
  })
  @Gives(OAuthClientCreatedOut)
  @ShowsSecret()
  @Fails(ErrorCode.OAuthClientNotFound, ErrorCode.OAuthClientConflict)
  rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('client_id') id: string,
    @Body() body: OAuthClientSecretRotation,
  ) {
    return this.clients.rotateSecret(caller, id, body);
  }
}
