import type { Limits } from '../config/limits';
import type { RetainedRows } from '../database/row-retention';
import { OPEN_DAYS, READABLE_DAYS } from './invitations/invitation-days';

/**
 * What organisations keep for a time only. The changes of a sync go before their run: one run may have 100,000, and the
 * trigger that removes them with it would do so at once.
 */
export function retainedRows({
  runRetentionDays,
  auditRetentionDays,
  provisioningLogRetentionDays,
}: Limits): RetainedRows[] {
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
        DELETE FROM scim_sync_changes WHERE (run_id, user_id) IN (
          SELECT run_id, user_id FROM scim_sync_changes WHERE run_id < $1 ORDER BY run_id, user_id LIMIT $2)
        RETURNING run_id`,
    },
    {
      name: 'the role syncs',
      days: runRetentionDays,
      remove: `
        DELETE FROM scim_sync_runs WHERE id IN (SELECT id FROM scim_sync_runs WHERE id < $1 ORDER BY id LIMIT $2)
        RETURNING id`,
    },
    {
      // Their ids are as old as they are, so no index on the time is needed.
      name: 'the invitations',
      days: OPEN_DAYS + READABLE_DAYS,
      remove: `
        DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE id < $1 ORDER BY id LIMIT $2)
        RETURNING id`,
    },
    {
      name: 'the audit log',
      days: auditRetentionDays,
      remove: `
        DELETE FROM audit_log WHERE (org_id, id) IN (
          SELECT org_id, id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2)
        RETURNING id`,
    },
  ];
}
