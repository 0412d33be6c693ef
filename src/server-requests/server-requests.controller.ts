import { applyDecorators, Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller';
import { Creates, Gives, Lists } from '../http/answers/answers';
import { Fails } from '../http/answers/api-errors';
import { IdParam } from '../http/requests/fields';
import { type ActingMember, CurrentMember } from '../organisations/members/memberships.service';
import { Access } from '../organisations/organisation.access';
import { ServerRequestCreate, ServerRequestDecision, ServerRequestOut, ServerRequestQuery } from './server-request.dto';
import { ErrorCode } from './server-request.errors';
import { ServerRequestsService } from './server-requests.service';

const { Forbidden, ListingNotFound, RateLimited, ServerRequestConflict, ServerRequestNotFound } = ErrorCode;

/** The organisation and the request in the path. */
const RequestParam = () =>
  applyDecorators(
    IdParam('org_id', 'The organisation.'),
    IdParam('request_id', 'The request.'),
    Fails(ServerRequestNotFound),
  );

@ApiTags('Server requests')
@Controller('organisations/:org_id/server-requests')
export class ServerRequestsController {
  constructor(private readonly requests: ServerRequestsService) {}

  @Post()
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Ask for a server',
    description:
      'By a listing that the organisation does not allow yet, or by the name of a server that the catalogue lacks. Its ADMINs and OWNERs decide. You can have 50 open requests in an organisation, one for each thing, and make 100 a day; it can have 1,000.',
  })
  @Creates(ServerRequestOut, ({ id }, path) => `/v1/organisations/${path.org_id as string}/server-requests/${id}`)
  @Fails(ListingNotFound, ServerRequestConflict, RateLimited)
  create(@CurrentCaller() caller: Caller, @CurrentMember() member: ActingMember, @Body() body: ServerRequestCreate) {
    return this.requests.create(caller, member, body);
  }

  @Get()
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List requests for servers',
    description:
      'Newest first: all of them for ADMINs and OWNERs, and your own for you. Removed after a year, unless they are open.',
  })
  @Lists(ServerRequestOut)
  list(@CurrentMember() member: ActingMember, @Query() query: ServerRequestQuery) {
    return this.requests.list(member, query);
  }

  @Get(':request_id')
  @Access('organisation-member')
  @RequestParam()
  @ApiOperation({
    summary: 'Read a request for a server',
    description: 'Your own; ADMINs and OWNERs read all of them.',
  })
  @Gives(ServerRequestOut)
  get(@CurrentMember() member: ActingMember, @Param('request_id') id: string) {
    return this.requests.get(member, id);
  }

  @Post(':request_id/withdraw')
  @Access('organisation-member')
  @RequestParam()
  @ApiOperation({ summary: 'Withdraw a request for a server', description: 'Only your own, while it is open.' })
  @Gives(ServerRequestOut)
  @Fails(Forbidden, ServerRequestConflict)
  withdraw(@CurrentCaller() caller: Caller, @CurrentMember() member: ActingMember, @Param('request_id') id: string) {
    return this.requests.withdraw(caller, member, id);
  }

  @Post(':request_id/approve')
  @Access('organisation-admin')
  @ApiBody({ type: ServerRequestDecision, required: false })
  @RequestParam()
  @ApiOperation({
    summary: 'Approve a request for a server',
    description:
      'Lets the member who asked know; with `SMTP_URL` they get a mail. It adds the server to nothing: put it into a bundle of the organisation, or into its catalogue.',
  })
  @Gives(ServerRequestOut)
  @Fails(ServerRequestConflict)
  approve(
    @CurrentCaller() caller: Caller,
    @CurrentMember() member: ActingMember,
    @Param('request_id') id: string,
    @Body() body: ServerRequestDecision = {},
  ) {
    return this.requests.decide(caller, member, id, 'APPROVED', body);
  }

  @Post(':request_id/decline')
  @Access('organisation-admin')
  @ApiBody({ type: ServerRequestDecision, required: false })
  @RequestParam()
  @ApiOperation({
    summary: 'Decline a request for a server',
    description:
      'Lets the member who asked know; with `SMTP_URL` they get a mail. They can ask for the same thing again.',
  })
  @Gives(ServerRequestOut)
  @Fails(ServerRequestConflict)
  decline(
    @CurrentCaller() caller: Caller,
    @CurrentMember() member: ActingMember,
    @Param('request_id') id: string,
    @Body() body: ServerRequestDecision = {},
  ) {
    return this.requests.decide(caller, member, id, 'DECLINED', body);
  }
}
