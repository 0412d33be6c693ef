import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Gives } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { PlatformHealthOut } from './platform-health.dto';
import { PlatformHealth } from './platform-health.service';

@ApiTags('Operations')
@Controller('platform/health')
export class PlatformHealthController {
  constructor(private readonly health: PlatformHealth) {}

  @Get()
  @OperationId('platform_health_get')
  @Access('platform-admin')
  @ApiOperation({
    summary: 'Read how the instance is',
    description:
      'Versions, migrations, live processes, what waits, imports and the age of keys, each with a state by a rule. Cheap enough to be read every ten seconds. Nothing here is secret.',
  })
  @Gives(PlatformHealthOut)
  read(@CurrentCaller() caller: Caller) {
    return this.health.read(caller);
  }
}
