import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { many, maybe } from '../database/statements';
import { ConflictError, NotFoundError } from '../errors/errors';
import { ErrorCode } from './invitation.errors';
import { Page, PageQuery, Pages } from '../http/requests/page';
import { Accounts } from '../users/accounts.service';
import { addressKey } from '../users/address';
import { requireOpenAccount } from '../users/open-account';
import { audit, type Cause } from '../organisations/audit/audit-trail';
import { deactivated, MembersService } from '../organisations/members/members.service';
import { inOrganisation } from '../organisations/organisation-lock';
import { Directory } from '../organisations/directory';
import { Invitation } from './invitation.entity';
import {
  type FoundInvitationRow,
  type MyInvitationOut,
  type MyInvitationRow,
  toMyInvitation,
} from './my-invitation.dto';
import { ANSWERABLE, DIRECTORY, INVITATION } from './my-invitations.sql';

const LIST = 'my invitations';

/** What an invited person can do: they alone make themselves a member (contract, section 12.1). */
@Injectable()
export class MyInvitationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly members: MembersService,
    private readonly directory: Directory,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /** Newest first: what waits for an answer, and directories from which the caller opted out and which still name them. */
  async list(caller: Caller, query: PageQuery): Promise<Page<MyInvitationOut>> {
    const request = this.pages.open(LIST, query, { user: caller.userId });
    const { manager } = this.dataSource;
    const rows = await many<MyInvitationRow>(manager, ANSWERABLE, [
      caller.userId,
      await this.addressOf(manager, caller),
      this.clock.now(),
      request.after ?? null,
      request.take,
    ]);
    return this.pages.close(LIST, request, rows, toMyInvitation);
  }

  /**
   * Makes the caller a member, or brings them back into a directory from which they opted out.
   *
   * @throws NotFoundError; ConflictError unless it can still be accepted, or if the directory has them deactivated
   */
  async accept(caller: Caller, cause: Cause, id: string): Promise<MyInvitationOut> {
    return this.answer(caller, id, async (manager, found) => {
      const { org_id: orgId, kind, role, status } = found;
      requireAnswerable(found, kind === 'DIRECTORY' ? ['PENDING', 'DECLINED'] : ['PENDING']);
      if (kind === 'INVITATION' && role !== null) {
        const joining = { orgId, userId: caller.userId, requestId: cause.requestId };
        await settle(manager, found.id, 'ACCEPTED', caller);
        await this.members.join(manager, joining, role, found.id);
      } else {
        if (!found.is_active) throw deactivated();
        await this.directory.answer(manager, orgId, caller.userId, 'ACCEPTED');
        await recordAnswer(manager, orgId, cause, 'member.accepted', caller.userId, status);
        await this.directory.resolveRoles(manager, orgId, [caller.userId], cause);
      }
      return 'ACCEPTED';
    });
  }

  /** @throws NotFoundError; ConflictError unless it is pending */
  async decline(caller: Caller, cause: Cause, id: string): Promise<MyInvitationOut> {
    return this.answer(caller, id, async (manager, found) => {
      const { org_id: orgId, kind, role } = found;
      requireAnswerable(found, ['PENDING']);
      if (kind === 'INVITATION') {
        await settle(manager, found.id, 'DECLINED', caller);
        await audit(manager, {
          orgId,
          // Who has the address is for them alone to say, which they do by accepting.
          cause: { ...cause, actorId: null },
          action: 'invitation.declined',
          subjectType: 'invitation',
          subjectId: found.id,
          before: { role },
          after: null,
          reason: null,
        });
      } else {
        await this.directory.answer(manager, orgId, caller.userId, 'OPTED_OUT');
        await recordAnswer(manager, orgId, { ...cause, actorId: null }, 'member.opted_out', found.id, 'PENDING');
      }
      return 'DECLINED';
    });
  }

  /** Finds out whose it is, then takes the organisation's lock and looks again. */
  private async answer(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, found: FoundInvitationRow) => Promise<MyInvitationOut['status']>,
  ): Promise<MyInvitationOut> {
    const { org_id } = await this.find(this.dataSource.manager, caller, id);
    return inOrganisation(this.dataSource, org_id, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      const found = await this.find(manager, caller, id);
      return toMyInvitation({ ...found, status: await work(manager, found) });
    });
  }

  /** @throws NotFoundError for what does not exist, and for what names another person */
  private async find(manager: EntityManager, caller: Caller, id: string): Promise<FoundInvitationRow> {
    const address = await this.addressOf(manager, caller);
    const invitation = await maybe<FoundInvitationRow>(manager, INVITATION, [
      caller.userId,
      address,
      this.clock.now(),
      id,
    ]);
    if (invitation) return invitation;
    const entry = await maybe<FoundInvitationRow>(manager, DIRECTORY, [caller.userId, id]);
    if (entry) return entry;
    throw new NotFoundError(ErrorCode.InvitationNotFound, id);
  }

  /** The verified address of the caller, unless it belongs to another account by now. */
  private async addressOf(manager: EntityManager, { userId, email }: Caller): Promise<string | null> {
    if (email === null || (await this.accounts.holderOf(manager, email)) !== userId) return null;
    return addressKey(email);
  }
}

function requireAnswerable({ status }: MyInvitationRow, allowed: MyInvitationOut['status'][]): void {
  if (allowed.includes(status)) return;
  const what = {
    PENDING: 'is pending',
    ACCEPTED: 'was already accepted',
    DECLINED: 'was already declined',
    REVOKED: 'was revoked',
    EXPIRED: 'has expired',
  }[status];
  throw new ConflictError(ErrorCode.InvitationConflict, `This invitation ${what}.`);
}

/** @throws NotFoundError for an invitation that has gone since it was found, which takes no organisation's lock */
async function settle(
  manager: EntityManager,
  id: string,
  answer: 'ACCEPTED' | 'DECLINED',
  { userId }: Caller,
): Promise<void> {
  const { affected } = await manager.getRepository(Invitation).update({ id }, { status: answer, answeredBy: userId });
  if (!affected) throw new NotFoundError(ErrorCode.InvitationNotFound, id);
}

/**
 * Audits what a person says to a directory.
 *
 * @param subjectId the account; of who declines, the directory user: the organisation does not get to know the account
 */
function recordAnswer(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  action: 'member.accepted' | 'member.opted_out',
  subjectId: string,
  before: MyInvitationOut['status'],
): Promise<void> {
  const after = action === 'member.accepted' ? 'ACCEPTED' : 'OPTED_OUT';
  return audit(manager, {
    orgId,
    cause,
    action,
    subjectType: action === 'member.accepted' ? 'member' : 'scim_user',
    subjectId,
    before: { consent: before === 'DECLINED' ? 'OPTED_OUT' : before },
    after: { consent: after },
    reason: null,
  });
}
