import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../organisation.access';
import { Pages } from '../../http/requests/page';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../members/memberships.service';
import { AuditLogQuery } from './audit-entry.dto';
import { GivesAuditLog, sendAuditFile } from './audit-file';
import { AuditLog } from './audit-log.service';

@ApiTags('Organisations')
@Controller('organisations/:org_id/audit-log')
export class AuditLogController {
  constructor(
    private readonly log: AuditLog,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Read the audit log',
    description:
      'Changes of roles, memberships and the rules that derive roles from the directory, with who or what made them. Newest first. Entries are immutable. With `format=csv` the response is a file for spreadsheets; if the log has more than 100,000 such changes, its name ends with `-more-follows.csv`, and `Link` leads to the next file.',
  })
  @GivesAuditLog()
  async list(
    @CurrentMember() member: ActingMember,
    @Query() query: AuditLogQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (query.format === 'json') {
      response.json(request.shapeAnswer?.(await this.log.list(member, query)));
      return;
    }
    const { entries, next } = await this.log.file(member, query);
    if (next !== undefined) response.setHeader('Link', this.pages.link(request.path, query, next));
    const name = `audit-log-${new Date().toISOString().slice(0, 10)}`;
    await sendAuditFile(response, entries, { name, isCut: next !== undefined });
  }
}
