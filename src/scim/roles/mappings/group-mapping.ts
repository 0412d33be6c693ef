import type { EntityManager } from 'typeorm';
import type { Columns } from '../../../database/columns';
import { maybe } from '../../../database/statements';
import { record } from '../../../events/outbox';
import { audit, type Cause } from '../../../organisations/audit/audit-trail';
import type { Role } from '../../../organisations/members/role';
import { BIND, RELEASE, RENAME } from './group-mapping.sql';
import type { ScimRoleMapping } from './scim-role-mapping.entity';

interface MappingRow extends Pick<Columns<ScimRoleMapping>, 'id' | 'role' | 'group_id' | 'group_name'> {
  group_id_before: string | null;
  group_name_before: string;
}

/** A group by its id, with its current name. */
interface PushedGroup {
  id: string;
  displayName: string;
}

/**
 * Updates the role mapping of a new or renamed group (contract, section 7): its own mapping follows it, by id; one that
 * waits for a group of this name is bound to it.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @returns whether a mapping was bound, which changes the roles of all members
 */
export async function updateGroupMapping(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  group: PushedGroup,
): Promise<boolean> {
  await change(manager, orgId, cause, RENAME, [group.id, group.displayName], 'The group was renamed.');
  return (await bindWaiting(manager, orgId, cause, group, 'A group with the awaited name now exists.')) !== null;
}

/**
 * Binds the oldest mapping that waits for the group's name, ignoring case, permanently to a group without a mapping.
 * Must be called whenever a group gets a name, or loses its mapping.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @param reason for the audit log
 * @returns the role that all members of the group get; null: no mapping waits, or the group is mapped
 */
export function bindWaiting(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  { id, displayName }: PushedGroup,
  reason: string,
): Promise<Role | null> {
  return change(manager, orgId, cause, BIND, [id, displayName], reason);
}

/** The mapping of a deleted group waits for another group with the same name. */
export async function releaseMapping(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  groupId: string,
): Promise<void> {
  await change(manager, orgId, cause, RELEASE, [groupId], 'The group was deleted.');
}

/** @returns the role of the changed mapping; null: there was none */
async function change(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  sql: string,
  values: unknown[],
  reason: string,
): Promise<Role | null> {
  const row = await maybe<MappingRow>(manager, sql, [orgId, ...values]);
  if (!row) return null;
  const { id, role, group_id, group_name } = row;
  await audit(manager, {
    orgId,
    cause,
    action: 'role_mapping.updated',
    subjectType: 'role_mapping',
    subjectId: id,
    before: { group_id: row.group_id_before, group_name: row.group_name_before, role },
    after: { group_id, group_name, role },
    reason,
  });
  await record(manager, {
    type: 'scim.role_mapping_changed',
    orgId,
    data: { org_id: orgId, mapping_id: id, change: 'updated', group_id, group_name, role, role_before: role },
  });
  return role;
}
