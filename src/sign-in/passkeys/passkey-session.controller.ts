import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { ForbiddenError } from '../../errors/errors';
import { ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { returnPath } from '../session-pages/return-path';
import { PasskeyAnswer, PasskeyOptionsOut, SignedInOut } from './passkey.dto';
import { ErrorCode } from './passkey.errors';
import { PasskeySignIns } from './passkey-sign-in';

/** How the script of the page for signing in begins a session with a passkey. */
@ApiTags('Sessions')
@Controller('session/passkey')
export class PasskeySessionController {
  constructor(private readonly signIns: PasskeySignIns) {}

  @Post('options')
  @OperationId('passkey_sign_in_start')
  @Access('open')
  @HttpCode(200)
  @ApiOperation({ summary: 'Begin to sign in with a passkey', description: 'For the page for signing in.' })
  @ShowsSecret()
  @ApiOkResponse({ type: PasskeyOptionsOut, description: 'What the browser needs.' })
  async options(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return { public_key: await this.signIns.options(request, response) };
  }

  @Post()
  @OperationId('passkey_sign_in_accept')
  @Access('open')
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with a passkey', description: 'For the page for signing in. Sets the cookie.' })
  @ShowsSecret()
  @ApiOkResponse({ type: SignedInOut, description: 'Signed in, by the cookie.' })
  @Fails(ErrorCode.Forbidden, ErrorCode.RateLimited)
  async signIn(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { response: answer, return_to }: PasskeyAnswer,
  ) {
    const isSignedIn = await this.signIns.byPasskey(request, response, answer as unknown as AuthenticationResponseJSON);
    if (!isSignedIn) throw new ForbiddenError('This passkey is not known here, or was not accepted. Try again.');
    return { location: returnPath(return_to) ?? '/' };
  }
}
