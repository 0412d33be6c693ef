import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { MembershipOffer } from '../auth/authorization-server/membership-offers';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { many, maybe, one } from '../database/statements';
import { ConflictError, NotFoundError, requireFound } from '../errors/errors';
import { ErrorCode } from './invitation.errors';
import { Page, PageQuery, Pages } from '../http/requests/page';
import { waitingPart } from '../me/waiting-part';
import { MAX_COUNTED, type WaitingInvitationOut, type WaitingPart } from '../me/waiting.dto';
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
import { ANSWERABLE, DIRECTORY, INVITATION, OFFER_OF_DIRECTORY, WAITING, WAITING_OFFERS } from './my-invitations.sql';

const LIST = 'my invitations';

type WaitingRow = Omit<WaitingInvitationOut, 'created_at'> & { created_at: Date };

/** Lets invited users answer: nobody becomes a member without accepting (contract, section 12.1). */
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

  /** Newest first: pending invitations, and directories that still list the caller after they opted out. */
  async list(caller: Caller, query: PageQuery): Promise<Page<MyInvitationOut>> {
    const page = this.pages.open(LIST, query, { user: caller.userId });
    const { manager } = this.dataSource;
    const rows = await many<MyInvitationRow>(manager, ANSWERABLE, [
      caller.userId,
      await this.addressOf(manager, caller),
      this.clock.now(),
      page.after,
      page.take,
    ]);
    return page.close(rows, toMyInvitation);
  }

  /** @returns how many wait for an answer of the caller; 100 also if there are more */
  async countWaiting(caller: Caller): Promise<number> {
    const { manager } = this.dataSource;
    const values = [caller.userId, await this.addressOf(manager, caller), this.clock.now(), MAX_COUNTED];
    return (await one<{ waiting: number }>(manager, WAITING, values)).waiting;
  }

  /** @returns the newest of these, and how many there are */
  async waiting(caller: Caller): Promise<WaitingPart<WaitingInvitationOut>> {
    const { manager } = this.dataSource;
    const values = [caller.userId, await this.addressOf(manager, caller), this.clock.now(), MAX_COUNTED];
    const rows = await many<WaitingRow>(manager, WAITING_OFFERS, values);
    return waitingPart(rows, (row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  /** @returns the membership that the directory of an organisation offers the caller, who has not answered */
  offerOf({ userId }: Pick<Caller, 'userId'>, orgId: string): Promise<MembershipOffer | undefined> {
    return maybe<MembershipOffer>(this.dataSource, OFFER_OF_DIRECTORY, [userId, orgId]);
  }

  /**
   * Makes the caller a member, or reverses their opt-out from a directory.
   *
   * @throws NotFoundError; ConflictError if it can no longer be accepted or the directory has deactivated them
   */
  async accept(caller: Caller, cause: Cause, id: string): Promise<MyInvitationOut> {
    return this.answer(caller, id, async (manager, invitation) => {
      const { org_id: orgId, kind, role, status } = invitation;
      requireAnswerable(invitation, kind === 'DIRECTORY' ? ['PENDING', 'DECLINED'] : ['PENDING']);
      if (kind === 'INVITATION' && role !== null) {
        const joining = { orgId, userId: caller.userId, requestId: cause.requestId };
        await settle(manager, invitation.id, 'ACCEPTED', caller);
        await this.members.join(manager, joining, role, invitation.id);
      } else {
        if (!invitation.is_active) throw deactivated();
        await this.directory.answer(manager, orgId, caller.userId, 'ACCEPTED');
        await recordAnswer(manager, orgId, cause, 'member.accepted', caller.userId, status);
        await this.directory.resolveRoles(manager, orgId, [caller.userId], cause);
      }
      return 'ACCEPTED';
    });
  }

  /** @throws NotFoundError; ConflictError if it is not pending */
  async decline(caller: Caller, cause: Cause, id: string): Promise<MyInvitationOut> {
    return this.answer(caller, id, async (manager, invitation) => {
      const { org_id: orgId, kind, role } = invitation;
      requireAnswerable(invitation, ['PENDING']);
      if (kind === 'INVITATION') {
        await settle(manager, invitation.id, 'DECLINED', caller);
        await audit(manager, {
          orgId,
          // Declining must not reveal whose address it is; only accepting does.
          cause: { ...cause, actorId: null },
          action: 'invitation.declined',
          subjectType: 'invitation',
          subjectId: invitation.id,
          before: { role },
          after: null,
          reason: null,
        });
      } else {
        await this.directory.answer(manager, orgId, caller.userId, 'OPTED_OUT');
        await recordAnswer(manager, orgId, { ...cause, actorId: null }, 'member.opted_out', invitation.id, 'PENDING');
      }
      return 'DECLINED';
    });
  }

  /** Looks up the organisation, acquires its lock and reads the invitation again. */
  private async answer(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, invitation: FoundInvitationRow) => Promise<MyInvitationOut['status']>,
  ): Promise<MyInvitationOut> {
    const { org_id } = await this.find(this.dataSource.manager, caller, id);
    return inOrganisation(this.dataSource, org_id, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      const invitation = await this.find(manager, caller, id);
      return toMyInvitation({ ...invitation, status: await work(manager, invitation) });
    });
  }

  /** @throws NotFoundError if it does not exist or is for another user */
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
    return requireFound(entry, ErrorCode.InvitationNotFound, id);
  }

  /** The verified address of the caller, unless it belongs to another account by now. */
  private async addressOf(manager: EntityManager, { userId, email }: Caller): Promise<string | null> {
    if (email === null || (await this.accounts.holderOf(manager, email)) !== userId) return null;
    return addressKey(email);
  }
}

function requireAnswerable({ status }: MyInvitationRow, allowed: MyInvitationOut['status'][]): void {
  if (allowed.includes(status)) return;
  const state = {
    PENDING: 'is pending',
    ACCEPTED: 'was already accepted',
    DECLINED: 'was already declined',
    REVOKED: 'was revoked',
    EXPIRED: 'has expired',
  }[status];
  throw new ConflictError(ErrorCode.InvitationConflict, `This invitation ${state}.`);
}

/** @throws NotFoundError if the invitation was removed meanwhile, which does not take the organisation's lock */
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
 * Audits a user's answer to a directory.
 *
 * @param subjectId the account; if they decline, the directory user, so that the organisation does not learn the account
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
