import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { Secrets } from '../../config/secrets';
import { execute, maybe } from '../../database/statements';
import { RateLimitedError, type RatePolicy } from '../../errors/errors';
import { ClientAddresses } from '../../http/requests/client-addresses';
import { addressKey } from '../../users/address';
import {
  ACCOUNT_BLOCKED_UNTIL,
  ACCOUNT_MEMORY_S,
  ADDRESS_BLOCKED_UNTIL,
  FORGET_ACCOUNT_TRIES,
  FREE_TRIES,
  TRIES_PER_ADDRESS,
  TRY_ACCOUNT,
  TRY_ADDRESS,
  WINDOW_S,
  WITHDRAW_ACCOUNT_TRY,
  WITHDRAW_ADDRESS_TRY,
} from './tries.sql';

/** What tries are made for; each is counted for itself, so that asking for mail does not keep anybody from signing in. */
export type TryPurpose = 'sign-in' | 'password-reset';

const TOO_MANY: Record<TryPurpose, string> = {
  'sign-in': 'Too many failed tries to sign in with this address.',
  'password-reset': 'Too many links were asked for with this address.',
};

/** A try to prove who one is. It counts as failed unless one of these is called. */
export interface Try {
  /** The proof was right: the account starts again from zero, and the address has one failure less. */
  succeed(): Promise<void>;
  /** The proof was not looked at, because something was unavailable. */
  withdraw(): Promise<void>;
}

/** Counts failed tries to sign in, in the database, so that all replicas count together. */
@Injectable()
export class Protection {
  private readonly keys: Keyring;

  constructor(
    private readonly dataSource: DataSource,
    private readonly addresses: ClientAddresses,
    private readonly clock: Clock,
    secrets: Secrets,
  ) {
    this.keys = secrets.derive('tries to sign in');
  }

  /** @returns the network address of the client, in canonical form */
  addressOf(request: IncomingMessage): string {
    return this.addresses.of(request);
  }

  /**
   * Counts a try before it is made. Accounts that do not exist are counted in the same way.
   *
   * @param account the address of the account, as it was typed; undefined if only the network address counts, as for
   *   passkeys and secret links, which nobody can guess one by one
   * @param purpose counts for the account alone; tries from a network address are counted together
   * @throws RateLimitedError if the account or the network address has to wait; then do not look at the proof
   */
  async admit(request: IncomingMessage, account?: string, purpose: TryPurpose = 'sign-in'): Promise<Try> {
    const now = this.clock.now();
    const addressTries = this.digest(`address ${this.addresses.networkOf(request)}`);
    if (!(await maybe(this.dataSource, TRY_ADDRESS, [addressTries, now])))
      throw refusal(
        await maybe(this.dataSource, ADDRESS_BLOCKED_UNTIL, [addressTries, now]),
        now,
        'Too many failed tries to sign in from your network.',
        { name: 'sign-in-network', quota: TRIES_PER_ADDRESS, seconds: WINDOW_S },
      );
    const ended = (): Promise<unknown> => execute(this.dataSource, WITHDRAW_ADDRESS_TRY, [addressTries, now]);
    if (account === undefined)
      return { succeed: async () => void (await ended()), withdraw: async () => void (await ended()) };

    const accountTries = this.digest(`${purpose === 'sign-in' ? 'account' : purpose} ${addressKey(account)}`);
    if (!(await maybe(this.dataSource, TRY_ACCOUNT, [accountTries, now])))
      throw refusal(await maybe(this.dataSource, ACCOUNT_BLOCKED_UNTIL, [accountTries]), now, TOO_MANY[purpose], {
        name: purpose,
        quota: FREE_TRIES,
        seconds: ACCOUNT_MEMORY_S,
      });
    return {
      succeed: async () => {
        await execute(this.dataSource, FORGET_ACCOUNT_TRIES, [accountTries]);
        await ended();
      },
      withdraw: async () => {
        await execute(this.dataSource, WITHDRAW_ACCOUNT_TRY, [accountTries, now]);
        await ended();
      },
    };
  }

  /**
   * So that a copy of the database does not show who tried to sign in, and from where. With another `SECRETS_KEY` the
   * counts begin again, once (ADR 33).
   */
  private digest(text: string): Buffer {
    return this.keys.mac(text);
  }
}

/** @param row undefined if the wait has just ended */
function refusal(
  row: { until: Date | null } | undefined,
  now: Date,
  problem: string,
  policy: RatePolicy,
): RateLimitedError {
  const seconds = Math.max(1, Math.ceil(((row?.until?.getTime() ?? 0) - now.getTime()) / 1_000));
  const wait = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
  return new RateLimitedError(`${problem} Try again in ${wait}.`, seconds, policy);
}
