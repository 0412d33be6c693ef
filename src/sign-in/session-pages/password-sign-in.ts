import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { inTransaction } from '../../database/transaction';
import { Metrics } from '../../metrics/metrics';
import { Accounts } from '../../users/accounts.service';
import { holdAccount } from '../../users/open-account';
import { type VerifiedPassword, Passwords } from '../passwords/passwords.service';
import { FailedSignIns } from '../protection/failed-sign-ins';
import { Protection } from '../protection/protection.service';
import { type SignInCounter, signInCounter } from '../protection/sign-in-counter';

/** How a session says that it began with a password (RFC 8176). */
const METHODS = ['pwd'];

/** Signs people in with the password of their account here. */
@Injectable()
export class PasswordSignIn {
  private readonly issuer: string;
  private readonly counted: SignInCounter<'password'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly protection: Protection,
    private readonly sessions: Sessions,
    private readonly failures: FailedSignIns,
    { publicUrl }: Environment,
    metrics: Metrics,
  ) {
    this.issuer = publicUrl;
    this.counted = signInCounter(metrics, 'password');
  }

  /**
   * Takes the same time, and the same number of statements, for an unknown account, a wrong password and a closed
   * account.
   *
   * @returns whether the person is signed in; the cookie is then in the response
   * @throws RateLimitedError after too many failures; UnavailableError if too many people are signing in
   */
  signIn(request: Request, response: Response, email: string, password: string): Promise<boolean> {
    const signIn = () => this.try(request, response, email, password);
    return this.counted('password', signIn, (isSignedIn) => isSignedIn === false);
  }

  private async try(request: Request, response: Response, email: string, password: string): Promise<boolean> {
    const attempt = await this.protection.admit(request, email);
    let isSignedIn: boolean;
    try {
      const userId = await this.accounts.holderOf(this.dataSource.manager, email);
      const verified = await this.passwords.verify(userId, password, !attempt.isKnown);
      isSignedIn = verified !== undefined && (await this.start(request, response, verified));
      if (!isSignedIn) this.failures.note(request, response, { userId, details: { method: 'password' } });
    } catch (error) {
      // Otherwise the cookie of a session that was rolled back would leave with the error.
      response.removeHeader('Set-Cookie');
      await attempt.withdraw();
      throw error;
    }
    if (isSignedIn) await attempt.succeed(response);
    return isSignedIn;
  }

  /** @returns false if the password was changed, or the account closed, since it was verified */
  private start(request: Request, response: Response, verified: VerifiedPassword): Promise<boolean> {
    return inTransaction(this.dataSource, async (manager) => {
      const isGood =
        (await holdAccount(manager, verified.userId)) && (await this.passwords.isUnchanged(manager, verified));
      if (!isGood) return false;
      await this.accounts.ensureIdentity(manager, this.issuer, verified.userId);
      const address = this.protection.addressOf(request);
      await this.sessions.start(manager, request, response, { userId: verified.userId, methods: METHODS, address });
      return true;
    });
  }
}
