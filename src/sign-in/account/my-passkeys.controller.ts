import { Body, Controller, Delete, Get, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Request } from 'express';
import { Access } from '../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../auth/caller';
import type { Session } from '../../auth/sessions/session';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Creates, Gives, GivesNothing, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import {
  PasskeyCreate,
  PasskeyCreatedOut,
  PasskeyOptionsOut,
  PasskeyOut,
  RecoveryCodesOut,
  toPasskey,
} from '../passkeys/passkey.dto';
import { ErrorCode as PasskeyCode } from '../passkeys/passkey.errors';
import { Passkeys } from '../passkeys/passkeys.service';
import { ErrorCode } from '../people/people.errors';
import { OwnAccount } from './own-account.service';

const ONLY_FRESH = 'Only with the session cookie of the console, at most five minutes after signing in.';

@ApiTags('Users')
@Controller('users/me')
export class MyPasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly account: OwnAccount,
    private readonly sessions: Sessions,
  ) {}

  @Get('passkeys')
  @Access('account')
  @ApiOperation({ summary: 'List your passkeys', description: 'Oldest first; you can have at most 10.' })
  @ApiOkResponse({ type: PasskeyOut, isArray: true, description: 'All of them.' })
  async list(@CurrentCaller() caller: Caller) {
    return (await this.passkeys.list(caller.userId)).map(toPasskey);
  }

  @Post('passkeys/options')
  @OperationId('my_passkeys_start')
  @Access('account')
  @ApiOperation({ summary: 'Begin to add a passkey', description: ONLY_FRESH })
  @ShowsSecret()
  @Gives(PasskeyOptionsOut, 'What the browser needs.')
  @Fails(ErrorCode.Forbidden, PasskeyCode.PasskeyConflict)
  async options(@Req() request: Request) {
    return { public_key: await this.passkeys.registrationOptions(await this.recent(request)) };
  }

  @Post('passkeys')
  @Access('account')
  @ApiOperation({ summary: 'Add a passkey', description: ONLY_FRESH })
  @ShowsSecret()
  @Creates(PasskeyCreatedOut, ({ id }) => `/v1/users/me/passkeys/${id}`)
  @Fails(ErrorCode.Forbidden, PasskeyCode.PasskeyConflict)
  async create(@Req() request: Request, @Body() body: PasskeyCreate) {
    const answer = body.response as unknown as RegistrationResponseJSON;
    const { passkey, recoveryCodes } = await this.passkeys.register(await this.recent(request), body.name, answer);
    return { ...toPasskey(passkey), recovery_codes: recoveryCodes };
  }

  @Delete('passkeys/:passkey_id')
  @Access('account')
  @IdParam('passkey_id', 'The passkey.')
  @ApiOperation({
    summary: 'Remove a passkey',
    description: `${ONLY_FRESH} Ends your other sessions, applications with access and personal tokens. The last way to sign in cannot be removed.`,
  })
  @GivesNothing('It no longer signs you in.')
  @Fails(ErrorCode.Forbidden, PasskeyCode.PasskeyNotFound, ErrorCode.SignInMethodConflict)
  async remove(@Req() request: Request, @Param('passkey_id') id: string) {
    await this.account.removePasskey(await this.recent(request), id);
  }

  @Post('recovery-codes')
  @OperationId('recovery_codes_replace')
  @Access('account')
  @ApiOperation({ summary: 'Replace your recovery codes', description: ONLY_FRESH })
  @ShowsSecret()
  @Gives(RecoveryCodesOut, 'The new codes.')
  @Fails(ErrorCode.Forbidden)
  async renewCodes(@Req() request: Request) {
    return { recovery_codes: await this.passkeys.renewRecoveryCodes(await this.recent(request)) };
  }

  /** An access token says nothing about when the person signed in. */
  private async recent(request: Request): Promise<Session> {
    const session = request.headers.authorization === undefined ? await this.sessions.current(request) : undefined;
    return this.account.requireRecent(session);
  }
}
