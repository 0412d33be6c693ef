import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Request, Response } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { MIN_ID } from '../../database/id';
import { inTransaction } from '../../database/transaction';
import { ForbiddenError } from '../../errors/errors';
import { Metrics } from '../../metrics/metrics';
import { Forms } from '../../pages/forms';
import { Accounts } from '../../users/accounts.service';
import { holdAccount } from '../../users/open-account';
import { FailedSignIns } from '../protection/failed-sign-ins';
import { Protection } from '../protection/protection.service';
import { type SignInCounter, signInCounter } from '../protection/sign-in-counter';
import { WaysToSignIn } from '../session-pages/ways-to-sign-in';
import { Passkeys, type PasskeySignIn } from './passkeys.service';
import { useRecoveryCode } from './recovery-codes';

/** RFC 8176 has no value for a code from a list; `otp` is the closest. */
const CODE_METHODS = ['otp'];

/** What someone has shown, inside the transaction of the sign-in. */
interface Proof {
  proved: PasskeySignIn | undefined;
  /** The person meant this account, if it exists. */
  meant?: string;
}

/** Signs people in with a passkey, or with a recovery code if they lost theirs. */
@Injectable()
export class PasskeySignIns {
  private readonly issuer: string;
  private readonly counted: SignInCounter<'passkey' | 'recovery_code'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly passkeys: Passkeys,
    private readonly protection: Protection,
    private readonly sessions: Sessions,
    private readonly ways: WaysToSignIn,
    private readonly forms: Forms,
    private readonly failures: FailedSignIns,
    { publicUrl }: Environment,
    metrics: Metrics,
  ) {
    this.issuer = publicUrl;
    this.counted = signInCounter(metrics, 'passkey', 'recovery_code');
  }

  /** @returns options for `navigator.credentials.get`, for this browser only */
  options(request: Request, response: Response) {
    return this.passkeys.signInOptions(this.forms.browserOf(request, response));
  }

  /**
   * A correct passkey is never delayed by wrong passwords: only failures of the network count (`Protection`).
   *
   * @returns whether the person is signed in; the cookie is then in the response
   * @throws RateLimitedError after too many failures from this network
   */
  byPasskey(request: Request, response: Response, answer: AuthenticationResponseJSON): Promise<boolean> {
    const browser = this.forms.browserOf(request, response);
    // A passkey says whose it is only if it is right.
    return this.try(request, response, undefined, async (manager) => ({
      proved: await this.passkeys.signIn(manager, browser, answer),
    }));
  }

  /**
   * Takes the same statements for an unknown account and a wrong code. Only failures of the network count, as for passkeys:
   * a code has 80 random bits, and is for those whom wrong passwords of strangers keep out.
   *
   * @returns whether the person is signed in; the code is then used up
   * @throws RateLimitedError after too many failures
   */
  async byCode(request: Request, response: Response, email: string, code: string): Promise<boolean> {
    return this.try(request, response, email, async (manager) => {
      const userId = await this.accounts.holderOf(manager, email);
      const isRight = await useRecoveryCode(manager, userId ?? MIN_ID, code);
      return { meant: userId, proved: isRight && userId !== undefined ? { userId, methods: CODE_METHODS } : undefined };
    });
  }

  private async try(
    request: Request,
    response: Response,
    email: string | undefined,
    prove: (manager: EntityManager) => Promise<Proof>,
  ): Promise<boolean> {
    if (!this.ways.hasPasswords) throw new ForbiddenError('Nobody signs in with a passkey here.');
    const signIn = () => this.tryOnce(request, response, email, prove);
    return this.counted(wayOf(email), signIn, (isSignedIn) => isSignedIn === false);
  }

  private async tryOnce(
    request: Request,
    response: Response,
    email: string | undefined,
    prove: (manager: EntityManager) => Promise<Proof>,
  ): Promise<boolean> {
    const attempt = await this.protection.admit(request);
    const address = this.protection.addressOf(request);
    let isSignedIn: boolean;
    let userId: string | undefined;
    try {
      isSignedIn = await inTransaction(this.dataSource, async (manager) => {
        const { proved, meant } = await prove(manager);
        userId = meant;
        if (!proved || !(await holdAccount(manager, proved.userId))) return false;
        await this.accounts.ensureIdentity(manager, this.issuer, proved.userId);
        await this.sessions.start(manager, request, response, { ...proved, address });
        return true;
      });
      if (!isSignedIn) this.failures.note(request, response, { userId, details: { method: wayOf(email) } });
    } catch (error) {
      // Otherwise the cookie of a session that was rolled back would leave with the error.
      response.removeHeader('Set-Cookie');
      await attempt.withdraw();
      throw error;
    }
    if (isSignedIn) await attempt.succeed();
    if (isSignedIn && email !== undefined) await this.protection.clear(request, response, email);
    return isSignedIn;
  }
}

/** @param email of a recovery code; a passkey comes without one */
function wayOf(email: string | undefined): 'passkey' | 'recovery_code' {
  return email === undefined ? 'passkey' : 'recovery_code';
}
