import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Access } from '../../bundles/bundle.access';
import { Fails } from '../../http/answers/api-errors';
import { Gives } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ErrorCode } from '../credentials/credential.errors';
import { ConnectCreate, ConnectOut } from './connect.dto';
import { ConnectService } from './connect.service';

@ApiTags('Credentials')
@Controller('credentials')
export class ConnectController {
  constructor(private readonly service: ConnectService) {}

  @Post('connect')
  @OperationId('credential_connection_create')
  @Access('account')
  @ApiOperation({
    summary: 'Connect an account at the server of an entry',
    description:
      'Gives the address of a page on which you sign in there, or enter the secrets that it asks for. Anyone who may see the bundle can connect an account of their own, its editors one for everyone.',
  })
  @Gives(ConnectOut, 'Where to go.')
  @Fails(ErrorCode.BundleNotFound, ErrorCode.BundleEntryNotFound, ErrorCode.Forbidden, ErrorCode.CredentialConflict)
  connect(@CurrentCaller() caller: Caller, @Body() body: ConnectCreate) {
    return this.service.connect(caller, body);
  }
}
