import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { execute, many, maybe } from '../../database/statements';
import { ConflictError, requireFound } from '../../errors/errors';
import { ErrorCode, InsufficientRoleError, LastOwnerError } from '../organisation.errors';
import { causeOfMember } from '../audit/cause';
import { canSignIn } from '../can-sign-in.sql';
import { type MemberChange, type MemberImage, recordMemberChange } from './member-change';
import { MemberOut, MemberRow, toMember } from './member.dto';
import { Membership } from './membership.entity';
import { type ActingMember, Memberships, type Standing } from './memberships.service';
import { inOrganisation } from '../organisation-lock';
import { personName } from '../person-name.sql';
import { requireRank } from './rank';
import { highest, isAtLeast, Role } from './role';
import { Directory } from '../directory';

const SELECT = `
  SELECT memberships.user_id, users.email, ${personName()} AS name, memberships.role, memberships.manual_role, memberships.scim_role,
         memberships.suspended, memberships.retained_last_owner, memberships.created_at
  FROM memberships JOIN users ON users.id = memberships.user_id
  WHERE memberships.org_id = $1`;

/** The user who makes the change: a member, or someone who is joining or leaving. */
type Joining = Omit<ActingMember, 'role' | 'requestId'> & { requestId: string | null };

/**
 * The members of an organisation and their manual roles. Like the sync, every change holds the organisation's lock, so
 * that all agree on who the last OWNER is. A retained OWNER stays OWNER until there is another one, whatever their
 * manual role (contract, section 7).
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly directory: Directory,
  ) {}

  /** @throws NotFoundError */
  async get(member: ActingMember, userId: string): Promise<MemberOut> {
    return toMember(await this.find(this.dataSource.manager, member.orgId, userId));
  }

  /**
   * Makes a user a member after they accepted an invitation. A member from the directory gets the manual role in
   * addition to the SCIM role; a user who opted out of the directory is back in it.
   *
   * @param manager of a transaction that holds the organisation's lock
   * @param joining the user who joins
   * @param invitationId for the audit log
   * @throws ConflictError if the user already has a manual role or the directory has deactivated them
   */
  async join(manager: EntityManager, joining: Joining, role: Role, invitationId: string): Promise<void> {
    const { orgId, userId } = joining;
    const before = await this.seek(manager, orgId, userId);
    if (before?.manual_role) throw new ConflictError(ErrorCode.MemberConflict, 'You are already a member.');
    if (before?.suspended || (await isDeprovisioned(manager, orgId, userId))) {
      throw deactivated();
    }
    const isInDirectory = await this.directory.answer(manager, orgId, userId, 'ACCEPTED');
    const { role: effectiveRole, retained } = withManualRole(before, role);
    const scim_role = before?.scim_role ?? null;
    await execute(
      manager,
      // All columns, even if the row exists: the CHECK constraint is evaluated before the conflict is detected.
      `INSERT INTO memberships (org_id, user_id, manual_role, scim_role, retained_last_owner, role)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT ON CONSTRAINT memberships_pkey
       DO UPDATE SET manual_role = $3, retained_last_owner = $5, role = $6, updated_at = now()`,
      [orgId, userId, role, scim_role, retained, effectiveRole],
    );
    const after = {
      role: effectiveRole,
      manual_role: role,
      scim_role,
      suspended: false,
      retained_last_owner: retained,
    };
    const details = { invitation_id: invitationId };
    await recordChange(manager, joining, userId, before ?? null, after, 'accepted_invitation', details);
    if (isInDirectory) await this.directory.resolveRoles(manager, orgId, [userId], causeOfMember(joining));
    await releaseRetained(manager, joining);
  }

  /**
   * Changes the manual role of a member.
   *
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError if an ADMIN assigns OWNER or changes an OWNER
   */
  async change(caller: ActingMember, userId: string, manualRole: Role): Promise<MemberOut> {
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.requireRole(manager, caller, 'ADMIN');
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
      await recordChange(manager, member, before.user_id, before, after);
      await releaseRetained(manager, member);
      return toMember(await this.find(manager, member.orgId, userId));
    });
  }

  /**
   * Removes the manual role; a SCIM role stays, since only the directory controls it. Everyone but the last OWNER can
   * leave.
   *
   * @param caller with the organisation id from the path; need not be a member
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError; ConflictError if another member has only a SCIM role
   */
  async remove(caller: Joining, userId: string): Promise<void> {
    if (userId.toLowerCase() === caller.userId) return this.leave(caller);
    const { orgId } = await this.memberships.require(caller, caller.orgId, 'MEMBER');
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const member = await this.requireRole(manager, { ...caller, orgId }, 'MEMBER');
      const before = await this.find(manager, member.orgId, userId);
      if (!isAtLeast(member.role, 'ADMIN')) throw new InsufficientRoleError('ADMIN', member.role);
      requireRank(member, before.manual_role, before.role);
      const role = before.suspended ? null : before.scim_role;
      if (before.role === 'OWNER' && role !== 'OWNER') await requireAnotherOwner(manager, member.orgId, userId);
      if (before.manual_role === null) {
        throw new ConflictError(ErrorCode.MemberConflict, 'This membership comes from the directory; remove it there.');
      }
      if (before.scim_role === null) {
        await manager.getRepository(Membership).delete({ orgId: member.orgId, userId });
        await this.directory.forgetAcceptance(manager, member.orgId, userId);
      } else {
        await manager
          .getRepository(Membership)
          .update({ orgId: member.orgId, userId }, { manualRole: null, role, retainedLastOwner: false });
      }
      const remaining = { ...before, role, manual_role: null, retained_last_owner: false };
      await recordChange(manager, member, before.user_id, before, before.scim_role === null ? null : remaining);
    });
  }

  /**
   * Ends the membership of the caller, whatever its source, even while the directory has deactivated them. The opt-out
   * is stored in the directory, so that neither a push nor a sync brings them back.
   *
   * @throws NotFoundError; LastOwnerError
   */
  private async leave(caller: Joining): Promise<void> {
    const { userId } = caller;
    // Before the lock, so that non-members do not wait for it.
    const orgId = await this.memberships.requireAny(caller, caller.orgId);
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const before = requireFound(await this.seek(manager, orgId, userId), ErrorCode.OrganisationNotFound, orgId);
      if (before.role === 'OWNER') await requireAnotherOwner(manager, orgId, userId);
      const hasOptedOut = await this.directory.answer(manager, orgId, userId, 'OPTED_OUT');
      await manager.getRepository(Membership).delete({ orgId, userId });
      await recordChange(manager, { ...caller, orgId }, userId, before, null, hasOptedOut ? 'opted_out' : 'manual');
    });
  }

  /**
   * Reads the caller's role again: it may have been removed while the request waited for the organisation's lock.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async requireRole(manager: EntityManager, member: Joining, needed: Role): Promise<Joining & Standing> {
    const { orgId, userId, requestId } = member;
    return { ...(await this.memberships.require({ userId }, orgId, needed, manager)), requestId };
  }

  private seek(manager: EntityManager, orgId: string, userId: string): Promise<MemberRow | undefined> {
    return maybe<MemberRow>(manager, `${SELECT} AND memberships.user_id = $2`, [orgId, userId]);
  }

  private async find(manager: EntityManager, orgId: string, userId: string): Promise<MemberRow> {
    return requireFound(await this.seek(manager, orgId, userId), ErrorCode.MemberNotFound, userId);
  }
}

/** The effective role after a change of the manual role. Retention ends only if the user is OWNER by another role. */
function withManualRole(before: MemberRow | undefined, manualRole: Role): { role: Role | null; retained: boolean } {
  const entitled = before?.suspended ? null : highest(manualRole, before?.scim_role ?? null);
  const retained = before?.retained_last_owner === true && entitled !== 'OWNER';
  return { role: retained ? 'OWNER' : entitled, retained };
}

/** Records a change of the membership, made by `actor`. */
function recordChange(
  manager: EntityManager,
  actor: Joining,
  userId: string,
  before: MemberImage | null,
  after: MemberImage | null,
  reason: MemberChange['reason'] = 'manual',
  details?: object,
): Promise<void> {
  const { orgId } = actor;
  return recordMemberChange(manager, causeOfMember(actor), { orgId, userId, before, after, reason, details });
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

/** The error for a user whose access was removed by the directory of the organisation that they want to join. */
export function deactivated(): ConflictError {
  return new ConflictError(
    ErrorCode.MemberConflict,
    'The directory of this organisation has deactivated or deleted you. Ask its administrators.',
  );
}

/** Whether the directory has an entry of the user that grants no access (contract, section 7). */
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
async function releaseRetained(manager: EntityManager, actor: Joining): Promise<void> {
  const released = await many<MemberImage & { user_id: string }>(
    manager,
    `UPDATE memberships SET retained_last_owner = false, updated_at = now(),
       role = CASE WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END
     WHERE org_id = $1 AND retained_last_owner
       AND EXISTS (SELECT 1 FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND NOT retained_last_owner
                     AND ${canSignIn('user_id')})
     RETURNING user_id, role, manual_role, scim_role, suspended, retained_last_owner`,
    [actor.orgId],
  );
  for (const { user_id, ...after } of released) {
    const isMember = after.manual_role !== null || after.scim_role !== null;
    if (!isMember) await manager.getRepository(Membership).delete({ orgId: actor.orgId, userId: user_id });
    const before: MemberImage = { ...after, role: 'OWNER', retained_last_owner: true };
    await recordChange(manager, actor, user_id, before, isMember ? after : null, 'released_last_owner');
  }
}
