/** Each removes some ($2) of what an organisation ($1) has, in the order in which nothing refers to it any more. */
export const BATCHES: readonly string[] = [
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
  `DELETE FROM audit_log WHERE org_id = $1
     AND id IN (SELECT id FROM audit_log WHERE org_id = $1 ORDER BY id LIMIT $2) RETURNING 1`,
];

/**
 * $1 accounts whose entries went. Only those that wait for an address, or never had one, and that nobody else knows.
 * Their addresses are held, so that nobody is linked to one of them at this moment; one that somebody else holds stays.
 */
export const REMOVE_WAITING_ACCOUNTS = `
  DELETE FROM users
  WHERE id = ANY ($1::uuid[]) AND claimed_at IS NULL AND closed_at IS NULL
    AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM scim_users WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM bundle_editors WHERE user_id = users.id)
    AND (email IS NULL OR pg_try_advisory_xact_lock(hashtextextended('address ' || address_key(email), 0)))`;
