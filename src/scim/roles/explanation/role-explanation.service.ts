import { Injectable } from '@nestjs/common';
import { DataSource, Not } from 'typeorm';
import { Clock } from '../../../config/clock';
import { Environment } from '../../../config/environment';
import { timeOf } from '../../../database/id';
import { requireFound } from '../../../errors/errors';
import { ErrorCode } from '../../scim.errors';
import type { ActingMember } from '../../../organisations/members/memberships.service';
import type { Role } from '../../../organisations/members/role';
import { inSnapshot } from '../../../database/snapshot';
import { many, maybe } from '../../../database/statements';
import { accountState } from '../resolution/account-state';
import type { Consent } from '../../directory/consent';
import { ExplainedPerson, RoleExplanationOut, toExplanation } from './role-explanation.dto';
import {
  explainRole,
  type MappedGroup,
  type PersonFacts,
  type RoleExplanation,
  staysLastOwner,
} from './role-explanation';
import { FACTS, OWNERS } from './role-explanation.sql';
import type { DirectoryEntry, MemberState, ScimSettings } from '../resolution/role-resolution';
import { ScimRoleMapping } from '../mappings/scim-role-mapping.entity';
import { storedSettings } from '../settings/stored-settings';

const DAY_MS = 24 * 3_600_000;

/** A mapped group in JSON. */
type GroupRow = Omit<MappedGroup, 'mappedSince' | 'memberSince'> & { mappedSince: string; memberSince: string };

interface Row {
  user_id: string;
  /** Whether the organisation may know the account. */
  is_known: boolean;
  email: string | null;
  name: string | null;
  is_claimed: boolean;
  is_closed: boolean;
  is_member: boolean;
  role: Role | null;
  manual_role: Role | null;
  scim_role: Role | null;
  suspended: boolean | null;
  retained_last_owner: boolean | null;
  member_since: Date | null;
  scim_user_id: string | null;
  user_name: string;
  active: boolean;
  deleted_at: Date | null;
  consent: Consent;
  groups: GroupRow[];
  last_role_change_id: string | null;
}

type OwnerRow = Omit<MemberState, 'createdAt'> &
  Omit<DirectoryEntry, 'active'> & { createdAt: Date; active: boolean | null; canSignIn: boolean };

/** Explains a person's role: which group and which mapping give it, since when, and what they would have without it. */
@Injectable()
export class RoleExplanationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * For members, and for people who are or were in the directory only.
   *
   * @param id of the account, or of the directory user
   * @throws NotFoundError for anyone else
   */
  async get({ orgId }: ActingMember, id: string): Promise<RoleExplanationOut> {
    // One snapshot, so that concurrent changes cannot cause contradictions.
    return inSnapshot(this.dataSource, async (manager) => {
      const row = requireFound(await maybe<Row>(manager, FACTS, [orgId, id]), ErrorCode.MemberNotFound, id);
      const settings = await storedSettings(manager, orgId);
      const explanation = explainRole(toFacts(row, settings));
      if (explanation.role === 'OWNER' && explanation.decides && explanation.without?.role !== 'OWNER') {
        const owners = await many<OwnerRow>(manager, OWNERS, [orgId]);
        const mappings = await manager.findBy(ScimRoleMapping, { orgId, id: Not(explanation.decides.mappingId) });
        if (staysLastOwner(row.user_id, toOwners(owners), mappings, settings))
          explanation.without = { role: 'OWNER', reason: 'last_owner', mappingId: null };
      }
      return toExplanation({ ...toPerson(row), roleSince: this.roleSince(row, explanation) }, explanation);
    });
  }

  /**
   * According to the audit log, or otherwise since the membership began: the log is younger than some memberships, and
   * its retention is limited. A membership older than that may have had other roles.
   */
  private roleSince({ last_role_change_id, member_since }: Row, { role }: RoleExplanation): Date | null {
    if (last_role_change_id) return timeOf(last_role_change_id);
    if (role === null || member_since === null) return null;
    const oldestEntry = this.clock.now().getTime() - this.environment.limits.auditRetentionDays * DAY_MS;
    return member_since.getTime() < oldestEntry ? null : member_since;
  }
}

function toFacts(row: Row, settings: ScimSettings): PersonFacts {
  return {
    member: row.is_member
      ? {
          manualRole: row.manual_role,
          scimRole: row.scim_role,
          suspended: row.suspended ?? false,
          retainedLastOwner: row.retained_last_owner ?? false,
          role: row.role,
        }
      : null,
    entry: row.scim_user_id === null ? null : { active: row.active, deletedAt: row.deleted_at, consent: row.consent },
    groups: row.groups.map((group) => ({
      ...group,
      mappedSince: new Date(group.mappedSince),
      memberSince: new Date(group.memberSince),
    })),
    settings,
  };
}

function toPerson(row: Row): Omit<ExplainedPerson, 'roleSince'> {
  const entry =
    row.scim_user_id === null
      ? null
      : { id: row.scim_user_id, userName: row.user_name, active: row.active, deletedAt: row.deleted_at };
  return {
    userId: row.is_known ? row.user_id : null,
    email: row.email,
    name: row.name,
    account: accountState({ email: row.email, isClaimed: row.is_claimed, isClosed: row.is_closed }),
    isMember: row.is_member,
    manualRole: row.manual_role,
    scimRole: row.scim_role,
    suspended: row.suspended ?? false,
    retainedLastOwner: row.retained_last_owner ?? false,
    entry,
  };
}

function toOwners(rows: readonly OwnerRow[]): Parameters<typeof staysLastOwner>[1] {
  return {
    members: rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() })),
    entries: new Map(
      rows.flatMap(({ userId, active, deleted, consent, groupIds }) =>
        active === null ? [] : [[userId, { active, deleted, consent, groupIds }]],
      ),
    ),
    unreachable: new Set(rows.flatMap(({ userId, canSignIn }) => (canSignIn ? [] : [userId]))),
  };
}
