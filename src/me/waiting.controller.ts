import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Gives } from '../http/answers/answers';
import { OperationId } from '../http/openapi/openapi-operations';
import { WaitingOut } from './waiting.dto';
import { WaitingService } from './waiting.service';

@ApiTags('Users')
@Controller('users/me/waiting')
export class WaitingController {
  constructor(private readonly waiting: WaitingService) {}

  @Get()
  @OperationId('my_waiting_get')
  @Access('account')
  @ApiOperation({
    summary: 'Read what waits for you',
    description:
      'Invitations, accounts to connect, tools to approve, and requests to decide, in one answer: counts, and the first 20 of each. A token that is limited to scopes without `bundles:read` gets no accounts and no tools.',
  })
  @Gives(WaitingOut)
  get(@CurrentCaller() caller: Caller) {
    return this.waiting.get(caller);
  }
}
