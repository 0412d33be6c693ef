import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SignOuts } from '../../auth/sessions/sign-outs';
import type { Caller } from '../../auth/caller';
import { TokenMemory } from '../../auth/token-memory';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, NotFoundError, requireFound } from '../../errors/errors';
import { type Page, Pages } from '../../http/requests/page';
import { membershipsOfPeople } from '../../organisations/members/people-memberships';
import { lockOrganisationsOf, requireOtherOwners } from '../../organisations/members/membership-departure';
import { AccountLog, byUser } from '../../users/account-log/account-log';
import { Accounts } from '../../users/accounts.service';
import { SignInWays } from '../ways/sign-in-ways';
import { Administrators } from './administrators';
import { ErrorCode } from './people.errors';
import { CLOSE, FIND_NAMESAKE, FIND_USER, listUsers, REOPEN } from '../../users/account-administration.sql';
import { prefixQuery } from '../../users/prefix-query';
import { toUser, type UserClose, type UserOut, type UserQuery, type UserRow } from './user.dto';

const LIST = 'users';

/** What platform administrators do with the accounts of others. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly administrators: Administrators,
    private readonly ways: SignInWays,
    private readonly signOuts: SignOuts,
    private readonly accountLog: AccountLog,
    private readonly memory: TokenMemory,
    private readonly pages: Pages,
  ) {}

  /**
   * Newest first, without deleted accounts.
   *
   * @throws ForbiddenError
   */
  async list(caller: Caller, { search, state, ...query }: UserQuery): Promise<Page<UserOut>> {
    this.administrators.require(caller);
    const page = this.pages.open(LIST, query, { search, state });
    const { filter, after = null, take } = page;
    const words = filter.search === undefined ? [] : [prefixQuery(filter.search)];
    const sql = listUsers(filter.state, words.length > 0);
    const rows = await many<UserRow>(this.dataSource, sql, [after, take, ...words]);
    const shown = await this.withWays(this.dataSource.manager, rows);
    return page.close(shown, (user) => user);
  }

  /** @throws ForbiddenError, NotFoundError */
  async get(caller: Caller, userId: string): Promise<UserOut> {
    this.administrators.require(caller);
    return this.read(this.dataSource.manager, userId);
  }

  /**
   * Closes an account: no one can sign in or call with it, and everything by which someone did ends. Closing a closed
   * account changes nothing.
   *
   * @throws ForbiddenError; NotFoundError; ConflictError for the caller's own account and the last administrator's;
   *   LastOwnerError, unless that is allowed
   */
  async close(caller: Caller, userId: string, { allow_last_owner: allowLastOwner }: UserClose): Promise<UserOut> {
    this.administrators.require(caller);
    if (userId === caller.userId)
      throw new ConflictError(ErrorCode.UserConflict, 'You cannot close your own account. Another administrator can.');
    const user = await inTransaction(this.dataSource, async (manager) => {
      // In the order in which accounts are deleted: organisations, address, account.
      await lockOrganisationsOf(manager, userId);
      await this.requireHeld(manager, userId);
      await this.administrators.requireOther(manager, userId);
      if (!allowLastOwner) await requireOtherOwners(manager, userId);
      // Before the account is closed, when a trigger ends what is left without a word.
      await this.signOuts.everywhere(manager, userId);
      if ((await execute(manager, CLOSE, [userId])) > 0) {
        const data = { org_id: null, user_id: userId, reason: 'closed' } as const;
        await this.accountLog.record(manager, { action: 'account.closed', ...by(caller, userId), data });
      }
      return this.read(manager, userId);
    });
    this.memory.forgetAccount(userId);
    return user;
  }

  /**
   * Opens a closed account again. The person signs in as before; what was ended stays so, access tokens included.
   *
   * @throws ForbiddenError; NotFoundError; ConflictError if another account has its address by now
   */
  async reopen(caller: Caller, userId: string): Promise<UserOut> {
    this.administrators.require(caller);
    return inTransaction(this.dataSource, async (manager) => {
      await this.requireHeld(manager, userId);
      const { email } = await one<UserRow>(manager, FIND_USER, [userId]);
      if (email !== null && (await maybe(manager, FIND_NAMESAKE, [userId, email])))
        throw new ConflictError(
          ErrorCode.UserConflict,
          'Another account has this address by now. Close that one first.',
        );
      if ((await execute(manager, REOPEN, [userId])) > 0) {
        await this.accounts.rejectIssued(manager, userId);
        const data = { org_id: null, user_id: userId };
        await this.accountLog.record(manager, { action: 'account.reopened', ...by(caller, userId), data });
      }
      return this.read(manager, userId);
    });
  }

  private async requireHeld(manager: EntityManager, userId: string): Promise<void> {
    if (!(await this.accounts.hold(manager, userId))) throw new NotFoundError(ErrorCode.UserNotFound, userId);
  }

  private async read(manager: EntityManager, userId: string): Promise<UserOut> {
    const [user] = await this.withWays(manager, await many<UserRow>(manager, FIND_USER, [userId]));
    return requireFound(user, ErrorCode.UserNotFound, userId);
  }

  /** With the ways to sign in, and the organisations: three or four statements, however many accounts. */
  private async withWays(manager: EntityManager, rows: readonly UserRow[]): Promise<UserOut[]> {
    const ways = await this.ways.of(
      manager,
      rows.map(({ id }) => id),
    );
    const memberships = await membershipsOfPeople(
      manager,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const own = ways.filter(({ user_id }) => user_id === row.id);
      const subjects = own.flatMap(({ subject }) => subject ?? []);
      const { email, is_platform_admin: isSetUp } = row;
      return toUser(row, own, this.administrators.has({ email, isSetUp, subjects }), memberships.get(row.id));
    });
  }
}

function by(caller: Caller, userId: string) {
  return { userId, by: byUser(caller.userId), subject: { type: 'account', id: userId } } as const;
}
