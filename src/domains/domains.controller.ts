import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisations/organisation.access';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { ErrorCode } from './domain.errors';
import { IdParam } from '../http/requests/fields';
import { text } from '../http/requests/kinds';
import { PathParam } from '../http/requests/parameters';
import { PageQuery } from '../http/requests/page';
import type { Cause } from '../organisations/audit/audit-trail';
import { CurrentCause } from '../organisations/audit/cause';
import { type ActingMember, CurrentMember } from '../organisations/members/memberships.service';
import { DomainCreate, DomainOut } from './domain.dto';
import { DomainsService } from './domains.service';

const DomainParam = () => PathParam('domain', text({ min: 3, max: 253 }), 'The domain.');

@ApiTags('Organisations')
@Controller('organisations/:org_id/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Post()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Add a domain',
    description:
      'Publish the TXT record from the response in the DNS, then verify the domain. Several organisations can prove the same domain.',
  })
  @Creates(DomainOut, ({ id }, path) => `/v1/organisations/${path.org_id as string}/domains/${id}`)
  @Fails(ErrorCode.DomainConflict)
  add(@CurrentMember() member: ActingMember, @Body() body: DomainCreate) {
    return this.domains.add(member, body);
  }

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({ summary: 'List the domains', description: 'Oldest first.' })
  @Lists(DomainOut)
  list(@CurrentMember() member: ActingMember, @Query() query: PageQuery) {
    return this.domains.list(member, query);
  }

  @Get(':domain_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('domain_id', 'The domain.')
  @ApiOperation({ summary: 'Read a domain' })
  @Gives(DomainOut)
  @Fails(ErrorCode.DomainNotFound)
  get(@CurrentMember() member: ActingMember, @Param('domain_id') domainId: string) {
    return this.domains.get(member, domainId);
  }

  @Post(':domain_id/verify')
  @HttpCode(200)
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('domain_id', 'The domain.')
  @ApiOperation({
    summary: 'Verify a domain',
    description:
      'Looks up the TXT record, at most every 10 seconds. Once the domain is proved, directory users with an address in this domain become members immediately, including those who have not answered yet. If the record is gone, the domain is no longer proved; members stay.',
  })
  @Gives(DomainOut, 'The domain is proved.')
  @Fails(ErrorCode.DomainNotFound, ErrorCode.DomainConflict, ErrorCode.RateLimited)
  verify(@CurrentMember() member: ActingMember, @Param('domain_id') domainId: string) {
    return this.domains.verify(member, domainId);
  }

  @Delete(':domain_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('domain_id', 'The domain.')
  @ApiOperation({
    summary: 'Remove a domain',
    description: 'Members stay. Users of the domain that the directory provisions from now on must accept.',
  })
  @GivesNothing('The domain is no longer proved or vouched for.')
  @Fails(ErrorCode.DomainNotFound)
  remove(@CurrentMember() member: ActingMember, @Param('domain_id') domainId: string) {
    return this.domains.remove(member, domainId);
  }

  @Put(':domain/vouch')
  @Access('platform-admin')
  @IdParam('org_id', 'The organisation.')
  @DomainParam()
  @ApiOperation({
    summary: 'Vouch for a domain',
    description: 'Has the same effect as if the organisation had proved the domain.',
  })
  @GivesNothing('The domain is vouched for.')
  @Fails(ErrorCode.OrganisationNotFound)
  vouch(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('org_id') orgId: string,
    @Param('domain') domain: string,
  ) {
    return this.domains.vouch(caller, cause, orgId, domain);
  }

  @Delete(':domain/vouch')
  @Access('platform-admin')
  @IdParam('org_id', 'The organisation.')
  @DomainParam()
  @ApiOperation({
    summary: 'Withdraw the vouching for a domain',
    description: 'Members stay. The operation is idempotent.',
  })
  @GivesNothing('The domain is no longer vouched for; it may still be proved.')
  @Fails(ErrorCode.OrganisationNotFound)
  withdrawVouch(
    @CurrentCaller() caller: Caller,
    @CurrentCause() cause: Cause,
    @Param('org_id') orgId: string,
    @Param('domain') domain: string,
  ) {
    return this.domains.withdrawVouch(caller, cause, orgId, domain);
  }
}
