import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { execute, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, NotFoundError } from '../../errors/errors';
import { Mails } from '../../mail/mails.service';
import { Accounts } from '../../users/accounts.service';
import { Administrators } from './administrators';
import { linkDigest, newLinkSecret } from './link-secret';
import { ErrorCode } from './people.errors';
import { FIND_USER } from '../../users/account-administration.sql';
import { FIND_RESET, REPLACE_REQUESTED_RESET, REPLACE_RESET, USE_RESET } from './password-resets.sql';
import { passwordResetMail } from './people.mail';
import type { PasswordResetLinkOut, UserRow } from './user.dto';

const HOUR_MS = 3_600_000;
const VALID_MS = 24 * HOUR_MS;
/** A link that is only mailed is valid for so long. */
export const REQUESTED_VALID_MS = HOUR_MS / 2;

/** The person behind a link. */
export interface ResettingPerson {
  id: string;
  email: string | null;
  name: string | null;
}

/** A link that a person asked for. */
export interface RequestedReset {
  /** The account has this address. */
  email: string;
  link: string;
  expiresAt: Date;
}

/** Links with which people set a new password: from administrators, or by mail for who asks. */
@Injectable()
export class PasswordResets {
  private readonly logger = new Logger(PasswordResets.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly administrators: Administrators,
    private readonly mails: Mails,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Makes a link, valid for 24 hours and once; the former one of the account ends. Mails it to the address of the
   * account, if mail is sent.
   *
   * @throws ForbiddenError; NotFoundError; ConflictError for an account with which no one can sign in by password
   */
  async create(caller: Caller, userId: string): Promise<PasswordResetLinkOut> {
    this.administrators.require(caller);
    this.administrators.requirePasswords();
    const { secret, digest } = newLinkSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + VALID_MS);
    const link = this.linkOf(secret);
    const mailed = await inTransaction(this.dataSource, async (manager) => {
      if (!(await this.accounts.hold(manager, userId))) throw new NotFoundError(ErrorCode.UserNotFound, userId);
      const user = await one<UserRow>(manager, FIND_USER, [userId]);
      const problem = problemWith(user);
      if (problem !== undefined) throw new ConflictError(ErrorCode.UserConflict, problem);
      await execute(manager, REPLACE_RESET, [newId(), userId, digest, now, expiresAt]);
      const text = passwordResetMail(caller, { publicUrl: this.environment.publicUrl, link, expiresAt });
      return this.mails.post(manager, {
        kind: 'PASSWORD_RESET',
        aboutId: userId,
        to: user.email ?? '',
        expiresAt,
        ...text,
      });
    });
    this.logger.log(`A password reset link for account ${userId} was created by ${caller.userId}.`);
    return { link, expires_at: expiresAt.toISOString(), mailed };
  }

  /**
   * Makes a link, valid for 30 minutes and once, besides that of an administrator.
   *
   * @param manager of a transaction that holds the account
   * @returns undefined for an account with which no one can sign in by password
   */
  async request(manager: EntityManager, userId: string): Promise<RequestedReset | undefined> {
    const user = await one<UserRow>(manager, FIND_USER, [userId]);
    if (user.email === null || problemWith(user) !== undefined) return undefined;
    const { secret, digest } = newLinkSecret();
    const expiresAt = new Date(this.clock.now().getTime() + REQUESTED_VALID_MS);
    await execute(manager, REPLACE_REQUESTED_RESET, [userId, digest, expiresAt]);
    return { email: user.email, link: this.linkOf(secret), expiresAt };
  }

  /** @returns the person whose password the link sets; undefined for unknown, used, replaced and expired ones alike */
  async find(secret: string): Promise<ResettingPerson | undefined> {
    const digest = linkDigest(secret);
    const reset = digest && (await maybe<{ user_id: string }>(this.dataSource, FIND_RESET, [digest, this.clock.now()]));
    const person = reset && (await maybe<UserRow>(this.dataSource, FIND_USER, [reset.user_id]));
    return person?.closed_at === null ? person : undefined;
  }

  /**
   * @param manager of a transaction that has locked the account
   * @returns whether this was the one time that the link works
   */
  async use(manager: EntityManager, secret: string): Promise<boolean> {
    return (await maybe(manager, USE_RESET, [linkDigest(secret), this.clock.now()])) !== undefined;
  }

  private linkOf(secret: string): string {
    return `${this.environment.publicUrl}/password-reset/${secret}`;
  }
}

function problemWith({ closed_at, claimed_at, email }: UserRow): string | undefined {
  if (closed_at) return 'The account is closed. Open it again first.';
  if (email === null) return 'The account has no address, so nobody could sign in to it with a password.';
  return claimed_at ? undefined : 'Nobody has used this account yet. Invite the address instead.';
}
