import type { EntityManager } from 'typeorm';
import { newId } from '../../database/id';
import { execute } from '../../database/statements';

/** Who or what makes a change, and in which request. */
export interface Cause {
  actorType: 'user' | 'scim_token' | 'system';
  /** The account, or the SCIM token; null for the system itself. */
  actorId: string | null;
  requestId: string | null;
}

export const AUDIT_ACTIONS = [
  'member.added',
  'member.role_changed',
  'member.removed',
  'member.pending',
  'member.opted_out',
  'member.accepted',
  'invitation.created',
  'invitation.declined',
  'invitation.revoked',
  'domain.added',
  'domain.proved',
  'domain.proof_lost',
  'domain.removed',
  'domain.vouched',
  'domain.vouch_withdrawn',
  'scim_token.created',
  'scim_token.revoked',
  'scim_settings.changed',
  'role_mapping.created',
  'role_mapping.updated',
  'role_mapping.deleted',
  'namespace.claimed',
  'namespace.verified',
  'namespace.granted',
  'namespace.removed',
  'credential.connected',
  'credential.reconnect_needed',
  'credential.origin_changed',
  'credential.revoked',
  'policy.changed',
  'tool.changed',
  'tool.approved',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_SUBJECTS = [
  'member',
  'scim_user',
  'invitation',
  'domain',
  'scim_token',
  'scim_settings',
  'role_mapping',
  'namespace',
  'credential',
  'bundle',
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** A change as recorded in the audit log. */
export interface AuditRecord {
  orgId: string;
  cause: Cause;
  action: AuditAction;
  subjectType: AuditSubject;
  subjectId: string | null;
  /** Null if the subject did not exist before. */
  before: object | null;
  /** Null if the subject no longer exists. */
  after: object | null;
  reason: string | null;
  details?: object;
}

/**
 * Writes an audit entry in the transaction of the change, so that neither exists without the other.
 *
 * @param manager of that transaction
 */
export async function audit(manager: EntityManager, entry: AuditRecord): Promise<void> {
  if (!manager.queryRunner?.isTransactionActive) throw new Error(`${entry.action} was audited outside a transaction.`);
  const { actorType, actorId, requestId } = entry.cause;
  await execute(
    manager,
    `INSERT INTO audit_log (id, org_id, action, actor_type, actor_id, subject_type, subject_id, before, after, reason,
                            details, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      newId(),
      entry.orgId,
      entry.action,
      actorType,
      actorId,
      entry.subjectType,
      entry.subjectId,
      entry.before && JSON.stringify(entry.before),
      entry.after && JSON.stringify(entry.after),
      entry.reason,
      entry.details ? JSON.stringify(entry.details) : null,
      requestId,
    ],
  );
}
