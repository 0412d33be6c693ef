import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import { AuthenticationError, ErrorCode, ForbiddenError } from '../../errors/errors';
import type { Caller } from '../caller';
import { PlatformAdmins } from '../platform-admins';
import type { Session } from './session';
import { Sessions } from './sessions.service';

/** Sent by the console's own script. A form or link of another site cannot add a header. */
const CONSOLE_HEADER = 'x-toolyard-console';
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Requests of the console, which are authenticated by the cookie of a session instead of an access token (RFC 10017,
 * backend for frontend). Unsafe methods must come from a page of ours, as the browser says, and carry a header.
 */
@Injectable()
export class ConsoleCallers {
  private readonly admins: PlatformAdmins;
  private readonly origin: string;
  private readonly publicUrl: string;
  private readonly issuer: string;
  private readonly isOwnIssuer: boolean;
  private readonly callers = new WeakMap<Session, Caller>();

  constructor(
    private readonly sessions: Sessions,
    { publicUrl, platformAdmins, externalIssuer }: Environment,
  ) {
    this.isOwnIssuer = externalIssuer === undefined;
    this.admins = new PlatformAdmins(platformAdmins);
    this.origin = new URL(publicUrl).origin;
    this.publicUrl = publicUrl;
    this.issuer = externalIssuer?.issuer ?? publicUrl;
  }

  /** @returns whether the request has the cookie of a session, and no `Authorization`, which would decide alone */
  isMeant(request: Request): boolean {
    return (
      request.headers.cookie !== undefined &&
      request.headers.authorization === undefined &&
      this.sessions.cookie.isIn(request)
    );
  }

  /**
   * @returns the caller, if this process remembers the session
   * @throws ForbiddenError if another site may have sent the request
   */
  recall(request: Request): Caller | undefined {
    const session = this.sessions.recall(request);
    if (!session) return undefined;
    this.requireOwnPage(request);
    return this.toCaller(session);
  }

  /**
   * @param response whose cookie is cleared if the session is over
   * @param asksDatabase whatever this process remembers (`verify_locally=false`)
   * @throws AuthenticationError if the session is over; ForbiddenError if another site may have sent the request
   */
  async callerOf(request: Request, response?: Response, asksDatabase = false): Promise<Caller> {
    const session = await this.sessions.current(request, response, asksDatabase);
    if (!session) throw new AuthenticationError(ErrorCode.AuthenticationRequired, 'You are signed out. Sign in again.');
    this.requireOwnPage(request);
    return this.toCaller(session);
  }

  private requireOwnPage(request: Request): void {
    if (SAFE_METHODS.includes(request.method)) return;
    if (this.isOwnPage(request) && request.headers[CONSOLE_HEADER] === '1') return;
    throw new ForbiddenError(
      'With the session cookie, changes are accepted only from pages of this server that send "X-Toolyard-Console: 1". Other clients send an access token.',
    );
  }

  /** By Fetch Metadata; browsers without it always send `Origin` with unsafe methods. */
  private isOwnPage({ headers }: Request): boolean {
    const site = headers['sec-fetch-site'];
    return site === undefined ? headers.origin === this.origin : site === 'same-origin';
  }

  private toCaller(session: Session): Caller {
    let caller = this.callers.get(session);
    if (!caller) {
      const { userId, email, name } = session;
      const emailState = email === null ? 'missing' : 'email_verified';
      const signIn = session.identity ?? { issuer: this.publicUrl, subject: userId, email, emailState };
      // An entry of PLATFORM_ADMINS is a subject of the configured issuer, and of no provider of company sign-in.
      const subject = signIn.issuer === this.issuer ? signIn.subject : '';
      caller = {
        userId,
        email,
        name,
        isPlatformAdmin:
          (this.isOwnIssuer && session.isPlatformAdmin) ||
          this.admins.has({ subject, email: email ?? undefined, isAttested: false }),
        signIn,
        provedAt: session.provedAt,
      };
      this.callers.set(session, caller);
    }
    return caller;
  }
}
