import type { Limits } from '../config/limits';
import type { RetainedRows } from '../database/row-retention';

/** Rows that organisations keep for a limited time. */
export function retainedRows({ auditRetentionDays }: Limits): RetainedRows[] {
  return [
    {
      name: 'the audit log',
      days: auditRetentionDays,
      remove: `
        DELETE FROM audit_log WHERE (org_id, id) IN (
          SELECT org_id, id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2)`,
    },
  ];
}
