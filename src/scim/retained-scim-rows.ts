import type { Limits } from '../config/limits';
import type { RetainedRows } from '../database/row-retention';

/**
 * What the directory keeps for a limited time. The changes of a sync are deleted before their run: one run may have
 * 100,000, and the trigger that deletes them with it would do so all at once. They never change, so their place (`ctid`) is
 * as good as their key, and unlike a pair of columns it can be an array, which no planner joins with the whole table.
 */
export function retainedScimRows({ runRetentionDays, provisioningLogRetentionDays }: Limits): RetainedRows[] {
  return [
    {
      name: 'the provisioning log',
      days: provisioningLogRetentionDays,
      remove: `DELETE FROM scim_log WHERE id IN (SELECT id FROM scim_log WHERE id < $1 ORDER BY id LIMIT $2) RETURNING id`,
    },
    {
      name: 'the changes of role syncs',
      days: runRetentionDays,
      remove: `
        DELETE FROM scim_sync_changes WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM scim_sync_changes WHERE run_id < $1 ORDER BY run_id, user_id LIMIT $2))
        RETURNING run_id`,
    },
    {
      name: 'the role syncs',
      days: runRetentionDays,
      remove: `
        DELETE FROM scim_sync_runs WHERE id IN (SELECT id FROM scim_sync_runs WHERE id < $1 ORDER BY id LIMIT $2)
        RETURNING id`,
    },
  ];
}
