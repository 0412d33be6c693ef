import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { Issuer } from '../../auth/issuer';
import { Environment } from '../../config/environment';
import { Gives } from '../../http/answers/answers';
import { API_VERSION } from '../../http/openapi/api-version';
import { OperationId } from '../../http/openapi/openapi-operations';
import { InstanceOut } from './instance.dto';
import { WaysToSignIn } from './ways-to-sign-in';

/** For pages and programs that have no account yet. It says nothing that `/sign-in` and `/docs` do not show. */
@ApiTags('Instance')
@Controller('instance')
export class InstanceController {
  constructor(
    private readonly environment: Environment,
    private readonly issuer: Issuer,
    private readonly ways: WaysToSignIn,
  ) {}

  @Get()
  @OperationId('instance_get')
  @Access('open')
  @ApiOperation({
    summary: 'Read what this installation is',
    description: 'What a page has to know before anyone has signed in: its version, and where people do that.',
  })
  @Gives(InstanceOut)
  get(): InstanceOut {
    const isHere = this.ways.areOffered;
    return {
      version: API_VERSION,
      sign_in: {
        is_here: isHere,
        url: isHere ? `${this.environment.publicUrl}/sign-in` : null,
        issuer: this.issuer.issuer,
      },
      has_console: false,
    };
  }
}
