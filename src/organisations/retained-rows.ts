import type { Limits } from '../config/limits';
import type { RetainedRows } from '../database/row-retention';
import { OPEN_DAYS, READABLE_DAYS } from './invitations/invitation-days';

/** Rows that organisations keep for a limited time. */
export function retainedRows({ auditRetentionDays }: Limits): RetainedRows[] {
  return [
    {
      // Ids are ordered by creation time, so no index on a time column is needed.
      name: 'the invitations',
      days: OPEN_DAYS + READABLE_DAYS,
      remove: `
        DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE id < $1 ORDER BY id LIMIT $2)`,
    },
    {
      name: 'the audit log',
      days: auditRetentionDays,
      remove: `
        DELETE FROM audit_log WHERE (org_id, id) IN (
          SELECT org_id, id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2)`,
    },
  ];
}
