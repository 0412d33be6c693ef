import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { firstIdAt, MIN_ID, newId, timeOf } from '../database/id';
import { execute, many, maybe, one } from '../database/statements';
import { record } from '../events/outbox';
import { ConflictError, NotFoundError, RateLimitedError, ValidationError, requireFound } from '../errors/errors';
import { ErrorCode } from './invitation.errors';
import { invitationMail } from './invitation.mail';
import { Page, Pages } from '../http/requests/page';
import { Mails } from '../mail/mails.service';
import { Accounts } from '../users/accounts.service';
import { addressKey } from '../users/address';
import { audit } from '../organisations/audit/audit-trail';
import { causeOfMember } from '../organisations/audit/cause';
import { Membership } from '../organisations/members/membership.entity';
import { type ActingMember, Memberships } from '../organisations/members/memberships.service';
import { inOrganisation } from '../organisations/organisation-lock';
import { Organisation } from '../organisations/organisation.entity';
import { requireRank } from '../organisations/members/rank';
import { InvitationCreate, InvitationOut, InvitationQuery, InvitationRow, toInvitation } from './invitation.dto';
import { Invitation } from './invitation.entity';
import { OPEN_DAYS } from './invitation-days';
import { COUNT_PENDING, INSERT, INVITATIONS, INVITATIONS_BY_STATUS, LAST_OF_DAY, SETTLE } from './invitations.sql';

const LIST = 'invitations';

const DAY_MS = 24 * 3_600_000;

/** How an invitation identifies a user. */
type Invited = { email: string } | { userId: string };

/** The invitations that an organisation sends (contract, section 12.1). */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly memberships: Memberships,
    private readonly mails: Mails,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Invites a user. Statements and response are the same whether or not an address has an account.
   *
   * @throws InsufficientRoleError if an ADMIN invites to OWNER; NotFoundError if the caller shares no organisation with
   *   the given user id; ConflictError if the user is a member or has a pending invitation, or the cap is reached;
   *   RateLimitedError if too many were sent in a day
   */
  async invite(caller: ActingMember, input: InvitationCreate): Promise<InvitationOut> {
    const invited = invitedOf(input);
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.memberships.require(caller, caller.orgId, 'ADMIN', manager);
      requireRank(member, input.role);
      await this.requireInvitable(manager, caller, invited);
      await this.requireRate(manager, caller.orgId);
      await this.requireRoom(manager, caller.orgId);
      const row = await this.insert(manager, caller, invited, input.role);
      const { id, email, user_id, role } = row;
      await record(manager, {
        type: 'member.invited',
        orgId: caller.orgId,
        data: { org_id: caller.orgId, invitation_id: id, email, user_id, role },
      });
      // Here and below without the address, because the log outlives the invitation and possibly the account.
      await audit(manager, {
        orgId: caller.orgId,
        cause: causeOfMember(caller),
        action: 'invitation.created',
        subjectType: 'invitation',
        subjectId: id,
        before: null,
        after: { user_id, role },
        reason: null,
      });
      await this.mail(manager, caller.orgId, row);
      return toInvitation(row);
    });
  }

  /** Newest first. */
  async list({ orgId }: ActingMember, { status, ...query }: InvitationQuery): Promise<Page<InvitationOut>> {
    const page = this.pages.open(LIST, query, { org: orgId, status });
    const { after = null, filter, take } = page;
    const now = this.clock.now();
    const rows = await (filter.status === undefined
      ? many<InvitationRow>(
          this.dataSource,
          `${INVITATIONS} WHERE ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
          [orgId, now, after, take],
        )
      : many<InvitationRow>(this.dataSource, INVITATIONS_BY_STATUS, [orgId, now, after, filter.status, take]));
    return page.close(rows, toInvitation);
  }

  /** @throws NotFoundError */
  async get({ orgId }: ActingMember, invitationId: string): Promise<InvitationOut> {
    return toInvitation(await this.find(this.dataSource.manager, orgId, invitationId));
  }

  /**
   * Revokes an invitation. One that is no longer pending stays unchanged.
   *
   * @throws NotFoundError; ConflictError if it was accepted; InsufficientRoleError if an ADMIN revokes one to OWNER
   */
  async revoke(caller: ActingMember, invitationId: string): Promise<void> {
    const { orgId } = caller;
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const member = await this.memberships.require(caller, orgId, 'ADMIN', manager);
      const { id, user_id, role, status } = await this.find(manager, orgId, invitationId);
      requireRank(member, role);
      if (status === 'ACCEPTED') {
        throw new ConflictError(
          ErrorCode.InvitationConflict,
          'The invitation was accepted. Remove the member instead.',
        );
      }
      if (status !== 'PENDING') return;
      await manager.getRepository(Invitation).update({ id }, { status: 'REVOKED' });
      await this.mails.withdraw(manager, id);
      await audit(manager, {
        orgId,
        cause: causeOfMember(caller),
        action: 'invitation.revoked',
        subjectType: 'invitation',
        subjectId: id,
        before: { user_id, role },
        after: null,
        reason: null,
      });
    });
  }

  /** To an address only: who is named by their account is in an organisation of the caller, and is told there. */
  private async mail(manager: EntityManager, orgId: string, row: InvitationRow): Promise<void> {
    if (!this.mails.areOn || row.email === null) return;
    const organisation = await manager
      .getRepository(Organisation)
      .findOneOrFail({ select: { name: true, slug: true }, where: { id: orgId } });
    await this.mails.post(manager, {
      kind: 'ORGANISATION_INVITATION',
      aboutId: row.id,
      to: row.email,
      expiresAt: row.expires_at,
      ...invitationMail(organisation, row, this.environment.publicUrl),
    });
  }

  private async find(manager: EntityManager, orgId: string, invitationId: string): Promise<InvitationRow> {
    const row = await maybe<InvitationRow>(manager, `${INVITATIONS} WHERE id = $3`, [
      orgId,
      this.clock.now(),
      invitationId,
    ]);
    return requireFound(row, ErrorCode.InvitationNotFound, invitationId);
  }

  /** Members are visible to the caller anyway, so they may be reported; nothing is revealed about other users. */
  private async requireInvitable(manager: EntityManager, caller: ActingMember, invited: Invited): Promise<void> {
    let userId: string;
    if ('email' in invited) {
      userId = (await this.accounts.holderOf(manager, invited.email)) ?? MIN_ID;
    } else {
      userId = invited.userId;
      if (!(await this.memberships.isColleague(manager, caller.userId, userId)))
        throw new NotFoundError(ErrorCode.UserNotFound, userId);
    }
    if (await manager.getRepository(Membership).existsBy({ orgId: caller.orgId, userId })) {
      throw new ConflictError(ErrorCode.MemberConflict, 'This user is already a member. Change their role instead.');
    }
  }

  private async requireRate(manager: EntityManager, orgId: string): Promise<void> {
    const most = this.environment.limits.invitationsPerDay;
    const dayAgo = this.clock.now().getTime() - DAY_MS;
    const blocking = await maybe<{ id: string }>(manager, LAST_OF_DAY, [orgId, firstIdAt(new Date(dayAgo)), most]);
    if (!blocking) return;
    throw new RateLimitedError(
      `An organisation can send at most ${most} invitations in 24 hours.`,
      Math.max(1, Math.ceil((timeOf(blocking.id).getTime() - dayAgo) / 1_000)),
      { name: 'invitations', quota: most, seconds: DAY_MS / 1_000 },
    );
  }

  private async requireRoom(manager: EntityManager, orgId: string): Promise<void> {
    await execute(manager, SETTLE, [orgId, this.clock.now()]);
    const { pending } = await one<{ pending: number }>(manager, COUNT_PENDING, [orgId]);
    const most = this.environment.limits.pendingInvitations;
    if (pending >= most) {
      throw new ConflictError(
        ErrorCode.InvitationConflict,
        `The organisation has ${most} pending invitations, which is the limit. Revoke some or wait until they expire.`,
      );
    }
  }

  private async insert(
    manager: EntityManager,
    { orgId, userId }: ActingMember,
    invited: Invited,
    role: InvitationRow['role'],
  ): Promise<InvitationRow> {
    const now = this.clock.now();
    const [email, account] = 'email' in invited ? [invited.email, null] : [null, invited.userId];
    const row = await maybe<InvitationRow>(manager, INSERT, [
      newId(),
      orgId,
      email,
      email && addressKey(email),
      account,
      role,
      userId,
      now,
      new Date(now.getTime() + OPEN_DAYS * DAY_MS),
    ]);
    if (row) return row;
    throw new ConflictError(
      ErrorCode.InvitationConflict,
      'This user already has a pending invitation. Revoke it before sending another.',
    );
  }
}

/** Exactly one of the two must be set. */
function invitedOf({ user_id, email }: InvitationCreate): Invited {
  if (user_id && !email) return { userId: user_id };
  if (email && !user_id) return { email };
  const type = user_id ? 'value_error' : 'missing';
  throw new ValidationError([{ loc: ['body', 'user_id'], msg: 'Provide either user_id or email.', type }]);
}
