import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditAction, AuditSubject, Cause } from './audit-trail';

/** A change in an organisation, and who or what made it. The id contains the time. Rows are immutable. */
@Entity('audit_log', { comment: 'owner: organisations' })
@Index('audit_log_id_idx', ['id'])
@Index('audit_log_subject_id_idx', ['orgId', 'subjectId', 'id'])
@Index('audit_log_action_idx', ['orgId', 'action', 'id'])
@Index('audit_log_actor_id_idx', ['orgId', 'actorId', 'id'])
@Check('audit_log_actor_type_check', `actor_type IN ('user', 'scim_token', 'system')`)
export class AuditEntry {
  @PrimaryColumn('uuid', { name: 'org_id', primaryKeyConstraintName: 'audit_log_pkey' })
  orgId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_log_pkey' })
  id: string;

  @Column('text')
  action: AuditAction;

  @Column('text', { name: 'actor_type' })
  actorType: Cause['actorType'];

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { name: 'subject_type' })
  subjectType: AuditSubject;

  @Column('uuid', { name: 'subject_id', nullable: true })
  subjectId: string | null;

  @Column('jsonb', { nullable: true })
  before: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, unknown> | null;

  @Column('text', { nullable: true })
  reason: string | null;

  /** What caused it: a mapping, a group, a sync run. */
  @Column('jsonb', { nullable: true })
  details: Record<string, unknown> | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;
}
