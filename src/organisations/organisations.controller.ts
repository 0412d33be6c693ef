import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from './organisation.access';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Creates, Gives, Lists } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from './organisation.errors';
import { IdParam } from '../http/requests/fields';
import { PageQuery } from '../http/requests/page';
import type { Cause } from './audit/audit-trail';
import { CurrentCause } from './audit/cause';
import { type ActingMember, CurrentMember } from './members/memberships.service';
import { OrganisationCreate, OrganisationOut, OrganisationUpdate } from './organisation.dto';
import { OrganisationsService } from './organisations.service';

@ApiTags('Organisations')
@Controller('organisations')
export class OrganisationsController {
  constructor(private readonly organisations: OrganisationsService) {}

  @Post()
  @Access('account')
  @ApiOperation({
    summary: 'Create an organisation',
    description:
      'The caller becomes its OWNER. With `ORGANISATION_CREATION=platform_admins`, only platform administrators can create organisations.',
  })
  @Creates(OrganisationOut, ({ id }) => `/v1/organisations/${id}`)
  @Fails(ErrorCode.OrganisationConflict, ErrorCode.Forbidden)
  create(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Body() body: OrganisationCreate) {
    return this.organisations.create(caller, cause, body);
  }

  @Get()
  @Access('account')
  @ApiOperation({ summary: "List the caller's organisations", description: 'Oldest first.' })
  @Lists(OrganisationOut)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.organisations.list(caller, query);
  }

  @Get(':org_id')
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({ summary: 'Read an organisation' })
  @Gives(OrganisationOut)
  get(@CurrentMember() member: ActingMember) {
    return this.organisations.get(member);
  }

  @Patch(':org_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({ summary: 'Rename an organisation' })
  @Gives(OrganisationOut)
  @Fails(ErrorCode.OrganisationConflict)
  update(@CurrentMember() member: ActingMember, @Body() body: OrganisationUpdate) {
    return this.organisations.update(member, body);
  }
}
