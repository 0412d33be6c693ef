import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { NotFoundError, requireFound } from '../../errors/errors';
import { type Page, type PageQuery, Pages } from '../../http/requests/page';
import type { Caller } from '../caller';
import { EndedTokens } from '../ended-tokens';
import { ErrorCode } from './session.errors';
import type { Session } from './session';
import {
  type PersonSessionOut,
  type PersonSessionRow,
  type SessionOut,
  toPersonSession,
  toSession,
} from './session.dto';
import { IDLE_MS, Sessions } from './sessions.service';
import { LIST_SESSIONS } from './sessions.sql';
import { SignOuts } from './sign-outs';

const LIST = 'sessions';

/** A person's own sessions. */
@Injectable()
export class PersonSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly signOuts: SignOuts,
    private readonly endedTokens: EndedTokens,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError if the caller used an access token */
  async current(caller: Caller, request: Request): Promise<SessionOut> {
    return toSession(await this.requireCurrent(request), caller.isPlatformAdmin);
  }

  /** @throws NotFoundError if the caller used an access token */
  async endCurrent(request: Request, response: Response): Promise<void> {
    await this.requireCurrent(request);
    await this.sessions.end(this.dataSource.manager, request, response);
  }

  /** Newest first. */
  async list({ userId }: Caller, request: Request, query: PageQuery): Promise<Page<PersonSessionOut>> {
    const page = this.pages.open(LIST, query, {});
    const now = this.clock.now();
    const idleSince = new Date(now.getTime() - IDLE_MS);
    const [rows, current] = await Promise.all([
      many<PersonSessionRow>(this.dataSource, LIST_SESSIONS, [userId, now, idleSince, page.after, page.take]),
      this.currentOf(request),
    ]);
    return page.close(rows, (row) => toPersonSession(row, current?.id));
  }

  /** @throws NotFoundError for a session of somebody else, too */
  async end({ userId }: Caller, sessionId: string): Promise<void> {
    const ended = await this.sessions.endOf(this.dataSource, userId, sessionId);
    if (ended === 0) throw new NotFoundError(ErrorCode.SessionNotFound, sessionId);
  }

  /** Ends all sessions, and whatever else the person is signed in by. */
  async endAll({ userId }: Caller, request: Request, response: Response): Promise<void> {
    await inTransaction(this.dataSource, (manager) => this.signOuts.everywhere(manager, userId));
    this.endedTokens.byAccount(userId);
    if (this.sessions.cookie.isIn(request)) this.sessions.cookie.clear(response);
  }

  private async requireCurrent(request: Request): Promise<Session> {
    return requireFound(await this.currentOf(request), ErrorCode.SessionNotFound, 'of this request');
  }

  /** With `Authorization`, that alone counts, whatever cookie comes along. */
  private currentOf(request: Request): Promise<Session | undefined> {
    return request.headers.authorization === undefined ? this.sessions.current(request) : Promise.resolve(undefined);
  }
}
