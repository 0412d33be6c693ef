import { Injectable, Logger } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { TokenMemory } from '../auth/token-memory';
import { allowLongDatabaseWork } from '../database/deadline';
import { inTransaction } from '../database/transaction';
import { ForbiddenError, NotFoundError, UnavailableError } from '../errors/errors';
import { ErrorCode } from '../organisations/organisation.errors';
import type { Cause } from '../organisations/audit/audit-trail';
import {
  lockOrganisationsOf,
  organisationsOf,
  removeMemberships,
  requireOtherOwners,
} from '../organisations/members/membership-departure';
import { Directory } from '../organisations/directory';
import { AccountLog } from '../users/account-log/account-log';
import { Accounts } from '../users/accounts.service';
import { type Afterwards, Departures } from './departures';

/** Retries if the user joined an organisation in the meantime. */
const ATTEMPTS = 3;

/**
 * Deletes accounts (contract, section 12.5). One transaction removes all personal data; what others need stays, without
 * a name. See `docs/deleting.md` for the details and reasons.
 */
@Injectable()
export class AccountDeletion {
  private readonly logger = new Logger(AccountDeletion.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly directory: Directory,
    private readonly departures: Departures,
    private readonly memory: TokenMemory,
    private readonly accountLog: AccountLog,
  ) {}

  /**
   * @throws LastOwnerError naming the organisations that have no other active OWNER
   */
  removeOwn(caller: Caller, cause: Cause): Promise<void> {
    return this.remove(caller.userId, cause);
  }

  /**
   * For platform administrators.
   *
   * @throws ForbiddenError for anyone else; NotFoundError; LastOwnerError
   */
  async removeOther(caller: Caller, cause: Cause, userId: string): Promise<void> {
    if (!caller.isPlatformAdmin)
      throw new ForbiddenError('Only platform administrators can delete the accounts of others.');
    await this.remove(userId, cause);
  }

  private async remove(userId: string, cause: Cause): Promise<void> {
    allowLongDatabaseWork();
    for (let attempt = 1; ; attempt++) {
      const afterwards = await inTransaction(this.dataSource, (manager) => this.tryRemove(manager, userId, cause));
      if (afterwards) {
        afterwards();
        break;
      }
      if (attempt === ATTEMPTS) {
        const detail = 'The account keeps joining organisations. Try again shortly.';
        throw new UnavailableError(ErrorCode.ServiceUnavailable, detail, 1);
      }
    }
    this.memory.forgetAccount(userId);
    this.logger.log(`Account ${userId} was deleted by ${cause.actorId}.`);
  }

  /**
   * Acquires locks in the same order as everywhere else: organisations, address, account.
   *
   * @returns what to do once it is committed; undefined if the user has joined an organisation that was not locked
   */
  private async tryRemove(manager: EntityManager, userId: string, cause: Cause): Promise<Afterwards | undefined> {
    const locked = new Set(await lockOrganisationsOf(manager, userId));
    if (!(await this.accounts.hold(manager, userId))) throw new NotFoundError(ErrorCode.UserNotFound, userId);
    if ((await organisationsOf(manager, userId)).some((id) => !locked.has(id))) return undefined;
    await requireOtherOwners(manager, userId);
    await removeMemberships(manager, cause, userId);
    await this.directory.detach(manager, userId, cause);
    const afterwards = await this.departures.removeOfAccount(manager, userId);
    await this.accountLog.record(manager, {
      action: 'account.closed',
      userId,
      by: { type: cause.actorId === null ? 'system' : 'user', id: cause.actorId },
      subject: { type: 'account', id: userId },
      data: { org_id: null, user_id: userId, reason: 'deleted' },
    });
    await this.accountLog.forget(manager, userId);
    await this.accounts.erase(manager, userId);
    return afterwards;
  }
}
