import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../scim.access';
import { Gives, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../scim.errors';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import { ScimLogEntryDetailOut, ScimLogEntryOut, ScimLogQuery } from './scim-log.dto';
import { ScimLogReader } from './scim-log-reader.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/scim/log')
export class ScimLogController {
  constructor(private readonly log: ScimLogReader) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List the requests of identity providers',
    description:
      'Every request with a SCIM token of this organisation, newest first; kept for 30 days unless the operator configured otherwise. Each operation of a bulk request has an entry of its own. Requests with a revoked or expired token are included, at most 20 per minute.',
  })
  @Lists(ScimLogEntryOut)
  list(@CurrentMember() member: ActingMember, @Query() query: ScimLogQuery) {
    return this.log.list(member, query);
  }

  @Get(':entry_id')
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam('entry_id', 'The entry.')
  @ApiOperation({ summary: 'Read a request of an identity provider', description: 'Includes the request body.' })
  @Gives(ScimLogEntryDetailOut)
  @Fails(ErrorCode.ScimLogEntryNotFound)
  get(@CurrentMember() member: ActingMember, @Param('entry_id') entryId: string) {
    return this.log.get(member, entryId);
  }
}
