import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Environment } from '../../../config/environment';
import { type Cap, requireRoom } from '../../../database/cap';
import { newId } from '../../../database/id';
import type { Columns } from '../../../database/columns';
import { many, maybe } from '../../../database/statements';
import { record } from '../../../events/outbox';
import { requireFound } from '../../../errors/errors';
import { ErrorCode } from '../../scim.errors';
import { Page, PageQuery, Pages } from '../../../http/requests/page';
import { audit } from '../../../organisations/audit/audit-trail';
import { causeOfMember } from '../../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../../organisations/members/memberships.service';
import { inOrganisation } from '../../../organisations/organisation-lock';
import { requireRank } from '../../../organisations/members/rank';
import type { Role } from '../../../organisations/members/role';
import { ScimGroup } from '../../directory/scim-group.entity';
import type { ScimUser } from '../../directory/scim-user.entity';
import { ConfirmQuery, requireConfirmed } from '../sync/confirmation';
import { bindWaiting } from './group-mapping';
import {
  alreadyAwaited,
  groupReference,
  mappingsExhausted,
  requireOneGroup,
  requireOwnerAllowed,
} from './mapping-rules';
import {
  RoleMappingChange,
  RoleMappingCreate,
  RoleMappingOut,
  RoleMappingRow,
  toRoleMapping,
} from './role-mapping.dto';
import { ACCOUNTS_IN_GROUP, GROUPS_NAMED, ROLE_MAPPINGS } from './role-mappings.sql';
import { RoleSync } from '../sync/role-sync';
import { ScimRoleMapping } from './scim-role-mapping.entity';
import { ScimSettingsRow } from '../settings/scim-settings.entity';

const LIST = 'role mappings';

const OF_ORGANISATION: Cap = {
  name: 'role mappings of an organisation',
  rows: 'scim_role_mappings WHERE org_id = $1',
  code: ErrorCode.RoleMappingConflict,
  detail: mappingsExhausted,
};

/** A group that a mapping names; without an id it has not been pushed yet. */
interface MappedGroup {
  id: string | null;
  name: string;
}

/** What a change does to a mapping; null: it does not exist. */
interface Change {
  mappingId: string;
  group: MappedGroup;
  before: Role | null;
  after: Role | null;
}

/**
 * Which group gives which role (contract, section 7). Every change holds the organisation's lock and updates the roles
 * of the group's members in the same transaction, so that mappings and roles never contradict each other.
 */
@Injectable()
export class RoleMappingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly roleSync: RoleSync,
    private readonly pages: Pages,
    private readonly environment: Environment,
  ) {}

  /** Oldest first. */
  async list(member: ActingMember, query: PageQuery): Promise<Page<RoleMappingOut>> {
    const page = this.pages.open(LIST, query, { org: member.orgId });
    const rows = await many<RoleMappingRow>(this.dataSource, ROLE_MAPPINGS, [
      member.orgId,
      null,
      page.after,
      page.take,
    ]);
    return page.close(rows, toRoleMapping);
  }

  /** @throws NotFoundError */
  async get(member: ActingMember, mappingId: string): Promise<RoleMappingOut> {
    return toRoleMapping(await this.find(this.dataSource.manager, member.orgId, mappingId));
  }

  /**
   * Maps a group to a role. If no group has the name yet, the mapping waits for that group.
   *
   * @throws NotFoundError for an unknown group id; InsufficientRoleError for an ADMIN who maps to OWNER; ConflictError
   *   if the group is already mapped, several groups have the name, OWNER is not allowed, the limit is reached, or
   *   confirmation is missing; LastOwnerError
   */
  async create(caller: ActingMember, input: RoleMappingCreate, query: ConfirmQuery): Promise<RoleMappingOut> {
    const reference = groupReference(input, ['body', 'group_id']);
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.requireAdminUnderLock(manager, caller);
      requireRank(member, input.role);
      await requireRoleAllowed(manager, member.orgId, input.role);
      const group =
        'id' in reference
          ? await groupById(manager, member.orgId, reference.id)
          : await groupByName(manager, member.orgId, reference.name);
      const most = this.environment.limits.roleMappingsPerOrganisation;
      await requireRoom(manager, OF_ORGANISATION, { ownerId: member.orgId, most, isOwnerLocked: true });
      const id = newId();
      await manager.insert(ScimRoleMapping, {
        id,
        orgId: member.orgId,
        groupId: group.id,
        groupName: group.name,
        role: input.role,
      });
      await this.auditPublishAndSync(manager, member, { mappingId: id, group, before: null, after: input.role }, query);
      return toRoleMapping(await this.find(manager, member.orgId, id));
    });
  }

  /**
   * Changes the role. The same role again changes nothing.
   *
   * @throws NotFoundError; InsufficientRoleError for an ADMIN if the old or new role is OWNER; ConflictError if OWNER
   *   is not allowed or confirmation is missing; LastOwnerError
   */
  async change(
    caller: ActingMember,
    mappingId: string,
    { role }: RoleMappingChange,
    query: ConfirmQuery,
  ): Promise<RoleMappingOut> {
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.requireAdminUnderLock(manager, caller);
      const before = await this.find(manager, member.orgId, mappingId);
      requireRank(member, before.role, role);
      if (role === before.role) return toRoleMapping(before);
      await requireRoleAllowed(manager, member.orgId, role);
      await manager.update(
        ScimRoleMapping,
        { orgId: member.orgId, id: before.id },
        // The clock's time: the transaction may have waited for the organisation's lock.
        { role, updatedAt: () => 'clock_timestamp()' },
      );
      await this.auditPublishAndSync(manager, member, { ...changeOf(before), after: role }, query);
      return toRoleMapping(await this.find(manager, member.orgId, before.id));
    });
  }

  /**
   * The members of the group keep what other mappings, the default role and their manual roles give them. A mapping
   * that waits for the name of the group, and could not be bound to it so far, is bound now.
   *
   * @throws NotFoundError; InsufficientRoleError for an ADMIN if the role is OWNER, or that of the waiting mapping is;
   *   ConflictError if confirmation is missing; LastOwnerError
   */
  async remove(caller: ActingMember, mappingId: string, query: ConfirmQuery): Promise<void> {
    await inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.requireAdminUnderLock(manager, caller);
      const before = await this.find(manager, member.orgId, mappingId);
      requireRank(member, before.role);
      await manager.delete(ScimRoleMapping, { orgId: member.orgId, id: before.id });
      await this.auditPublishAndSync(manager, member, { ...changeOf(before), after: null }, query);
    });
  }

  /**
   * Reads the caller's role again: it may have been revoked while the request waited for the organisation's lock.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async requireAdminUnderLock(manager: EntityManager, caller: ActingMember): Promise<ActingMember> {
    const { role } = await this.memberships.require(caller, caller.orgId, 'ADMIN', manager);
    return { ...caller, role };
  }

  /** The consequences of a stored change: audit log, event, roles. */
  private async auditPublishAndSync(
    manager: EntityManager,
    member: ActingMember,
    { mappingId, group, before, after }: Change,
    query: ConfirmQuery,
  ): Promise<void> {
    const change = before === null ? 'created' : after === null ? 'deleted' : 'updated';
    const entry = (role: Role | null) => role && { group_id: group.id, group_name: group.name, role };
    await audit(manager, {
      orgId: member.orgId,
      cause: causeOfMember(member),
      action: `role_mapping.${change}`,
      subjectType: 'role_mapping',
      subjectId: mappingId,
      before: entry(before),
      after: entry(after),
      reason: null,
    });
    await record(manager, {
      type: 'scim.role_mapping_changed',
      orgId: member.orgId,
      data: {
        org_id: member.orgId,
        mapping_id: mappingId,
        change,
        group_id: group.id,
        group_name: group.name,
        role: after,
        role_before: before,
      },
    });
    if (group.id === null) return;
    if (after === null) {
      const free = { id: group.id, displayName: group.name };
      const reason = 'The other mapping of the group was deleted.';
      requireRank(member, await bindWaiting(manager, member.orgId, causeOfMember(member), free, reason));
    }
    const people = await many<Pick<Columns<ScimUser>, 'user_id'>>(manager, ACCOUNTS_IN_GROUP, [member.orgId, group.id]);
    const concerned = people.map(({ user_id }) => user_id);
    requireConfirmed(await this.roleSync.apply(manager, member.orgId, concerned, causeOfMember(member)), query);
  }

  private async find(manager: EntityManager, orgId: string, mappingId: string): Promise<RoleMappingRow> {
    const row = await maybe<RoleMappingRow>(manager, ROLE_MAPPINGS, [orgId, mappingId, null, 1]);
    return requireFound(row, ErrorCode.RoleMappingNotFound, mappingId);
  }
}

function changeOf({ id, group_id, group_name, role }: RoleMappingRow): Omit<Change, 'after'> {
  return { mappingId: id, group: { id: group_id, name: group_name }, before: role };
}

async function groupById(manager: EntityManager, orgId: string, groupId: string): Promise<MappedGroup> {
  const group = await manager.findOneBy(ScimGroup, { orgId, id: groupId });
  const { id, displayName: name } = requireFound(group, ErrorCode.ScimGroupNotFound, groupId);
  return { id, name };
}

/**
 * @returns the group of that name, or one that has not been pushed yet
 * @throws ConflictError if several groups have the name, or a mapping already waits for it
 */
async function groupByName(manager: EntityManager, orgId: string, name: string): Promise<MappedGroup> {
  const groups = await many<MappedGroup>(manager, GROUPS_NAMED, [orgId, name]);
  requireOneGroup(groups);
  const [group] = groups;
  if (group) return group;
  const waiting = await maybe<Pick<Columns<ScimRoleMapping>, 'id'>>(
    manager,
    `SELECT id FROM scim_role_mappings WHERE org_id = $1 AND group_id IS NULL AND lower(group_name) = lower($2) LIMIT 1`,
    [orgId, name],
  );
  if (waiting) throw alreadyAwaited(`Role mapping ${waiting.id}`);
  return { id: null, name };
}

/** @throws ConflictError */
async function requireRoleAllowed(manager: EntityManager, orgId: string, role: Role): Promise<void> {
  if (role !== 'OWNER') return;
  requireOwnerAllowed(role, await manager.existsBy(ScimSettingsRow, { orgId, allowOwnerMapping: true }));
}
