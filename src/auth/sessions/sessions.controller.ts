import { Controller, Delete, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { Access } from '../access.decorator';
import { type Caller, CurrentCaller } from '../caller';
import { PersonSessions } from './person-sessions.service';
import { PersonSessionOut, SessionOut } from './session.dto';
import { ErrorCode } from './session.errors';

/** The session of the request. */
@ApiTags('Sessions')
@Controller('session')
export class SessionController {
  constructor(private readonly sessions: PersonSessions) {}

  @Get()
  @Access('account')
  @Fails(ErrorCode.SessionNotFound)
  @ApiOperation({
    summary: 'Read the session of this browser',
    description: 'By its cookie. A request with an access token has no session: 404.',
  })
  @Gives(SessionOut)
  get(@CurrentCaller() caller: Caller, @Req() request: Request) {
    return this.sessions.current(caller, request);
  }

  @Delete()
  @Access('account')
  @Fails(ErrorCode.SessionNotFound)
  @ApiOperation({ summary: 'Sign out of this browser', description: 'Ends its session and clears its cookie.' })
  @GivesNothing('You are signed out.')
  remove(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.sessions.endCurrent(request, response);
  }
}

/** All sessions of a person. */
@ApiTags('Sessions')
@Controller('users/me/sessions')
export class PersonSessionsController {
  constructor(private readonly sessions: PersonSessions) {}

  @Get()
  @OperationId('person_sessions_list')
  @Access('account')
  @ApiOperation({ summary: 'List the browsers in which you are signed in', description: 'Newest first; at most 100.' })
  @Lists(PersonSessionOut)
  list(@CurrentCaller() caller: Caller, @Req() request: Request, @Query() query: PageQuery) {
    return this.sessions.list(caller, request, query);
  }

  @Delete()
  @OperationId('person_sessions_remove_all')
  @Access('account')
  @ApiOperation({
    summary: 'Sign out everywhere',
    description: 'Ends all your sessions, this one included, and whatever else clients obtained by them.',
  })
  @GivesNothing('You are signed out everywhere.')
  removeAll(@CurrentCaller() caller: Caller, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.sessions.endAll(caller, request, response);
  }

  @Delete(':session_id')
  @OperationId('person_sessions_remove')
  @Access('account')
  @Fails(ErrorCode.SessionNotFound)
  @IdParam('session_id', 'The session.')
  @ApiOperation({
    summary: 'Sign out of one browser',
    description: 'Every replica refuses its cookie within a second.',
  })
  @GivesNothing('It has ended.')
  remove(@CurrentCaller() caller: Caller, @Param('session_id') sessionId: string) {
    return this.sessions.end(caller, sessionId);
  }
}
