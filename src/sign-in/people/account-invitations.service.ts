import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { RecentSignIn } from '../../auth/recent-sign-in';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Cap, lockRoom, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, NotFoundError, requireFound } from '../../errors/errors';
import { type Page, Pages } from '../../http/requests/page';
import { Mails } from '../../mail/mails.service';
import { type Account, Accounts } from '../../users/accounts.service';
import { addressKey } from '../../users/address';
import {
  type AccountInvitationCreate,
  type AccountInvitationCreatedOut,
  type AccountInvitationOut,
  type AccountInvitationQuery,
  type AccountInvitationRow,
  toAccountInvitation,
} from './account-invitation.dto';
import { AccountInvitation } from './account-invitation.entity';
import {
  FIND_INVITATION,
  FIND_INVITATION_OF_LINK,
  INSERT_INVITATION,
  LIST_INVITATIONS,
  REMOVE_FORMER_INVITATION,
  USE_INVITATION,
} from './account-invitations.sql';
import { Administrators } from './administrators';
import { linkDigest, newLinkSecret } from './link-secret';
import { accountInvitationMail } from './people.mail';
import { ErrorCode } from './people.errors';

const LIST = 'account invitations';
const DAY_MS = 24 * 3_600_000;
export const VALID_DAYS = 7;

/** One pool for the whole instance. */
const INSTANCE = 'instance';
const PENDING: Cap = {
  name: 'account invitations',
  rows: `account_invitations WHERE $1::text IS NOT NULL AND expires_at > $3`,
  code: ErrorCode.AccountInvitationConflict,
  detail: (most) => `There are ${most} pending invitations, which is the limit. Delete some or wait until they expire.`,
};

/** Invitations to have an account here. The link is mailed, or the administrator hands it over. */
@Injectable()
export class AccountInvitations {
  private readonly logger = new Logger(AccountInvitations.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly administrators: Administrators,
    private readonly recentSignIn: RecentSignIn,
    private readonly pages: Pages,
    private readonly mails: Mails,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Invites a person; a former invitation of the same address ends. The answer may say that the address has an account:
   * platform administrators see all of them.
   *
   * @throws ForbiddenError; DomainError `recent_sign_in_required` for the address of an administrator, as which a program
   *   could go on with the link; ConflictError if the address has an account, or too many invitations are pending
   */
  async create(caller: Caller, { email, name }: AccountInvitationCreate): Promise<AccountInvitationCreatedOut> {
    this.administrators.require(caller);
    if (this.administrators.hasAddress(email)) this.recentSignIn.require(caller);
    this.administrators.requirePasswords();
    const { secret, digest } = newLinkSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + VALID_DAYS * DAY_MS);
    const address = addressKey(email);
    const { publicUrl } = this.environment;
    const link = `${publicUrl}/invitations/${secret}`;
    const [row, mailed] = await inTransaction(this.dataSource, async (manager) => {
      await lockRoom(manager, PENDING, INSTANCE);
      await this.requireFree(manager, email);
      const former = await maybe<{ id: string }>(manager, REMOVE_FORMER_INVITATION, [address]);
      if (former) await this.mails.withdraw(manager, former.id);
      const most = this.environment.limits.accountInvitations;
      await requireRoom(manager, PENDING, { ownerId: INSTANCE, most, parameters: [now], isOwnerLocked: true });
      const values = [newId(), digest, email, address, name ?? null, caller.userId, now, expiresAt];
      const invitation = await one<AccountInvitationRow>(manager, INSERT_INVITATION, values);
      const text = accountInvitationMail(caller, { publicUrl, link, expiresAt });
      const mail = { kind: 'ACCOUNT_INVITATION', aboutId: invitation.id, to: email, expiresAt, ...text } as const;
      return [invitation, await this.mails.post(manager, mail)] as const;
    });
    this.logger.log(`Invitation ${row.id} was created by ${caller.userId}.`);
    return { ...toAccountInvitation(row), link, mailed };
  }

  /**
   * Newest first; expired ones for 30 days.
   *
   * @throws ForbiddenError
   */
  async list(caller: Caller, query: AccountInvitationQuery): Promise<Page<AccountInvitationOut>> {
    this.administrators.require(caller);
    const page = this.pages.open(LIST, query, {});
    const values = [page.after, page.take];
    const rows = await many<AccountInvitationRow>(this.dataSource, LIST_INVITATIONS, values);
    return page.close(rows, toAccountInvitation);
  }

  /** @throws ForbiddenError; NotFoundError */
  async get(caller: Caller, id: string): Promise<AccountInvitationOut> {
    this.administrators.require(caller);
    const row = await maybe<AccountInvitationRow>(this.dataSource, FIND_INVITATION, [id]);
    return toAccountInvitation(requireFound(row, ErrorCode.AccountInvitationNotFound, id));
  }

  /**
   * Its link ends.
   *
   * @throws ForbiddenError; NotFoundError
   */
  async remove(caller: Caller, id: string): Promise<void> {
    this.administrators.require(caller);
    await inTransaction(this.dataSource, async (manager) => {
      const { affected } = await manager.getRepository(AccountInvitation).delete({ id });
      if (!affected) throw new NotFoundError(ErrorCode.AccountInvitationNotFound, id);
      await this.mails.withdraw(manager, id);
    });
    this.logger.log(`Invitation ${id} was deleted by ${caller.userId}.`);
  }

  /** @returns the invitation of a link; undefined for unknown, used, replaced and expired ones alike */
  async find(secret: string): Promise<AccountInvitationRow | undefined> {
    const digest = linkDigest(secret);
    return digest && maybe<AccountInvitationRow>(this.dataSource, FIND_INVITATION_OF_LINK, [digest, this.clock.now()]);
  }

  /**
   * Uses the link and opens the account: the row that provisioning made for the address, or a new one.
   *
   * @param manager of the transaction that then stores the password
   * @returns undefined if the link was used, replaced or deleted in the meantime
   * @throws ConflictError if the address got an account in another way in the meantime; the link then stays
   */
  async accept(
    manager: EntityManager,
    secret: string,
    { email }: Pick<AccountInvitationRow, 'email'>,
    name: string,
  ): Promise<Account | undefined> {
    // The address before the row, as those who invite do.
    const holder = await this.accounts.holderUnlessFree(manager, email);
    const used = await execute(manager, USE_INVITATION, [linkDigest(secret), this.clock.now()]);
    if (used === 0) return undefined;
    if (holder) throw new ConflictError(ErrorCode.UserConflict, 'This address got an account in another way.');
    return this.accounts.forVouchedEmail(manager, email, name);
  }

  private async requireFree(manager: EntityManager, email: string): Promise<void> {
    const holder = await this.accounts.holderUnlessFree(manager, email);
    if (!holder) return;
    const detail = holder.isClosed
      ? `This address has the account ${holder.id}, which is closed. Open it again instead.`
      : `This address has the account ${holder.id} already. If the person cannot sign in, create a password reset link.`;
    throw new ConflictError(ErrorCode.UserConflict, detail);
  }
}
