import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import {
  ConflictError,
  ErrorCode,
  InsufficientRoleError,
  LastOwnerError,
  NotFoundError,
  ValidationError,
} from '../http/errors';
import { Page, Pages } from '../http/page';
import { Accounts } from '../users/accounts.service';
import { causeOfMember } from './audit/cause';
import { canSignIn } from './can-sign-in.sql';
import { type MemberChange, type MemberImage, recordMemberChange } from './member-change';
import { MemberAdd, MemberOut, MemberQuery, MemberRow, toMember } from './member.dto';
import { type ActingMember, Memberships } from './memberships.service';
import { inOrganisation } from './organisation-lock';
import { personName } from './person-name.sql';
import { requireRank } from './rank';
import { highest, isAtLeast, Role } from './role';

const LIST = 'members';

const SELECT = `
  SELECT memberships.user_id, users.email, ${personName()} AS name, memberships.role, memberships.manual_role, memberships.scim_role,
         memberships.suspended, memberships.retained_last_owner, memberships.created_at
  FROM memberships JOIN users ON users.id = memberships.user_id
  WHERE memberships.org_id = $1`;

interface StoredMember extends MemberRow {
  suspended: boolean;
}

/**
 * The members of an organisation and their manual roles. Every change takes the organisation's lock, as the sync
 * does, so that "the last OWNER" means the same to all of them. A retained OWNER stays one until there is another,
 * whatever the manual role beside it (contract, section 7).
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
  ) {}

  /** In the order of their user ids, which is about the order in which their accounts were made. */
  async list(member: ActingMember, { role, ...query }: MemberQuery): Promise<Page<MemberOut>> {
    const request = this.pages.open(LIST, query, { org: member.orgId, role });
    const rows = await this.dataSource.query<StoredMember[]>(
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
   * Gives somebody a manual role. A person whom the directory already made a member gets it beside the SCIM role.
   *
   * @throws NotFoundError for an unknown user id; ConflictError for somebody who has a manual role already, or whom
   *   the directory has deactivated; InsufficientRoleError for an ADMIN who gives OWNER
   */
  async add(caller: ActingMember, input: MemberAdd): Promise<MemberOut> {
    const by = onlyOne(input);
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.enter(manager, caller, 'ADMIN');
      requireRank(member, input.role);
      const userId =
        'email' in by ? (await this.accounts.forEmail(manager, by.email)).id : await this.userId(manager, by.userId);
      const before = await this.seek(manager, member.orgId, userId);
      requireRank(member, before?.role ?? null);
      if (before?.manual_role) throw new ConflictError(ErrorCode.MemberConflict, 'This person is a member already.');
      if (before?.suspended || (await isDeprovisioned(manager, member.orgId, userId))) {
        throw new ConflictError(
          ErrorCode.MemberConflict,
          'The directory has this person deactivated or deleted; bring them back there.',
        );
      }
      const { role, retained } = withManualRole(before, input.role);
      await manager.query(
        // Whole, although most of it is there already: the check sees this row before the conflict does.
        `INSERT INTO memberships (org_id, user_id, manual_role, scim_role, retained_last_owner, role)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT ON CONSTRAINT memberships_pkey
         DO UPDATE SET manual_role = $3, retained_last_owner = $5, role = $6, updated_at = now()`,
        [member.orgId, userId, input.role, before?.scim_role ?? null, retained, role],
      );
      const scim_role = before?.scim_role ?? null;
      const after = { role, manual_role: input.role, scim_role, suspended: false, retained_last_owner: retained };
      await tell(manager, member, userId, before ?? null, after);
      await releaseRetained(manager, member);
      return toMember(await this.find(manager, member.orgId, userId));
    });
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
      await manager.query(
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
   * Takes away the manual role; a role by SCIM stays, since only the directory gives and takes it. Everybody may
   * leave.
   *
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError; ConflictError for a member by SCIM alone
   */
  async remove(caller: ActingMember, userId: string): Promise<void> {
    await inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.enter(manager, caller, 'MEMBER');
      const before = await this.find(manager, member.orgId, userId);
      if (before.user_id !== member.userId) {
        if (!isAtLeast(member.role, 'ADMIN')) throw new InsufficientRoleError('ADMIN', member.role);
        requireRank(member, before.manual_role, before.role);
      }
      const role = before.suspended ? null : before.scim_role;
      if (before.role === 'OWNER' && role !== 'OWNER') await requireAnotherOwner(manager, member.orgId, userId);
      if (before.manual_role === null) {
        throw new ConflictError(ErrorCode.MemberConflict, 'This membership comes from the directory; end it there.');
      }
      if (before.scim_role === null) {
        await manager.query(`DELETE FROM memberships WHERE org_id = $1 AND user_id = $2`, [member.orgId, userId]);
      } else {
        await manager.query(
          `UPDATE memberships SET manual_role = NULL, role = $3, retained_last_owner = false, updated_at = now()
           WHERE org_id = $1 AND user_id = $2`,
          [member.orgId, userId, role],
        );
      }
      const left = { ...before, role, manual_role: null, retained_last_owner: false };
      await tell(manager, member, before.user_id, before, before.scim_role === null ? null : left);
    });
  }

  /**
   * Reads the caller's role anew: while the request waited for the organisation's lock, somebody may have taken the role
   * away.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async enter(manager: EntityManager, member: ActingMember, needed: Role): Promise<ActingMember> {
    const { orgId, userId, requestId } = member;
    return { ...(await this.memberships.require({ userId }, orgId, needed, manager)), requestId };
  }

  private async userId(manager: EntityManager, userId: string): Promise<string> {
    const [row] = await manager.query<{ id: string }[]>(`SELECT id FROM users WHERE id = $1 AND closed_at IS NULL`, [
      userId,
    ]);
    if (!row) throw new NotFoundError(ErrorCode.UserNotFound, userId);
    return row.id;
  }

  private async seek(manager: EntityManager, orgId: string, userId: string): Promise<StoredMember | undefined> {
    const [row] = await manager.query<StoredMember[]>(`${SELECT} AND memberships.user_id = $2`, [orgId, userId]);
    return row;
  }

  private async find(manager: EntityManager, orgId: string, userId: string): Promise<StoredMember> {
    const row = await this.seek(manager, orgId, userId);
    if (!row) throw new NotFoundError(ErrorCode.MemberNotFound, userId);
    return row;
  }
}

/** What is in force with another manual role. Retention ends only where the person is OWNER in their own right. */
function withManualRole(before: StoredMember | undefined, manualRole: Role): { role: Role | null; retained: boolean } {
  const entitled = before?.suspended ? null : highest(manualRole, before?.scim_role ?? null);
  const retained = before?.retained_last_owner === true && entitled !== 'OWNER';
  return { role: retained ? 'OWNER' : entitled, retained };
}

/** Records what a change of the manual role did to the membership. */
function tell(
  manager: EntityManager,
  by: ActingMember,
  userId: string,
  before: MemberImage | null,
  after: MemberImage | null,
  reason: MemberChange['reason'] = 'manual',
): Promise<void> {
  return recordMemberChange(manager, causeOfMember(by), { orgId: by.orgId, userId, before, after, reason });
}

/** Exactly one of the two ways to name a person. */
function onlyOne({ user_id, email }: MemberAdd): { userId: string } | { email: string } {
  if (user_id && !email) return { userId: user_id };
  if (email && !user_id) return { email };
  const type = user_id ? 'value_error' : 'missing';
  throw new ValidationError([{ loc: ['body', 'user_id'], msg: 'Give either user_id or email.', type }]);
}

async function requireAnotherOwner(manager: EntityManager, orgId: string, userId: string): Promise<void> {
  const [other] = await manager.query<object[]>(
    `SELECT 1 FROM memberships
     WHERE org_id = $1 AND role = 'OWNER' AND user_id <> $2 AND ${canSignIn('user_id')} LIMIT 1`,
    [orgId, userId],
  );
  if (!other) throw new LastOwnerError();
}

/** Whether the directory knows the person and says that they have no access (contract, section 7). */
async function isDeprovisioned(manager: EntityManager, orgId: string, userId: string): Promise<boolean> {
  const [entry] = await manager.query<{ gone: boolean }[]>(
    `SELECT NOT active OR deleted_at IS NOT NULL AS gone FROM scim_users WHERE org_id = $1 AND user_id = $2
     ORDER BY deleted_at DESC NULLS FIRST LIMIT 1`,
    [orgId, userId],
  );
  return entry?.gone ?? false;
}

/** Retention ends as soon as another active OWNER exists (contract, section 7). */
async function releaseRetained(manager: EntityManager, by: ActingMember): Promise<void> {
  const [released] = await manager.query<[(MemberImage & { user_id: string })[], number]>(
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
    if (!isMember) {
      await manager.query(`DELETE FROM memberships WHERE org_id = $1 AND user_id = $2`, [by.orgId, user_id]);
    }
    const before: MemberImage = { ...after, role: 'OWNER', retained_last_owner: true };
    await tell(manager, by, user_id, before, isMember ? after : null, 'released_last_owner');
  }
}
