import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { PlatformAdmins } from '../../auth/platform-admins';
import { Environment } from '../../config/environment';
import { execute, many } from '../../database/statements';
import { ConflictError, ForbiddenError } from '../../errors/errors';
import { SignInWays } from '../ways/sign-in-ways';
import { ErrorCode } from './people.errors';
import { adminsOf, FIND_ADMINS, LOCK_ADMINS } from '../../users/account-administration.sql';

/** Who administers the platform, and that someone always does. */
@Injectable()
export class Administrators {
  private readonly admins: PlatformAdmins;
  private readonly parameters: readonly unknown[];
  /** Whether the account that set the instance up counts: not where others say who people are. */
  private readonly countsSetUp: boolean;

  constructor(
    private readonly ways: SignInWays,
    environment: Environment,
  ) {
    this.admins = new PlatformAdmins(environment.platformAdmins);
    this.parameters = adminsOf(environment);
    this.countsSetUp = environment.externalIssuer === undefined;
  }

  /** @throws ForbiddenError if the caller is none */
  require(caller: Caller): void {
    if (!caller.isPlatformAdmin)
      throw new ForbiddenError('Only platform administrators manage the accounts of others.');
  }

  /**
   * @param account its row, and its subjects of the configured issuer
   * @returns whether it administers the platform: it set the instance up, or `PLATFORM_ADMINS` names it
   */
  has({ email, isSetUp, subjects }: { email: string | null; isSetUp: boolean; subjects: readonly string[] }): boolean {
    const isAttested = isSetUp && this.countsSetUp;
    return ['', ...subjects].some((subject) => this.admins.has({ subject, email: email ?? undefined, isAttested }));
  }

  /** @returns whether who has the address administers the platform */
  hasAddress(email: string): boolean {
    return this.admins.hasAddress(email);
  }

  /** @throws ConflictError where no one signs in with a password, so that its links would lead nowhere */
  requirePasswords(): void {
    if (!this.ways.hasPasswords)
      throw new ConflictError(
        ErrorCode.UserConflict,
        'Nobody signs in to this instance with a password: people sign in at their identity provider.',
      );
  }

  /**
   * Holds the administrators until the end of the transaction, so that two cannot close each other.
   *
   * @throws ConflictError if the account is the only open one that administers the platform
   */
  async requireOther(manager: EntityManager, userId: string): Promise<void> {
    await execute(manager, LOCK_ADMINS);
    const admins = await many<{ id: string }>(manager, FIND_ADMINS, this.parameters);
    if (admins.length === 1 && admins[0]?.id === userId)
      throw new ConflictError(
        ErrorCode.UserConflict,
        'This is the last platform administrator. Appoint another first.',
      );
  }
}
