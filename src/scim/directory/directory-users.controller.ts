import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../scim.access';
import { Gives, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../scim.errors';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import { DirectoryUserDetailOut, DirectoryUserOut, DirectoryUserQuery } from './directory-user.dto';
import { DirectoryUsersService } from './directory-users.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim/directory/users')
export class DirectoryUsersController {
  constructor(private readonly users: DirectoryUsersService) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List the directory users',
    description:
      'Every user that the identity provider pushed, with the effective role and its reason, ordered by `userName`. Deleted users are not included.',
  })
  @Lists(DirectoryUserOut)
  list(@CurrentMember() member: ActingMember, @Query() query: DirectoryUserQuery) {
    return this.users.list(member, query);
  }

  @Get(':scim_user_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('scim_user_id', 'The `id` of the SCIM resource.')
  @ApiOperation({ summary: 'Read a directory user', description: 'Includes all groups and their mappings.' })
  @Gives(DirectoryUserDetailOut)
  @Fails(ErrorCode.ScimUserNotFound)
  get(@CurrentMember() member: ActingMember, @Param('scim_user_id') scimUserId: string) {
    return this.users.get(member, scimUserId);
  }
}
