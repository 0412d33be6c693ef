import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Environment } from '../../config/environment';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import type { Columns } from '../../database/columns';
import { many, maybe } from '../../database/statements';
import { record } from '../../events/outbox';
import { NotFoundError } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { audit } from '../../organisations/audit/audit-trail';
import { causeOfMember } from '../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../organisations/members/memberships.service';
import { inOrganisation } from '../../organisations/organisation-lock';
import { requireRank } from '../../organisations/members/rank';
import type { Role } from '../../organisations/members/role';
import { ScimGroup } from '../directory/scim-group.entity';
import type { ScimUser } from '../directory/scim-user.entity';
import { ConfirmQuery, requireConfirmed } from './confirmation';
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
import { ACCOUNTS_IN_GROUP, GROUPS_NAMED, MAPPINGS } from './role-mappings.sql';
import { RoleSync } from './role-sync';
import { ScimRoleMapping } from './scim-role-mapping.entity';
import { ScimSettingsRow } from './scim-settings.entity';

const LIST = 'role mappings';

const OF_ORGANISATION: Cap = {
  name: 'role mappings of an organisation',
  rows: 'scim_role_mappings WHERE org_id = $1',
  code: ErrorCode.RoleMappingConflict,
  detail: mappingsExhausted,
};

/** A group that a mapping names; without an id it has not arrived yet. */
interface MappedGroup {
  id: string | null;
  name: string;
}

/** What a change does to a mapping; null: there is none. */
interface Change {
  mappingId: string;
  group: MappedGroup;
  before: Role | null;
  after: Role | null;
}

/**
 * Which group gives which role (contract, section 7). Every change holds the organisation's lock and brings the people
 * of the group to their new roles before it ends, so that table and roles never contradict each other.
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
    const request = this.pages.open(LIST, query, { org: member.orgId });
    const rows = await many<RoleMappingRow>(this.dataSource, MAPPINGS, [
      member.orgId,
      null,
      request.after ?? null,
      request.take,
    ]);
    return this.pages.close(LIST, request, rows, toRoleMapping);
  }

  /** @throws NotFoundError */
  async get(member: ActingMember, mappingId: string): Promise<RoleMappingOut> {
    return toRoleMapping(await this.find(this.dataSource.manager, member.orgId, mappingId));
  }

  /**
   * Maps a group to a role. By a name that no group has yet, it waits for that group.
   *
   * @throws NotFoundError for an unknown group id; InsufficientRoleError for an ADMIN who maps to OWNER; ConflictError
   *   when the group is mapped already, the name is that of several groups, OWNER is not allowed, there are as many as
   *   allowed, or confirmation is missing; LastOwnerError
   */
  async create(caller: ActingMember, input: RoleMappingCreate, query: ConfirmQuery): Promise<RoleMappingOut> {
    const reference = groupReference(input, ['body', 'group_id']);
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.enter(manager, caller);
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
      await this.follow(manager, member, { mappingId: id, group, before: null, after: input.role }, query);
      return toRoleMapping(await this.find(manager, member.orgId, id));
    });
  }

  /**
   * Gives another role. The same one again changes nothing.
   *
   * @throws NotFoundError; InsufficientRoleError for an ADMIN where OWNER is or shall be given; ConflictError when
   *   OWNER is not allowed or confirmation is missing; LastOwnerError
   */
  async change(
    caller: ActingMember,
    mappingId: string,
    { role }: RoleMappingChange,
    query: ConfirmQuery,
  ): Promise<RoleMappingOut> {
    return inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.enter(manager, caller);
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
      await this.follow(manager, member, { ...changeOf(before), after: role }, query);
      return toRoleMapping(await this.find(manager, member.orgId, before.id));
    });
  }

  /**
   * The people of the group keep what other mappings, the default role and their manual roles give them. A mapping that
   * waits for the name of the group, which could not have it so far, is bound to it.
   *
   * @throws NotFoundError; InsufficientRoleError for an ADMIN where OWNER is given, or would be by the one that waits;
   *   ConflictError when confirmation is missing; LastOwnerError
   */
  async remove(caller: ActingMember, mappingId: string, query: ConfirmQuery): Promise<void> {
    await inOrganisation(this.dataSource, caller.orgId, async (manager) => {
      const member = await this.enter(manager, caller);
      const before = await this.find(manager, member.orgId, mappingId);
      requireRank(member, before.role);
      await manager.delete(ScimRoleMapping, { orgId: member.orgId, id: before.id });
      await this.follow(manager, member, { ...changeOf(before), after: null }, query);
    });
  }

  /**
   * Reads the caller's role anew: while the request waited for the organisation's lock, somebody may have taken the role
   * away.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async enter(manager: EntityManager, caller: ActingMember): Promise<ActingMember> {
    const { role } = await this.memberships.require(caller, caller.orgId, 'ADMIN', manager);
    return { ...caller, role };
  }

  /** What follows from a change that is in the table already: audit, event, roles. */
  private async follow(
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
    const row = await maybe<RoleMappingRow>(manager, MAPPINGS, [orgId, mappingId, null, 1]);
    if (!row) throw new NotFoundError(ErrorCode.RoleMappingNotFound, mappingId);
    return row;
  }
}

function changeOf({ id, group_id, group_name, role }: RoleMappingRow): Omit<Change, 'after'> {
  return { mappingId: id, group: { id: group_id, name: group_name }, before: role };
}

async function groupById(manager: EntityManager, orgId: string, groupId: string): Promise<MappedGroup> {
  const group = await manager.findOneBy(ScimGroup, { orgId, id: groupId });
  if (!group) throw new NotFoundError(ErrorCode.ScimGroupNotFound, groupId);
  return { id: group.id, name: group.displayName };
}

/**
 * @returns the group of that name, or one that has not arrived yet
 * @throws ConflictError when several groups have the name, or a mapping waits for it already
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
