import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisation.access';
import { Lists } from '../../http/answers/answers';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../members/memberships.service';
import { AuditEntryOut, AuditLogQuery } from './audit-entry.dto';
import { AuditLog } from './audit-log.service';

@ApiTags('Organisations')
@Controller('organisations/:org_id/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Read the audit log',
    description:
      'Changes of roles, memberships and the rules that derive roles from the directory, with who or what made them. Newest first. Entries are immutable.',
  })
  @Lists(AuditEntryOut)
  list(@CurrentMember() member: ActingMember, @Query() query: AuditLogQuery) {
    return this.log.list(member, query);
  }
}
