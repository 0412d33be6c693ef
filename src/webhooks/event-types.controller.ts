import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../auth/access.decorator';
import { EVENT_CATALOGUE } from '../events/event-catalogue';
import { GivesPrepared } from '../http/answers';
import { prepareJson, sendPrepared } from '../http/prepared-answer';
import { EventTypeOut } from './event-type.dto';

/** The same for every tenant and for the life of the process. */
const ANSWER = prepareJson(EVENT_CATALOGUE);

/**
 * Its module lists this controller before the one with `/v1/webhooks/:endpoint_id`, so the literal path is matched
 * first; `test/routes.e2e-spec.ts` holds every literal path to that.
 */
@ApiTags('Webhooks')
@Controller('webhooks/event-types')
export class EventTypesController {
  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List subscribable event types',
    description: 'In catalogue order, which is grouped; show the groups in the order received. The same for everybody.',
  })
  @GivesPrepared(EventTypeOut)
  list(@Req() request: Request, @Res() response: Response): void {
    sendPrepared(request, response, ANSWER);
  }
}
