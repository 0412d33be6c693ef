import type { EntityManager } from 'typeorm';
import type { ColumnsOf } from '../../database/columns';
import { maybe } from '../../database/statements';
import { record } from '../../events/outbox';
import { audit, type Cause } from '../../organisations/audit/audit-trail';
import type { Role } from '../../organisations/members/role';
import type { ScimRoleMapping } from './scim-role-mapping.entity';

interface MappingRow extends ColumnsOf<ScimRoleMapping, 'id' | 'role' | 'groupId' | 'groupName'> {
  group_id_before: string | null;
  group_name_before: string;
}

const RETURNING = `
  RETURNING mapping.id, mapping.role, mapping.group_id, mapping.group_name,
            before.group_id AS group_id_before, before.group_name AS group_name_before`;

/** $1 organisation, $2 group, $3 its name. Since when it gives its role stays as it was. */
const FOLLOW = `
  UPDATE scim_role_mappings AS mapping SET group_name = $3
  FROM scim_role_mappings AS before
  WHERE mapping.org_id = $1 AND mapping.group_id = $2 AND mapping.group_name <> $3 AND before.id = mapping.id
  ${RETURNING}`;

/** $1 organisation, $2 group, $3 its name. Of several that wait for the name the oldest; none, if the group is mapped. */
const BIND = `
  UPDATE scim_role_mappings AS mapping SET group_id = $2, group_name = $3, updated_at = clock_timestamp()
  FROM (
    SELECT id, group_id, group_name FROM scim_role_mappings
    WHERE org_id = $1 AND group_id IS NULL AND lower(group_name) = lower($3)
      AND NOT EXISTS (SELECT 1 FROM scim_role_mappings WHERE group_id = $2)
    ORDER BY created_at, id LIMIT 1
  ) AS before
  WHERE mapping.id = before.id
  ${RETURNING}`;

/** $1 organisation, $2 group. */
const RELEASE = `
  UPDATE scim_role_mappings AS mapping SET group_id = NULL, updated_at = clock_timestamp()
  FROM scim_role_mappings AS before
  WHERE mapping.org_id = $1 AND mapping.group_id = $2 AND before.id = mapping.id
  ${RETURNING}`;

/** A group by its id, with the name that it has now. */
interface NamedGroup {
  id: string;
  displayName: string;
}

/**
 * What becomes of the role mapping of a group that arrives or is renamed (contract, section 7): its own follows it, by
 * its id; one that waits for a group of this name is bound to it.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @returns whether a mapping was bound: the roles of all members follow from it now
 */
export async function meetMapping(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  group: NamedGroup,
): Promise<boolean> {
  await change(manager, orgId, cause, FOLLOW, [group.id, group.displayName], 'The group has another name.');
  return (await bindWaiting(manager, orgId, cause, group, 'The group that it waited for has arrived.')) !== null;
}

/**
 * Binds to a group that has no mapping the oldest one that waits for its name, in any case of letters, for good. To be
 * called whenever a group comes to have a name, or to have no mapping.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @param reason for the audit log
 * @returns the role that all members of the group get by it; null: none waits, or the group is mapped
 */
export function bindWaiting(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  { id, displayName }: NamedGroup,
  reason: string,
): Promise<Role | null> {
  return change(manager, orgId, cause, BIND, [id, displayName], reason);
}

/** The mapping of a group that goes waits for another one of its last name. */
export async function releaseMapping(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  groupId: string,
): Promise<void> {
  await change(manager, orgId, cause, RELEASE, [groupId], 'The group was deleted.');
}

/** @returns the role of the mapping that was changed; null: there was none */
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
