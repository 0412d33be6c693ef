import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../webhook.access';
import { EventCatalogue } from '../../events/event-catalogue';
import { GivesPrepared } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { requireFound } from '../../errors/errors';
import { ErrorCode } from '../webhook.errors';
import { type PreparedAnswer, prepareJson, sendPrepared } from '../../http/answers/prepared-answer';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { EventTypeDetailOut, SubscribableEventTypeOut } from './event-type.dto';

/**
 * The module lists this controller before the one with `/v1/webhooks/:endpoint_id`, so the router tries the literal
 * path first; `http/requests/route-table.ts` keeps methods that only the other one supports away from it.
 */
@ApiTags('Webhooks')
@Controller('webhooks/event-types')
export class EventTypesController {
  /** The same for every tenant and for the life of the process. */
  private readonly preparedList: PreparedAnswer;
  private readonly described: ReadonlyMap<string, object>;
  /** Each type that was asked for since the start has its answer here. */
  private readonly details = new Map<string, PreparedAnswer>();

  constructor({ subscribable, all }: EventCatalogue) {
    this.preparedList = prepareJson(
      subscribable.map(({ event_type, group, label, description }) => ({ event_type, group, label, description })),
    );
    this.described = new Map(all.map((described) => [described.event_type, described]));
  }

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List subscribable event types',
    description:
      'In catalogue order, by group; show the groups in the order received. The list is the same for everyone.',
  })
  @GivesPrepared(SubscribableEventTypeOut)
  list(@Req() request: Request, @Res() response: Response): void {
    sendPrepared(request, response, this.preparedList);
  }

  @Get(':event_type')
  @Access('account')
  @PathParam('event_type', text(), 'An event type of the list, or `webhook.ping`.', 'bundle.created')
  @ApiOperation({
    summary: 'Read an event type',
    description:
      'Returns its entry in the list, a JSON Schema of the bodies that endpoints receive, and an example. Also available for `webhook.ping`, which needs no subscription.',
  })
  @GivesPrepared(EventTypeDetailOut, { isArray: false, description: 'The event type.' })
  @Fails(ErrorCode.EventTypeNotFound)
  get(@Req() request: Request, @Res() response: Response, @Param('event_type') eventType: string): void {
    sendPrepared(request, response, this.detail(eventType));
  }

  /** @throws NotFoundError */
  private detail(eventType: string): PreparedAnswer {
    const described = requireFound(this.described.get(eventType), ErrorCode.EventTypeNotFound, eventType);
    const answer = this.details.get(eventType) ?? prepareJson(described);
    this.details.set(eventType, answer);
    return answer;
  }
}
