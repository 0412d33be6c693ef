import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Gives } from '../http/answers/answers';
import { MeOut } from './me.dto';
import { MeService } from './me.service';

/** Here and not in `users/`, because the response contains organisations and `users/` must not import them. */
@ApiTags('Users')
@Controller('users/me')
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  @Access('account')
  @ApiOperation({ summary: 'Read your own account', description: 'Includes all organisations to which you belong.' })
  @Gives(MeOut)
  get(@CurrentCaller() caller: Caller) {
    return this.me.get(caller);
  }
}
