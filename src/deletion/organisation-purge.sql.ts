/** Each removes some ($2) of what an organisation ($1) has, in the order in which nothing refers to it any more. */
export const BATCHES: readonly string[] = [
  `DELETE FROM scim_group_members WHERE ctid = ANY (ARRAY(
     SELECT scim_group_members.ctid FROM scim_groups
     JOIN scim_group_members ON scim_group_members.group_id = scim_groups.id
     WHERE scim_groups.org_id = $1 LIMIT $2))`,
  `DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE org_id = $1 LIMIT $2)`,
  `DELETE FROM scim_role_mappings WHERE id IN (SELECT id FROM scim_role_mappings WHERE org_id = $1 LIMIT $2)`,
  `DELETE FROM scim_groups WHERE id IN (SELECT id FROM scim_groups WHERE org_id = $1 LIMIT $2)`,
  `DELETE FROM scim_sync_changes WHERE ctid = ANY (ARRAY(
     SELECT scim_sync_changes.ctid FROM scim_sync_runs JOIN scim_sync_changes ON run_id = scim_sync_runs.id
     WHERE org_id = $1 LIMIT $2))`,
  `DELETE FROM scim_sync_runs WHERE id IN (SELECT id FROM scim_sync_runs WHERE org_id = $1 LIMIT $2)`,
  `DELETE FROM scim_log WHERE id IN (SELECT id FROM scim_log WHERE org_id = $1 LIMIT $2)`,
  `DELETE FROM audit_log WHERE org_id = $1
     AND id IN (SELECT id FROM audit_log WHERE org_id = $1 ORDER BY id LIMIT $2)`,
];

/**
 * $1 accounts whose entries went: those that wait for an address, or never had one. Their addresses are held, so that
 * nobody is linked to one of them until the end of the transaction, and their rows, so that nothing refers to one. An
 * account whose address or row somebody else holds at this moment is left out, and stays.
 */
export const HOLD_WAITING_ACCOUNTS = `
  SELECT id FROM users
  WHERE id = ANY ($1::uuid[]) AND claimed_at IS NULL AND closed_at IS NULL
    AND (email IS NULL OR pg_try_advisory_xact_lock(hashtextextended('address ' || address_key(email), 0)))
  FOR UPDATE SKIP LOCKED`;

/**
 * $1 accounts that are held. Only those that nobody else knows, by every column whose row would go with the account. In a
 * statement of its own: the one that waits for a lock, or gets it late, sees the tables as they were before.
 */
export const REMOVE_UNKNOWN_ACCOUNTS = `
  DELETE FROM users
  WHERE id = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM scim_users WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM invitations WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM namespaces WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM bundle_editors WHERE user_id = users.id)`;
