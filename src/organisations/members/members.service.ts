import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { execute, many, maybe } from '../../database/statements';
import { ConflictError, NotFoundError } from '../../errors/errors';
import { ErrorCode, InsufficientRoleError, LastOwnerError } from '../organisation.errors';
import { Page, Pages } from '../../http/requests/page';
import { causeOfMember } from '../audit/cause';
import { canSignIn } from '../can-sign-in.sql';
import { type MemberChange, type MemberImage, recordMemberChange } from './member-change';
import { MemberOut, MemberQuery, MemberRow, toMember } from './member.dto';
import { Membership } from './membership.entity';
import { type ActingMember, Memberships, type Standing } from './memberships.service';
import { inOrganisation } from '../organisation-lock';
import { personName } from '../person-name.sql';
import { requireRank } from './rank';
import { highest, isAtLeast, Role } from './role';
import { Directory } from '../directory';

const LIST = 'members';

const SELECT = `
  SELECT memberships.user_id, users.email, ${personName()} AS name, memberships.role, memberships.manual_role, memberships.scim_role,
         memberships.suspended, memberships.retained_last_owner, memberships.created_at
  FROM memberships JOIN users ON users.id = memberships.user_id
  WHERE memberships.org_id = $1`;

/** On whose behalf a membership changes: a member, a person who becomes one, or who leaves. */
type Joining = Omit<ActingMember, 'role' | 'requestId'> & { requestId: string | null };

/**
 * The members of an organisation and their manual roles. Every change takes the organisation's lock, as the sync
 * does, so that "the last OWNER" means the same to all of them. A retained OWNER stays one until there is another,
 * whatever the manual role beside it (contract, section 7).
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly directory: Directory,
    private readonly pages: Pages,
  ) {}

  /** In the order of their user ids, which is about the order in which their accounts were made. */
  async list(member: ActingMember, { role, ...query }: MemberQuery): Promise<Page<MemberOut>> {
    const request = this.pages.open(LIST, query, { org: member.orgId, role });
    const rows = await many<MemberRow>(
      this.dataSource,
      `${SELECT} AND ($2::uuid IS NULL OR memberships.user_id > $2) AND ($3::organisation_role IS NULL OR memberships.role = $3)
       ORDER BY memberships.user_id LIMIT $4`,
      [member.orgId, request.after ?? null, request.filter.role ?? null, request.take],
    );
    return this.pages.close(
      LIST,
      request,
      rows.map((row) => ({ ...row, id: row.user_id })),
      toMember,
    );
  }

  /** @throws NotFoundError */
  async get(member: ActingMember, userId: string): Promise<MemberOut> {
    return toMember(await this.find(this.dataSource.manager, member.orgId, userId));
  }

  /**
   * Makes a person a member by hand, as they asked for by accepting an invitation. A member by the directory gets the
   * manual role beside the SCIM role; a person who opted out of the directory is back in it.
   *
   * @param manager of a transaction that holds the organisation's lock
   * @param joining the person, on whose behalf it is done
   * @param invitationId for the audit log
   * @throws ConflictError if the person has a manual role already, or if the directory has deactivated them
   */
  async join(manager: EntityManager, joining: Joining, role: Role, invitationId: string): Promise<void> {
    const { orgId, userId } = joining;
    const before = await this.seek(manager, orgId, userId);
    if (before?.manual_role) throw new ConflictError(ErrorCode.MemberConflict, 'You are already a member.');
    if (before?.suspended || (await isDeprovisioned(manager, orgId, userId))) {
      throw deactivated();
    }
    const isInDirectory = await this.directory.answer(manager, orgId, userId, 'ACCEPTED');
    const { role: inForce, retained } = withManualRole(before, role);
    const scim_role = before?.scim_role ?? null;
    await execute(
      manager,
      // Whole, although most of it is there already: the check sees this row before the conflict does.
      `INSERT INTO memberships (org_id, user_id, manual_role, scim_role, retained_last_owner, role)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT ON CONSTRAINT memberships_pkey
       DO UPDATE SET manual_role = $3, retained_last_owner = $5, role = $6, updated_at = now()`,
      [orgId, userId, role, scim_role, retained, inForce],
    );
    const after = { role: inForce, manual_role: role, scim_role, suspended: false, retained_last_owner: retained };
    const details = { invitation_id: invitationId };
    await tell(manager, joining, userId, before ?? null, after, 'accepted_invitation', details);
    if (isInDirectory) await this.directory.resolveRoles(manager, orgId, [userId], causeOfMember(joining));
    await releaseRetained(manager, joining);
  }

  /**
   * Changes somebody's manual role.
   *
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError for an ADMIN who touches an OWNER
   */
  async change(caller: ActingMember, userId: string, manualRole: Role): Promise<MemberOut> {
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.enter(manager, caller, 'ADMIN');
      const before = await this.find(manager, member.orgId, userId);
      requireRank(member, manualRole, before.manual_role, before.role);
      const { role, retained } = withManualRole(before, manualRole);
      if (before.role === 'OWNER' && role !== 'OWNER') await requireAnotherOwner(manager, member.orgId, userId);
      await execute(
        manager,
        `UPDATE memberships SET manual_role = $3, role = $4, retained_last_owner = $5, updated_at = now()
         WHERE org_id = $1 AND user_id = $2 AND (manual_role, retained_last_owner) IS DISTINCT FROM ($3, $5)`,
        [member.orgId, userId, manualRole, role, retained],
      );
      const after = { ...before, role, manual_role: manualRole, retained_last_owner: retained };
      await tell(manager, member, before.user_id, before, after);
      await releaseRetained(manager, member);
      return toMember(await this.find(manager, member.orgId, userId));
    });
  }

  /**
   * Takes away the manual role; a role by SCIM stays, since only the directory gives and takes it. Everybody may leave,
   * but for the last OWNER.
   *
   * @param caller with the organisation as the path names it; need not be a member
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError; ConflictError for another person who is a member by
   *   SCIM alone
   */
  async remove(caller: Joining, userId: string): Promise<void> {
    if (userId.toLowerCase() === caller.userId) return this.leave(caller);
    const { orgId } = await this.memberships.require(caller, caller.orgId, 'MEMBER');
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const member = await this.enter(manager, { ...caller, orgId }, 'MEMBER');
      const before = await this.find(manager, member.orgId, userId);
      if (!isAtLeast(member.role, 'ADMIN')) throw new InsufficientRoleError('ADMIN', member.role);
      requireRank(member, before.manual_role, before.role);
      const role = before.suspended ? null : before.scim_role;
      if (before.role === 'OWNER' && role !== 'OWNER') await requireAnotherOwner(manager, member.orgId, userId);
      if (before.manual_role === null) {
        throw new ConflictError(ErrorCode.MemberConflict, 'This membership comes from the directory; end it there.');
      }
      if (before.scim_role === null) {
        await manager.getRepository(Membership).delete({ orgId: member.orgId, userId });
        await this.directory.forgetAcceptance(manager, member.orgId, userId);
      } else {
        await manager
          .getRepository(Membership)
          .update({ orgId: member.orgId, userId }, { manualRole: null, role, retainedLastOwner: false });
      }
      const left = { ...before, role, manual_role: null, retained_last_owner: false };
      await tell(manager, member, before.user_id, before, before.scim_role === null ? null : left);
    });
  }

  /**
   * Ends the membership of the caller, whatever gives it, and also while the directory has them deactivated. The directory
   * keeps that they opted out, so that neither a push nor a sync brings them back.
   *
   * @throws NotFoundError; LastOwnerError
   */
  private async leave(caller: Joining): Promise<void> {
    const { userId } = caller;
    // Before the lock, for which strangers shall not wait.
    const orgId = await this.memberships.requireAny(caller, caller.orgId);
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const before = await this.seek(manager, orgId, userId);
      if (!before) throw new NotFoundError(ErrorCode.OrganisationNotFound, orgId);
      if (before.role === 'OWNER') await requireAnotherOwner(manager, orgId, userId);
      const hasOptedOut = await this.directory.answer(manager, orgId, userId, 'OPTED_OUT');
      await manager.getRepository(Membership).delete({ orgId, userId });
      await tell(manager, { ...caller, orgId }, userId, before, null, hasOptedOut ? 'opted_out' : 'manual');
    });
  }

  /**
   * Reads the caller's role again: while the request waited for the organisation's lock, somebody may have taken the role
   * away.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async enter(manager: EntityManager, member: Joining, needed: Role): Promise<Joining & Standing> {
    const { orgId, userId, requestId } = member;
    return { ...(await this.memberships.require({ userId }, orgId, needed, manager)), requestId };
  }

  private seek(manager: EntityManager, orgId: string, userId: string): Promise<MemberRow | undefined> {
    return maybe<MemberRow>(manager, `${SELECT} AND memberships.user_id = $2`, [orgId, userId]);
  }

  private async find(manager: EntityManager, orgId: string, userId: string): Promise<MemberRow> {
    const row = await this.seek(manager, orgId, userId);
    if (!row) throw new NotFoundError(ErrorCode.MemberNotFound, userId);
    return row;
  }
}

/** What is in force with another manual role. Retention ends only where the person is OWNER in their own right. */
function withManualRole(before: MemberRow | undefined, manualRole: Role): { role: Role | null; retained: boolean } {
  const entitled = before?.suspended ? null : highest(manualRole, before?.scim_role ?? null);
  const retained = before?.retained_last_owner === true && entitled !== 'OWNER';
  return { role: retained ? 'OWNER' : entitled, retained };
}

/** Records what a change of the manual role did to the membership. */
function tell(
  manager: EntityManager,
  by: Joining,
  userId: string,
  before: MemberImage | null,
  after: MemberImage | null,
  reason: MemberChange['reason'] = 'manual',
  details?: object,
): Promise<void> {
  return recordMemberChange(manager, causeOfMember(by), { orgId: by.orgId, userId, before, after, reason, details });
}

async function requireAnotherOwner(manager: EntityManager, orgId: string, userId: string): Promise<void> {
  const others = await execute(
    manager,
    `SELECT FROM memberships
     WHERE org_id = $1 AND role = 'OWNER' AND user_id <> $2 AND ${canSignIn('user_id')} LIMIT 1`,
    [orgId, userId],
  );
  if (others === 0) throw new LastOwnerError();
}

/** To a person who would join an organisation whose directory says that they have no access. */
export function deactivated(): ConflictError {
  return new ConflictError(
    ErrorCode.MemberConflict,
    'The directory of this organisation has deactivated or deleted you. Ask its administrators.',
  );
}

/** Whether the directory knows the person and says that they have no access (contract, section 7). */
async function isDeprovisioned(manager: EntityManager, orgId: string, userId: string): Promise<boolean> {
  const entry = await maybe<{ gone: boolean }>(
    manager,
    `SELECT NOT active OR deleted_at IS NOT NULL AS gone FROM scim_users WHERE org_id = $1 AND user_id = $2
     ORDER BY deleted_at DESC NULLS FIRST LIMIT 1`,
    [orgId, userId],
  );
  return entry?.gone ?? false;
}

/** Retention ends as soon as another active OWNER exists (contract, section 7). */
async function releaseRetained(manager: EntityManager, by: Joining): Promise<void> {
  const released = await many<MemberImage & { user_id: string }>(
    manager,
    `UPDATE memberships SET retained_last_owner = false, updated_at = now(),
       role = CASE WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END
     WHERE org_id = $1 AND retained_last_owner
       AND EXISTS (SELECT 1 FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND NOT retained_last_owner
                     AND ${canSignIn('user_id')})
     RETURNING user_id, role, manual_role, scim_role, suspended, retained_last_owner`,
    [by.orgId],
  );
  for (const { user_id, ...after } of released) {
    const isMember = after.manual_role !== null || after.scim_role !== null;
    if (!isMember) await manager.getRepository(Membership).delete({ orgId: by.orgId, userId: user_id });
    const before: MemberImage = { ...after, role: 'OWNER', retained_last_owner: true };
    await tell(manager, by, user_id, before, isMember ? after : null, 'released_last_owner');
  }
}
