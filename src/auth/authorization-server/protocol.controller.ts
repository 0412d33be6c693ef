import { applyDecorators, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ErrorCode, DomainError } from '../../errors/errors';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { Access } from '../access.decorator';
import { Issuer } from '../issuer';
import { ProtocolErrorOut } from './protocol.dto';

/** An endpoint whose requests and answers are as its RFC says. */
function Protocol(
  operation: string,
  summary: string,
  description: string,
  rule: 'open' | 'account' = 'open',
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    OperationId(operation),
    Access(rule),
    ApiOperation({ summary, description }),
    ApiOkResponse({ description: 'As the RFC says.', schema: { type: 'object', additionalProperties: true } }),
    ApiBadRequestResponse({ description: 'An error of the protocol.', type: ProtocolErrorOut }),
    Fails(ErrorCode.NotFound),
  );
}

/** The same for a browser, which is answered by pages and redirects. */
function Page(operation: string, summary: string, description: string): MethodDecorator {
  const page = { 'text/html': { schema: { type: 'string' as const } } };
  return applyDecorators(
    OperationId(operation),
    Access('open'),
    ApiOperation({ summary, description }),
    ApiOkResponse({ description: 'A page.', content: page }),
    ApiBadRequestResponse({ description: 'A page that says what is wrong.', content: page }),
    Fails(ErrorCode.NotFound),
  );
}

/**
 * Documents the endpoints of the authorization server. Where it exists, `AuthorizationServer.gate` answers before the
 * routes; with a foreign issuer they do not exist.
 */
@ApiTags('Auth')
@Controller('oauth2')
export class ProtocolController {
  constructor(private readonly issuer: Issuer) {}

  @Get('authorize')
  @Page('authorization_start', 'Ask a person for access', 'OAuth 2.1 with PKCE (S256), for browsers.')
  authorize(): void {
    this.notHere();
  }

  @Post('par')
  @Protocol('authorization_request_create', 'Push an authorization request', 'RFC 9126; a form.')
  push(): void {
    this.notHere();
  }

  @Post('token')
  @Protocol('token_create', 'Get tokens', 'For a code, a refresh token, a device code, or the client itself; a form.')
  token(): void {
    this.notHere();
  }

  @Post('revoke')
  @Protocol('token_revoke', 'Revoke a token', 'RFC 7009; a form.')
  revoke(): void {
    this.notHere();
  }

  @Post('introspect')
  @Protocol('token_verify', 'Introspect a token', 'RFC 7662; a form.')
  introspect(): void {
    this.notHere();
  }

  @Post('device_authorization')
  @Protocol('device_authorization_create', 'Begin to sign a device in', 'RFC 8628; a form.')
  authorizeDevice(): void {
    this.notHere();
  }

  @Post('register')
  @Protocol('client_registration_create', 'Register a client', 'RFC 7591; see `OAUTH_REGISTRATION`.')
  register(): void {
    this.notHere();
  }

  @Get('userinfo')
  @Protocol(
    'userinfo_get',
    'Read who the person of an access token is',
    'OpenID Connect Core 1.0, section 5.3.',
    'account',
  )
  userInfo(): void {
    this.notHere();
  }

  @Get('logout')
  @Page('sign_out_start', 'Sign a person out', 'OpenID Connect RP-Initiated Logout 1.0, for browsers.')
  logout(): void {
    this.notHere();
  }

  private notHere(): never {
    throw new DomainError(ErrorCode.NotFound, `People and clients sign in at ${this.issuer.issuer}, not here.`);
  }
}
