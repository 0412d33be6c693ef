import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError, ErrorCode } from '../../errors/errors';
import { NeedsScope } from '../../http/openapi/openapi-scopes';
import { Access } from '../access.decorator';
import { Issuer } from '../issuer';
import { Protocol } from './protocol-document';
import { ABOUT_A_TOKEN, AUTHORIZATION, DEVICE, PUSHED, SIGN_OUT, TOKEN } from './protocol-parameters';
import {
  ClientRegisteredOut,
  ClientRegistration,
  DeviceAuthorizationOut,
  IntrospectionOut,
  PushedRequestOut,
  TokensOut,
  UserInfoOut,
} from './protocol.dto';

/**
 * Documents the endpoints of the authorization server. Where it exists, `AuthorizationServer.gate` answers before the
 * routes; with a foreign issuer they do not exist.
 */
@ApiTags('Auth')
@Controller('oauth2')
export class ProtocolController {
  constructor(private readonly issuer: Issuer) {}

  @Get('authorize')
  @Access('open')
  @Protocol({
    operation: 'authorization_start',
    summary: 'Ask a person for access',
    description:
      'For browsers. A client that is not known, or a redirect URI that is not its own, is answered by a page; everything else goes back to the client, with `iss` (RFC 9207).',
    spec: 'OAuth 2.1, section 4.1.1',
    query: AUTHORIZATION,
    isPage: true,
  })
  authorize(): void {
    this.notHere();
  }

  @Post('par')
  @Access('open')
  @Protocol({
    operation: 'authorization_request_create',
    showsSecret: true,
    summary: 'Push an authorization request',
    spec: 'RFC 9126',
    form: PUSHED,
    status: 201,
    gives: PushedRequestOut,
    fails: [401],
  })
  push(): void {
    this.notHere();
  }

  @Post('token')
  @Access('open')
  @Protocol({
    operation: 'token_create',
    showsSecret: true,
    summary: 'Get tokens',
    description: 'For a code, a refresh token, a device code, or the client itself.',
    spec: 'RFC 6749, section 3.2',
    form: TOKEN,
    gives: TokensOut,
    fails: [401],
  })
  token(): void {
    this.notHere();
  }

  @Post('revoke')
  @Access('open')
  @Protocol({
    operation: 'token_revoke',
    summary: 'Revoke a token',
    description: 'A refresh token ends with everything that came from the same consent. Unknown tokens are no error.',
    spec: 'RFC 7009',
    form: ABOUT_A_TOKEN,
    fails: [401],
  })
  revoke(): void {
    this.notHere();
  }

  @Post('introspect')
  @Access('open')
  @Protocol({
    operation: 'token_verify',
    summary: 'Introspect a token',
    description: 'A client without a secret learns only about its own tokens.',
    spec: 'RFC 7662',
    form: ABOUT_A_TOKEN,
    gives: IntrospectionOut,
    fails: [401],
  })
  introspect(): void {
    this.notHere();
  }

  @Post('device_authorization')
  @Access('open')
  @Protocol({
    operation: 'device_authorization_create',
    showsSecret: true,
    summary: 'Begin to sign a device in',
    spec: 'RFC 8628',
    form: DEVICE,
    gives: DeviceAuthorizationOut,
    fails: [401],
  })
  authorizeDevice(): void {
    this.notHere();
  }

  @Post('register')
  @Access('open')
  @Protocol({
    operation: 'client_registration_create',
    showsSecret: true,
    summary: 'Register a client',
    description:
      'If `OAUTH_REGISTRATION` allows it; with `token`, `Authorization: Bearer` has the initial access token. At most 20 an hour from one network; a client that nobody uses for 30 days is deleted.',
    spec: 'RFC 7591',
    body: ClientRegistration,
    status: 201,
    gives: ClientRegisteredOut,
    fails: [401],
  })
  register(): void {
    this.notHere();
  }

  @Get('userinfo')
  @Access('account')
  @NeedsScope({ read: 'openid', write: 'openid' })
  @Protocol({
    operation: 'userinfo_get',
    summary: 'Read who the person of an access token is',
    spec: 'OpenID Connect Core 1.0, section 5.3',
    gives: UserInfoOut,
    fails: [401, 403],
  })
  userInfo(): void {
    this.notHere();
  }

  @Post('userinfo')
  @Access('account')
  @NeedsScope({ read: 'openid', write: 'openid' })
  @Protocol({
    operation: 'userinfo_call',
    summary: 'The same by POST',
    description: 'The access token is in the header here, too. A body is not read.',
    spec: 'OpenID Connect Core 1.0, section 5.3.1',
    gives: UserInfoOut,
    fails: [401, 403],
  })
  userInfoByPost(): void {
    this.notHere();
  }

  @Get('logout')
  @Access('open')
  @Protocol({
    operation: 'sign_out_start',
    summary: 'Sign a person out',
    description: 'For browsers. Asks the person first.',
    spec: 'OpenID Connect RP-Initiated Logout 1.0',
    query: SIGN_OUT,
    isPage: true,
  })
  logout(): void {
    this.notHere();
  }

  private notHere(): never {
    throw new DomainError(ErrorCode.NotFound, `People and clients sign in at ${this.issuer.issuer}, not here.`);
  }
}
