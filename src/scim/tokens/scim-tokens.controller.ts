import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../scim.access';
import { Creates, Gives, GivesNothing, Lists, ShowsSecret } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../scim.errors';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import { ScimTokenCreate, ScimTokenCreatedOut, ScimTokenOut } from './scim-token.dto';
import { ScimTokens } from './scim-tokens.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim/tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokens) {}

  @Post()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Create a SCIM token',
    description:
      'For an identity provider. The response contains the token, which is shown only this once. Several tokens can be valid at the same time. Only the latest expired tokens are kept.',
  })
  @ShowsSecret()
  @Creates(ScimTokenCreatedOut, ({ id }, path) => `/v1/organisations/${path.org_id as string}/scim/tokens/${id}`)
  @Fails(ErrorCode.ScimTokenConflict)
  create(@CurrentMember() member: ActingMember, @Body() body: ScimTokenCreate) {
    return this.tokens.create(member, body);
  }

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({ summary: 'List the SCIM tokens', description: 'Newest first; never the tokens themselves.' })
  @Lists(ScimTokenOut)
  list(@CurrentMember() member: ActingMember, @Query() query: PageQuery) {
    return this.tokens.list(member, query);
  }

  @Get(':token_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('token_id', 'The SCIM token.')
  @ApiOperation({ summary: 'Read a SCIM token', description: 'Never the token itself.' })
  @Gives(ScimTokenOut)
  @Fails(ErrorCode.ScimTokenNotFound)
  get(@CurrentMember() member: ActingMember, @Param('token_id') tokenId: string) {
    return this.tokens.get(member, tokenId);
  }

  @Delete(':token_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('token_id', 'The SCIM token.')
  @ApiOperation({ summary: 'Revoke a SCIM token' })
  @GivesNothing('The token is rejected from the next request on.')
  @Fails(ErrorCode.ScimTokenNotFound)
  revoke(@CurrentMember() member: ActingMember, @Param('token_id') tokenId: string) {
    return this.tokens.revoke(member, tokenId);
  }
}
