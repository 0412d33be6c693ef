import type { EntityManager } from 'typeorm';
import { record } from '../../../../events/outbox';
import { audit } from '../../../audit/audit-trail';
import type { Role } from '../../../role';
import { causeOf, type ScimClient } from '../scim-client';
import type { StoredGroup } from '../schema/group-document';

interface MappingRow {
  id: string;
  role: Role;
  group_id: string | null;
  group_name: string;
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

/**
 * What becomes of the role mapping of a group that arrives or is renamed (contract, section 7): its own follows it, by
 * its id; one that waits for a group of this name, in any case of letters, is bound to it for good.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @returns whether a mapping was bound: the roles of all members follow from it now
 */
export async function meetMapping(
  manager: EntityManager,
  client: ScimClient,
  { id, displayName }: Pick<StoredGroup, 'id' | 'displayName'>,
): Promise<boolean> {
  await change(manager, client, FOLLOW, [client.orgId, id, displayName], 'The group has another name.');
  return change(manager, client, BIND, [client.orgId, id, displayName], 'The group that it waited for has arrived.');
}

/** The mapping of a group that goes waits for another one of its last name. */
export async function releaseMapping(manager: EntityManager, client: ScimClient, groupId: string): Promise<void> {
  await change(manager, client, RELEASE, [client.orgId, groupId], 'The group was deleted.');
}

async function change(
  manager: EntityManager,
  client: ScimClient,
  sql: string,
  values: unknown[],
  reason: string,
): Promise<boolean> {
  const [[row]] = await manager.query<[MappingRow[], number]>(sql, values);
  if (!row) return false;
  const { id, role, group_id, group_name } = row;
  await audit(manager, {
    orgId: client.orgId,
    cause: causeOf(client),
    action: 'role_mapping.updated',
    subjectType: 'role_mapping',
    subjectId: id,
    before: { group_id: row.group_id_before, group_name: row.group_name_before, role },
    after: { group_id, group_name, role },
    reason,
  });
  await record(manager, {
    type: 'scim.role_mapping_changed',
    orgId: client.orgId,
    data: {
      org_id: client.orgId,
      mapping_id: id,
      change: 'updated',
      group_id,
      group_name,
      role,
      role_before: role,
    },
  });
  return true;
}
