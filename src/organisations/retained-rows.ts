import type { Limits } from '../config/limits';
import type { RetainedRows } from '../database/row-retention';

/**
 * Rows that organisations keep for a limited time. An array, not `IN`: a planner that joins the old ids with the table may
 * read all of it to delete a few hundred rows.
 */
export function retainedRows({ auditRetentionDays }: Limits): RetainedRows[] {
  return [
    {
      name: 'the audit log',
      days: auditRetentionDays,
      remove: `
        DELETE FROM audit_log WHERE id = ANY (ARRAY(
          SELECT id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2))`,
    },
  ];
}
