import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { MIN_ID } from '../../database/id';
import { execute, one } from '../../database/statements';
import { Password } from './password.entity';
import { PasswordHasher } from './password-hasher';
import { normalisedPassword, passwordProblem, type PasswordOwner } from './password-rules';
import { FIND_OR_NOTHING, REHASH, STORE_PASSWORD, type StoredPassword } from './passwords.sql';

/** The id of no account: looking it up takes as long as any other. */
const NOBODY = MIN_ID;

/** A password that was right. */
export interface VerifiedPassword {
  userId: string;
  /** For `isUnchanged`. */
  changedAt: Date;
}

/** The passwords of accounts that sign in here. */
@Injectable()
export class Passwords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** @returns what is wrong with a new password, for the person; undefined if it can be used */
  problemWith(password: string, owner: PasswordOwner): string | undefined {
    return passwordProblem(password, owner);
  }

  /**
   * Call it outside of a transaction: it takes about 0.1 s, and may have to wait.
   *
   * @param password without a problem
   * @throws UnavailableError if too many computations are waiting
   */
  hash(password: string): Promise<string> {
    return this.hasher.hash(normalisedPassword(password));
  }

  /**
   * Gives an account this password instead of any other.
   *
   * @param manager of a transaction that holds the account open
   * @param hash from `hash`
   */
  async store(manager: EntityManager, userId: string, hash: string): Promise<void> {
    await execute(manager, STORE_PASSWORD, [userId, hash, this.clock.now()]);
  }

  /**
   * Takes the same time for a wrong password, an account without one, and no account at all. Call it outside of a
   * transaction.
   *
   * @param userId undefined for an address without an account
   * @param isStranger whether the account has not signed in from there before: a flood of those leaves a share for others
   * @returns undefined if it is wrong
   * @throws UnavailableError if too many computations are waiting
   */
  async verify(
    userId: string | undefined,
    password: string,
    isStranger = false,
  ): Promise<VerifiedPassword | undefined> {
    const stored = await one<StoredPassword>(this.dataSource, FIND_OR_NOTHING, [userId ?? NOBODY]);
    const normalised = normalisedPassword(password);
    const isRight = await this.hasher.verify(stored.hash ?? undefined, normalised, isStranger);
    if (!isRight || userId === undefined || stored.hash === null || stored.changed_at === null) return undefined;
    if (this.hasher.isOutdated(stored.hash)) {
      const hash = await this.hasher.hash(normalised);
      await execute(this.dataSource, REHASH, [userId, stored.hash, hash]);
    }
    return { userId, changedAt: stored.changed_at };
  }

  /**
   * Whether a password that was right a moment ago still is, until the end of the transaction: otherwise a sign-in could
   * outrun the change that is meant to end it.
   */
  async isUnchanged(manager: EntityManager, { userId, changedAt }: VerifiedPassword): Promise<boolean> {
    const stored = await manager
      .getRepository(Password)
      .findOne({ where: { userId }, lock: { mode: 'pessimistic_read' } });
    return stored?.changedAt.getTime() === changedAt.getTime();
  }

  /** @returns whether the account has a password */
  has(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.getRepository(Password).existsBy({ userId });
  }

  /** Takes the password of an account away, which can then no longer sign in with one. */
  async remove(manager: EntityManager, userId: string): Promise<void> {
    await manager.getRepository(Password).delete({ userId });
  }
}
