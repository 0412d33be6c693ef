import type { Limits } from '../../config/limits';
import type { RetainedRows } from '../../database/row-retention';

/** Anybody can cause these, so they are kept for a shorter time. */
const ANONYMOUS_DAYS = 30;

/** How long entries of the audit log of accounts are kept. */
export function retainedEntries({ auditRetentionDays }: Limits): RetainedRows[] {
  return [
    {
      name: 'the audit log of accounts',
      days: auditRetentionDays,
      remove: `
        DELETE FROM account_audit_log WHERE id IN (
          SELECT id FROM account_audit_log WHERE id < $1 ORDER BY id LIMIT $2)`,
    },
    {
      name: 'failed sign-ins',
      days: Math.min(ANONYMOUS_DAYS, auditRetentionDays),
      remove: `
        DELETE FROM account_audit_log WHERE id IN (
          SELECT id FROM account_audit_log WHERE actor_type = 'anonymous' AND id < $1 ORDER BY id LIMIT $2)`,
    },
  ];
}
