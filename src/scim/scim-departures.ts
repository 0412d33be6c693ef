import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';
import type { Departure } from '../deletion/departures';

/** In an order in which nothing refers to deleted rows. The directory entries follow these, with their accounts. */
const DIRECTORY_BATCHES: readonly string[] = [
  `DELETE FROM scim_group_members WHERE ctid = ANY (ARRAY(
     SELECT scim_group_members.ctid FROM scim_groups
     JOIN scim_group_members ON scim_group_members.group_id = scim_groups.id
     WHERE scim_groups.org_id = $1 LIMIT $2)) RETURNING 1`,
  `DELETE FROM scim_role_mappings WHERE id IN (SELECT id FROM scim_role_mappings WHERE org_id = $1 LIMIT $2) RETURNING 1`,
  `DELETE FROM scim_groups WHERE id IN (SELECT id FROM scim_groups WHERE org_id = $1 LIMIT $2) RETURNING 1`,
  `DELETE FROM scim_sync_changes WHERE ctid = ANY (ARRAY(
     SELECT scim_sync_changes.ctid FROM scim_sync_runs JOIN scim_sync_changes ON run_id = scim_sync_runs.id
     WHERE org_id = $1 LIMIT $2)) RETURNING 1`,
  `DELETE FROM scim_sync_runs WHERE id IN (SELECT id FROM scim_sync_runs WHERE org_id = $1 LIMIT $2) RETURNING 1`,
  `DELETE FROM scim_log WHERE id IN (SELECT id FROM scim_log WHERE org_id = $1 LIMIT $2) RETURNING 1`,
];

/**
 * The tokens are deleted with the organisation, so that its provider is rejected at once; the directory follows in
 * batches.
 */
export const SCIM_DEPARTURES: readonly Departure[] = [
  { what: 'SCIM tokens', ofOrganisation: removeTokens },
  { what: 'directory', batches: DIRECTORY_BATCHES },
];

async function removeTokens(manager: EntityManager, orgId: string): Promise<void> {
  await execute(manager, `DELETE FROM scim_tokens WHERE org_id = $1`, [orgId]);
}
