import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { inTransaction } from '../database/transaction';
import { record } from '../events/outbox';
import {
  ConflictError,
  ErrorCode,
  InsufficientRoleError,
  LastOwnerError,
  NotFoundError,
  ValidationError,
} from '../http/errors';
import { Page, PageQuery, Pages } from '../http/page';
import { Accounts } from '../users/accounts.service';
import { MemberAdd, MemberOut, MemberQuery, MemberRow, toMember } from './member.dto';
import type { ActingMember } from './memberships.service';
import { lockOrganisation } from './organisation-lock';
import { highest, isAtLeast, Role } from './role';

const LIST = 'members';

const SELECT = `
  SELECT memberships.user_id, users.email, users.name, memberships.role, memberships.manual_role, memberships.scim_role,
         memberships.suspended, memberships.retained_last_owner, memberships.created_at
  FROM memberships JOIN users ON users.id = memberships.user_id
  WHERE memberships.org_id = $1`;

interface StoredMember extends MemberRow {
  suspended: boolean;
}

/**
 * The members of an organisation and their manual roles. Every change takes the organisation's lock, as the sync
 * does, so that "the last OWNER" means the same to all of them.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
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
  async add(member: ActingMember, input: MemberAdd): Promise<MemberOut> {
    const by = onlyOne(input);
    requireRank(member, input.role);
    return inTransaction(this.dataSource, async (manager) => {
      await lockOrganisation(manager, member.orgId);
      const userId =
        'email' in by ? (await this.accounts.forEmail(manager, by.email)).id : await this.userId(manager, by.userId);
      const existing = await this.seek(manager, member.orgId, userId);
      if (existing?.manual_role) throw new ConflictError(ErrorCode.MemberConflict, 'This person is a member already.');
      if (existing?.suspended || (await isDeprovisioned(manager, member.orgId, userId))) {
        throw new ConflictError(
          ErrorCode.MemberConflict,
          'The directory has this person deactivated or deleted; bring them back there.',
        );
      }
      const role = highest(input.role, existing?.scim_role ?? null);
      await manager.query(
        `INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT memberships_pkey
         DO UPDATE SET manual_role = $3, role = $4, retained_last_owner = false, updated_at = now()`,
        [member.orgId, userId, input.role, role],
      );
      if (!existing) await this.tell(manager, 'member.added', member.orgId, userId, null, role);
      else if (existing.role !== role)
        await this.tell(manager, 'member.role_changed', member.orgId, userId, existing.role, role);
      await releaseRetained(manager, member.orgId);
      return toMember(await this.find(manager, member.orgId, userId));
    });
  }

  /**
   * Changes somebody's manual role.
   *
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError for an ADMIN who touches an OWNER
   */
  async change(member: ActingMember, userId: string, role: Role): Promise<MemberOut> {
    return inTransaction(this.dataSource, async (manager) => {
      await lockOrganisation(manager, member.orgId);
      const before = await this.find(manager, member.orgId, userId);
      requireRank(member, role, before.manual_role, before.role);
      const after = before.suspended ? null : highest(role, before.scim_role);
      if (before.role === 'OWNER' && after !== 'OWNER') await requireAnotherOwner(manager, member.orgId, userId);
      await manager.query(
        `UPDATE memberships SET manual_role = $3, role = $4, retained_last_owner = false, updated_at = now()
         WHERE org_id = $1 AND user_id = $2 AND (manual_role IS DISTINCT FROM $3 OR retained_last_owner)`,
        [member.orgId, userId, role, after],
      );
      if (before.role !== after)
        await this.tell(manager, 'member.role_changed', member.orgId, userId, before.role, after);
      await releaseRetained(manager, member.orgId);
      return toMember(await this.find(manager, member.orgId, userId));
    });
  }

  /**
   * Takes away the manual role; a role by SCIM stays, since only the directory gives and takes it. Everybody may
   * leave.
   *
   * @throws NotFoundError; LastOwnerError; InsufficientRoleError; ConflictError for a member by SCIM alone
   */
  async remove(member: ActingMember, userId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await lockOrganisation(manager, member.orgId);
      const before = await this.find(manager, member.orgId, userId);
      if (userId !== member.userId) {
        if (!isAtLeast(member.role, 'ADMIN')) throw new InsufficientRoleError('ADMIN', member.role);
        requireRank(member, before.manual_role, before.role);
      }
      const after = before.suspended ? null : before.scim_role;
      if (before.role === 'OWNER' && after !== 'OWNER') await requireAnotherOwner(manager, member.orgId, userId);
      if (before.manual_role === null) {
        throw new ConflictError(ErrorCode.MemberConflict, 'This membership comes from the directory; end it there.');
      }
      if (before.scim_role === null) {
        await manager.query(`DELETE FROM memberships WHERE org_id = $1 AND user_id = $2`, [member.orgId, userId]);
        if (before.role !== null) await this.tell(manager, 'member.removed', member.orgId, userId, before.role, null);
      } else {
        await manager.query(
          `UPDATE memberships SET manual_role = NULL, role = $3, retained_last_owner = false, updated_at = now()
           WHERE org_id = $1 AND user_id = $2`,
          [member.orgId, userId, after],
        );
        if (before.role !== after)
          await this.tell(manager, 'member.role_changed', member.orgId, userId, before.role, after);
      }
    });
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

  private tell(
    manager: EntityManager,
    type: 'member.added' | 'member.role_changed' | 'member.removed',
    orgId: string,
    userId: string,
    before: Role | null,
    role: Role | null,
  ): Promise<void> {
    const data = { org_id: orgId, user_id: userId, role, role_before: before, reason: 'manual' };
    return record(manager, { type, orgId, data });
  }
}

/** Exactly one of the two ways to name a person. */
function onlyOne({ user_id, email }: MemberAdd): { userId: string } | { email: string } {
  if (user_id && !email) return { userId: user_id };
  if (email && !user_id) return { email };
  const type = user_id ? 'value_error' : 'missing';
  throw new ValidationError([{ loc: ['body', 'user_id'], msg: 'Give either user_id or email.', type }]);
}

/** An ADMIN acts up to ADMIN: may neither give OWNER nor touch somebody who has it (contract, section 4). */
function requireRank(member: ActingMember, ...roles: (Role | null)[]): void {
  if (roles.includes('OWNER') && member.role !== 'OWNER') throw new InsufficientRoleError('OWNER', member.role);
}

async function requireAnotherOwner(manager: EntityManager, orgId: string, userId: string): Promise<void> {
  const [other] = await manager.query<object[]>(
    `SELECT 1 FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND user_id <> $2 LIMIT 1`,
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
async function releaseRetained(manager: EntityManager, orgId: string): Promise<void> {
  const [released] = await manager.query<
    [{ user_id: string; role: Role | null; manual_role: Role | null; scim_role: Role | null }[], number]
  >(
    `UPDATE memberships SET retained_last_owner = false, updated_at = now(),
       role = CASE WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END
     WHERE org_id = $1 AND retained_last_owner
       AND EXISTS (SELECT 1 FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND NOT retained_last_owner)
     RETURNING user_id, role, manual_role, scim_role`,
    [orgId],
  );
  for (const { user_id, role, manual_role, scim_role } of released) {
    if (manual_role === null && scim_role === null) {
      await manager.query(`DELETE FROM memberships WHERE org_id = $1 AND user_id = $2`, [orgId, user_id]);
    }
    const data = { org_id: orgId, user_id, role, role_before: 'OWNER', reason: 'released_last_owner' };
    await record(manager, { type: role === null ? 'member.removed' : 'member.role_changed', orgId, data });
  }
}
