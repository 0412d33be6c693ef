import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { Environment } from '../../config/environment';
import { Secrets } from '../../config/secrets';
import { execute, maybe } from '../../database/statements';
import { RateLimitedError, type RatePolicy } from '../../errors/errors';
import { HostCookie } from '../../http/host-cookie';
import { ClientAddresses } from '../../http/requests/client-addresses';
import { addressKey } from '../../users/address';
import {
  ACCOUNT_BLOCKED_UNTIL,
  ACCOUNT_MEMORY_S,
  ADDRESS_BLOCKED_UNTIL,
  FIND_PLACE,
  FORGET_ACCOUNT_TRIES,
  FORGET_ALL_ACCOUNT_TRIES,
  FREE_TRIES,
  REMEMBER_PLACES,
  TRIES_PER_ADDRESS,
  TRY_ACCOUNT,
  TRY_ADDRESS,
  WINDOW_S,
  WITHDRAW_ACCOUNT_TRY,
  WITHDRAW_ADDRESS_TRY,
} from './tries.sql';

/** For as long as a place is known (`tries.sql.ts`); browsers keep cookies no longer than 400 days. */
const COOKIE_S = 180 * 86_400;

/**
 * What tries are made for; each is counted for itself, so that asking for mail does not keep anyone from signing in, nor
 * tries of strangers a person from confirming something in their session.
 */
export type TryPurpose = 'sign-in' | 'password-reset' | 'confirmation';

const TOO_MANY: Record<TryPurpose, string> = {
  'sign-in': 'Too many failed tries to sign in with this address.',
  'password-reset': 'Too many links were asked for with this address.',
  confirmation: 'Too many failed tries to confirm with this password.',
};

/** A try to prove who one is. It counts as failed unless one of these is called. */
export interface Try {
  /** Whether it comes from a browser or a network from which the account has signed in before. */
  readonly isKnown: boolean;
  /**
   * The proof was right: the account starts again from zero, and the address has one failure less.
   *
   * @param response gets the cookie by which the browser is known from now on; absent: the place is not remembered
   */
  succeed(response?: ServerResponse): Promise<void>;
  /** The proof was not looked at, because something was unavailable. */
  withdraw(): Promise<void>;
}

/** Counts failed tries to sign in, in the database, so that all replicas count together. */
@Injectable()
export class Protection {
  private readonly keys: Keyring;
  /** By which a browser is known. It says nothing, and signs no one in. */
  private readonly browser: HostCookie;

  constructor(
    private readonly dataSource: DataSource,
    private readonly addresses: ClientAddresses,
    private readonly clock: Clock,
    secrets: Secrets,
    { publicUrl }: Environment,
  ) {
    this.keys = secrets.derive('tries to sign in');
    this.browser = new HostCookie('toolyard-browser', publicUrl);
  }

  /** @returns the network address of the client, in canonical form */
  addressOf(request: IncomingMessage): string {
    return this.addresses.of(request);
  }

  /**
   * Counts a try before it is made. Accounts that do not exist are counted in the same way. A browser from which the account
   * has signed in, and else its network, has tries of its own, so that wrong passwords of strangers do not refuse the right one
   * there (OWASP calls this device cookies); such a browser does not wait for its network either.
   *
   * @param account the address of the account, as it was typed; undefined if only the network address counts, as for
   *   passkeys and secret links, which no one can guess one by one
   * @param purpose counts for the account alone; tries from a network address are counted together
   * @throws RateLimitedError if the account or the network address has to wait; then do not look at the proof
   */
  async admit(request: IncomingMessage, account?: string, purpose: TryPurpose = 'sign-in'): Promise<Try> {
    const now = this.clock.now();
    const addressTries = this.digest(`address ${this.addresses.networkOf(request)}`);
    const isCounted = (await maybe(this.dataSource, TRY_ADDRESS, [addressTries, now])) !== undefined;
    if (!isCounted && !(await this.isKnownBrowser(request, account, now)))
      throw refusal(
        await maybe(this.dataSource, ADDRESS_BLOCKED_UNTIL, [addressTries, now]),
        now,
        'Too many failed tries to sign in from your network.',
        { name: 'sign-in-network', quota: TRIES_PER_ADDRESS, seconds: WINDOW_S },
      );
    const ended = async (): Promise<void> => {
      if (isCounted) await execute(this.dataSource, WITHDRAW_ADDRESS_TRY, [addressTries, now]);
    };
    if (account === undefined) return { isKnown: false, succeed: ended, withdraw: ended };

    const strangers = this.digest(`${purpose === 'sign-in' ? 'account' : purpose} ${addressKey(account)}`);
    const places = this.placesOf(request, account);
    const keys = places.map((place) =>
      purpose === 'sign-in' ? place : this.digest(`${purpose} ${place.toString('base64')}`),
    );
    const values = [strangers, now, places, keys];
    const counted = await maybe<{ key: Buffer }>(this.dataSource, TRY_ACCOUNT, values);
    if (!counted)
      throw refusal(await maybe(this.dataSource, ACCOUNT_BLOCKED_UNTIL, values), now, TOO_MANY[purpose], {
        name: purpose,
        quota: FREE_TRIES,
        seconds: ACCOUNT_MEMORY_S,
      });

    return {
      isKnown: !counted.key.equals(strangers),
      succeed: async (response) => {
        await execute(this.dataSource, FORGET_ACCOUNT_TRIES, [[strangers, ...keys]]);
        if (response) await this.remember(request, response, account);
        await ended();
      },
      withdraw: async () => {
        await execute(this.dataSource, WITHDRAW_ACCOUNT_TRY, [counted.key, now]);
        await ended();
      },
    };
  }

  /**
   * After a proof that no one guesses, such as a link that was mailed or a recovery code: the account starts again from zero
   * everywhere, and the browser and its network are known.
   *
   * @param account the address of the account
   */
  async clear(request: IncomingMessage, response: ServerResponse, account: string): Promise<void> {
    await execute(this.dataSource, FORGET_ALL_ACCOUNT_TRIES, [this.accountKey(account)]);
    await this.remember(request, response, account);
  }

  private async remember(request: IncomingMessage, response: ServerResponse, account: string): Promise<void> {
    const browser = this.browser.read(request) ?? randomBytes(32).toString('base64url');
    this.browser.write(response, browser, COOKIE_S);
    const places = this.placesOf(request, account, browser);
    await execute(this.dataSource, REMEMBER_PLACES, [places, this.accountKey(account), this.clock.now()]);
  }

  private async isKnownBrowser(request: IncomingMessage, account: string | undefined, now: Date): Promise<boolean> {
    const browser = this.browser.read(request);
    if (account === undefined || browser === undefined) return false;
    const [place] = this.placesOf(request, account, browser);
    return (await maybe(this.dataSource, FIND_PLACE, [place, now])) !== undefined;
  }

  /** @returns the browser, if it has the cookie, and the network: the first that is known counts */
  private placesOf(request: IncomingMessage, account: string, browser = this.browser.read(request)): Buffer[] {
    const names = [`network ${this.addresses.networkOf(request)}`];
    if (browser !== undefined) names.unshift(`browser ${browser}`);
    return names.map((name) => this.digest(`${name} ${addressKey(account)}`));
  }

  private accountKey(account: string): Buffer {
    return this.digest(`account ${addressKey(account)}`);
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
