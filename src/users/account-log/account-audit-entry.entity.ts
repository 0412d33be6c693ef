import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AccountAction, AccountActorType, AccountSubject } from './account-actions';

/**
 * Something that happened to an account or to an OAuth client, and who did it. The id contains the time. Rows are
 * immutable, except that `address` goes with the account.
 */
@Entity('account_audit_log', { comment: 'owner: users' })
@Index('account_audit_log_user_id_idx', ['userId', 'id'], { where: 'user_id IS NOT NULL' })
@Index('account_audit_log_subject_id_idx', ['subjectId', 'id'], { where: 'subject_id IS NOT NULL' })
@Index('account_audit_log_anonymous_idx', ['id'], { where: "actor_type = 'anonymous'" })
@Check('account_audit_log_actor_type_check', `actor_type IN ('user', 'anonymous', 'system')`)
@Check('account_audit_log_address_check', 'address IS NULL OR user_id IS NOT NULL')
export class AccountAuditEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'account_audit_log_pkey' })
  id: string;

  @Column('text')
  action: AccountAction;

  /** The entry is about this account and outlives it, so has no foreign key. Null for OAuth clients, or if unknown. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { name: 'actor_type' })
  actorType: AccountActorType;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { name: 'subject_type' })
  subjectType: AccountSubject;

  /** Null for sessions: nothing but the session itself has its id. */
  @Column('uuid', { name: 'subject_id', nullable: true })
  subjectId: string | null;

  /** The data of the event, or why a sign-in failed. No secret, code, token or session id. */
  @Column('jsonb')
  details: Record<string, unknown>;

  /** The network address of a sign-in to a known account; never of anybody else's try. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;
}
