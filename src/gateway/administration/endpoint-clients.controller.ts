import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { BundleParam } from '../../bundles/bundle-param';
import { Gives } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { BundleConnectOut, BundleConnectQuery } from './endpoint-client.dto';
import { EndpointClients } from './endpoint-clients.service';

@ApiTags('MCP Endpoints')
@Controller('bundles/:bundle_id/connect')
export class EndpointClientsController {
  constructor(private readonly clients: EndpointClients) {}

  @Get()
  @OperationId('bundle_connection_get')
  @Access('bundle-reader')
  @BundleParam()
  @ApiOperation({
    summary: 'Read how a client is connected to a bundle',
    description:
      'The link, the command and the file with which one person gets the endpoint of the bundle, and so all its tools, into a client. It holds no secrets: clients sign in by OAuth, or there is a placeholder for an access token of the bundle.',
  })
  @Gives(BundleConnectOut)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: BundleConnectQuery) {
    return this.clients.get(caller, bundleId, query);
  }
}
