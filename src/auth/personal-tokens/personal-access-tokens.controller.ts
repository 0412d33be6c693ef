import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Creates, Gives, GivesNothing, Lists, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { Access } from '../access.decorator';
import { type Caller, CurrentCaller } from '../caller';
import { NeedsRecentSignIn } from '../recent-sign-in';
import {
  PersonalAccessTokenCreate,
  PersonalAccessTokenCreatedOut,
  PersonalAccessTokenOut,
} from './personal-access-token.dto';
import { ErrorCode } from './personal-access-token.errors';
import { PersonalTokens } from './personal-tokens.service';

@ApiTags('Users')
@Controller('users/me/access-tokens')
export class PersonalAccessTokensController {
  constructor(private readonly tokens: PersonalTokens) {}

  @Post()
  @Access('account')
  @ApiOperation({
    summary: 'Create a personal access token',
    description:
      'For your own programs: it acts for you within its scopes, until it expires or you revoke it. Send it as `Authorization: Bearer typ_…`. Only you can create it: in a browser, at most five minutes after signing in; with a token of `OIDC_ISSUER` whose `auth_time` is as recent; or with one of `npm run token`. No program that you allowed something can, nor another personal access token. A token that is limited to scopes cannot give others. Only the latest expired tokens are kept.',
  })
  @NeedsRecentSignIn()
  @ShowsSecret()
  @Creates(PersonalAccessTokenCreatedOut, ({ id }) => `/v1/users/me/access-tokens/${id}`)
  @Fails(ErrorCode.PersonalAccessTokenConflict)
  create(@CurrentCaller() caller: Caller, @Body() body: PersonalAccessTokenCreate) {
    return this.tokens.create(caller, body);
  }

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List your personal access tokens',
    description: 'Newest first, including expired ones.',
  })
  @Lists(PersonalAccessTokenOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.tokens.list(caller, query);
  }

  @Get(':token_id')
  @Access('account')
  @IdParam('token_id', 'The personal access token.')
  @ApiOperation({ summary: 'Read a personal access token of yours', description: 'Without the token itself.' })
  @Gives(PersonalAccessTokenOut)
  @Fails(ErrorCode.PersonalAccessTokenNotFound)
  get(@CurrentCaller() caller: Caller, @Param('token_id') id: string) {
    return this.tokens.get(caller, id);
  }

  @Delete(':token_id')
  @Access('account')
  @IdParam('token_id', 'The personal access token.')
  @ApiOperation({
    summary: 'Revoke a personal access token of yours',
    description: 'Every replica rejects it within a second; with `verify_locally=false` at once.',
  })
  @GivesNothing('The token no longer works.')
  @Fails(ErrorCode.PersonalAccessTokenNotFound)
  revoke(@CurrentCaller() caller: Caller, @Param('token_id') id: string) {
    return this.tokens.revoke(caller, id);
  }
}
