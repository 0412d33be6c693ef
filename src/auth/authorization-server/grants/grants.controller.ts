import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { GivesNothing, Lists } from '../../../http/answers/answers';
import { Fails } from '../../../http/answers/api-errors';
import { IdParam } from '../../../http/requests/fields';
import { PageQuery } from '../../../http/requests/page';
import { Access } from '../../access.decorator';
import { type Caller, CurrentCaller } from '../../caller';
import { ErrorCode } from '../clients/oauth-client.errors';
import { GrantOut } from './grant.dto';
import { GrantsService } from './grants.service';

@ApiTags('Users')
@Controller('users/me/grants')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List what you have allowed programs',
    description: 'The programs that can act for you now, newest first.',
  })
  @Lists(GrantOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.grants.list(caller, query);
  }

  @Delete(':grant_id')
  @Access('account')
  @IdParam('grant_id', 'The grant.')
  @ApiOperation({
    summary: 'Take back what you have allowed a program',
    description:
      'Ends its refresh and access tokens, on every replica within a second; requests with `verify_locally=false` reject them at once. It has to ask you again.',
  })
  @GivesNothing()
  @Fails(ErrorCode.GrantNotFound)
  revoke(@CurrentCaller() caller: Caller, @Param('grant_id') id: string) {
    return this.grants.revoke(caller, id);
  }
}
