import { Body, Controller, Delete, Get, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Request } from 'express';
import { Access } from '../../auth/access.decorator';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { IdParam } from '../../http/requests/fields';
import {
  PasskeyCreate,
  PasskeyCreatedOut,
  PasskeyOptionsOut,
  PasskeyOut,
  RecoveryCodesOut,
  toPasskey,
} from './passkey.dto';
import { ErrorCode } from './passkey.errors';
import { LastWay } from './last-way';
import { Passkeys } from './passkeys.service';

const ONLY_FRESH = 'Only with the session cookie of somebody who signed in less than five minutes ago.';

@ApiTags('Users')
@Controller('users/me')
export class PasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly lastWay: LastWay,
  ) {}

  @Get('passkeys')
  @Access('account')
  @ApiOperation({ summary: 'List your passkeys', description: 'Oldest first; you can have at most 10.' })
  @ApiOkResponse({ type: PasskeyOut, isArray: true, description: 'All of them.' })
  async list(@CurrentCaller() caller: Caller) {
    return (await this.passkeys.list(caller.userId)).map(toPasskey);
  }

  @Post('passkeys/options')
  @Access('account')
  @ApiOperation({ summary: 'Begin to add a passkey', description: ONLY_FRESH })
  @ShowsSecret()
  @Gives(PasskeyOptionsOut, 'What the browser needs.')
  @Fails(ErrorCode.Forbidden, ErrorCode.PasskeyConflict)
  async options(@CurrentCaller() caller: Caller, @Req() request: Request) {
    return { public_key: await this.passkeys.registrationOptions(caller, request) };
  }

  @Post('passkeys')
  @Access('account')
  @ApiOperation({ summary: 'Add a passkey', description: ONLY_FRESH })
  @ShowsSecret()
  @Creates(PasskeyCreatedOut, ({ id }) => `/v1/users/me/passkeys/${id}`)
  @Fails(ErrorCode.Forbidden, ErrorCode.PasskeyConflict)
  async create(@CurrentCaller() caller: Caller, @Req() request: Request, @Body() body: PasskeyCreate) {
    const answer = body.response as unknown as RegistrationResponseJSON;
    const { passkey, recoveryCodes } = await this.passkeys.register(caller, request, body.name, answer);
    return { ...toPasskey(passkey), recovery_codes: recoveryCodes };
  }

  @Delete('passkeys/:passkey_id')
  @Access('account')
  @IdParam('passkey_id', 'The passkey.')
  @ApiOperation({ summary: 'Remove a passkey', description: `${ONLY_FRESH} Your last way to sign in stays.` })
  @GivesNothing('It no longer signs you in.')
  @Fails(ErrorCode.Forbidden, ErrorCode.PasskeyNotFound, ErrorCode.PasskeyConflict)
  remove(@CurrentCaller() caller: Caller, @Req() request: Request, @Param('passkey_id') id: string) {
    return this.passkeys.remove(caller, request, id, (manager) => this.lastWay.isMissing(manager, caller.userId));
  }

  @Post('recovery-codes')
  @Access('account')
  @ApiOperation({ summary: 'Replace your recovery codes', description: ONLY_FRESH })
  @ShowsSecret()
  @Gives(RecoveryCodesOut, 'The new codes.')
  @Fails(ErrorCode.Forbidden)
  async renewCodes(@CurrentCaller() caller: Caller, @Req() request: Request) {
    return { recovery_codes: await this.passkeys.renewRecoveryCodes(caller, request) };
  }
}
