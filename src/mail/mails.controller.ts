import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.decorator';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Lists } from '../http/answers/answers';
import { MailOut, MailQuery } from './mail.dto';
import { Mails } from './mails.service';

/** What became of the mails, for platform administrators. */
@ApiTags('People')
@Controller('mails')
export class MailsController {
  constructor(private readonly mails: Mails) {}

  @Get()
  @Access('platform-admin')
  @ApiOperation({
    summary: 'List what was mailed, and what could not be',
    description: 'Newest first, for 30 days. Empty unless `SMTP_URL` is set.',
  })
  @Lists(MailOut)
  list(@CurrentCaller() caller: Caller, @Query() query: MailQuery) {
    return this.mails.list(caller, query);
  }
}
