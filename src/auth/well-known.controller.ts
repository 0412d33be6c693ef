import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Environment } from '../config/environment';
import { Fails } from '../http/answers/api-errors';
import { OperationId } from '../http/openapi/openapi-operations';
import { DomainError, ErrorCode } from '../errors/errors';
import { Access } from './access.decorator';
import { Issuer } from './issuer';
import { OwnIssuer } from './own-issuer';
import { SCOPE_NAMES } from './scopes';
import { AuthorizationServerOut, JwksOut, ProtectedResourceOut } from './well-known.dto';

/** The documents by which clients find out where to get tokens. Outside the prefix `/v1`, as their RFCs require. */
@ApiTags('Auth')
@Controller()
export class WellKnownController {
  constructor(
    private readonly environment: Environment,
    private readonly issuer: Issuer,
  ) {}

  @Get('.well-known/oauth-protected-resource')
  @OperationId('protected_resource_get')
  @Access('open')
  @ApiOperation({ summary: 'Protected resource metadata (RFC 9728)' })
  @ApiOkResponse({ type: ProtectedResourceOut })
  protectedResource(): ProtectedResourceOut {
    return {
      resource: this.environment.publicUrl,
      resource_name: 'Toolyard',
      resource_documentation: `${this.environment.publicUrl}/docs`,
      authorization_servers: [this.issuer.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: [...SCOPE_NAMES],
    };
  }

  @Get('.well-known/oauth-authorization-server')
  @OperationId('authorization_server_get')
  @Access('open')
  @Fails(ErrorCode.NotFound)
  @ApiOperation({ summary: 'Authorization server metadata (RFC 8414), if the service is its own issuer' })
  @ApiOkResponse({ type: AuthorizationServerOut })
  authorizationServer(): AuthorizationServerOut {
    // Where it exists, `AuthorizationServer.gate` has answered before the routes.
    throw new DomainError(ErrorCode.NotFound, `Access tokens come from ${this.issuer.issuer}, not from here.`);
  }

  @Get('.well-known/openid-configuration')
  @OperationId('openid_configuration_get')
  @Access('open')
  @Fails(ErrorCode.NotFound)
  @ApiOperation({ summary: 'The same document at the path of OpenID Connect Discovery' })
  @ApiOkResponse({ type: AuthorizationServerOut })
  openidConfiguration(): AuthorizationServerOut {
    return this.authorizationServer();
  }

  @Get('oauth2/jwks')
  @OperationId('jwks_get')
  @Access('open')
  @Fails(ErrorCode.NotFound)
  @ApiOperation({ summary: 'The public keys of the built-in issuer (RFC 7517)' })
  @ApiOkResponse({ type: JwksOut })
  jwks(): JwksOut {
    return {
      keys: this.own()
        .jwks()
        .keys.map((key) => ({ ...key })),
    };
  }

  private own(): OwnIssuer {
    if (this.issuer instanceof OwnIssuer) return this.issuer;
    throw new DomainError(ErrorCode.NotFound, `Access tokens come from ${this.issuer.issuer}, not from here.`);
  }
}
