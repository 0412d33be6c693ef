import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { EVENT_CATALOGUE } from '../../events/event-catalogue';
import { DESCRIBED_EVENT_TYPES, PING_EVENT } from '../../events/event-schemas';
import { GivesPrepared } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode, NotFoundError } from '../../errors/errors';
import { prepareJson, sendPrepared } from '../../http/answers/prepared-answer';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { EventTypeDetailOut, SubscribableEventTypeOut } from './event-type.dto';

/** The same for every tenant and for the life of the process. */
const ANSWER = prepareJson(EVENT_CATALOGUE);
const DETAILS = new Map(
  [...DESCRIBED_EVENT_TYPES, PING_EVENT].map((described) => [described.event_type, prepareJson(described)]),
);

/**
 * Its module lists this controller before the one with `/v1/webhooks/:endpoint_id`, so the router tries the literal path
 * first; `http/requests/route-table.ts` keeps methods that only the other one has away from it.
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
  @GivesPrepared(SubscribableEventTypeOut)
  list(@Req() request: Request, @Res() response: Response): void {
    sendPrepared(request, response, ANSWER);
  }

  @Get(':event_type')
  @Access('account')
  @PathParam('event_type', text(), 'Of the list, or `webhook.ping`.', 'bundle.created')
  @ApiOperation({
    summary: 'Read an event type',
    description:
      'What the list says of it, a JSON Schema of the bodies that endpoints get, and an example. Also of `webhook.ping`, to which nobody subscribes.',
  })
  @GivesPrepared(EventTypeDetailOut, { isArray: false, description: 'The event type.' })
  @Fails(ErrorCode.EventTypeNotFound)
  get(@Req() request: Request, @Res() response: Response, @Param('event_type') eventType: string): void {
    sendPrepared(request, response, detail(eventType));
  }
}

/** @throws NotFoundError */
function detail(eventType: string) {
  const answer = DETAILS.get(eventType);
  if (!answer) throw new NotFoundError(ErrorCode.EventTypeNotFound, eventType);
  return answer;
}
