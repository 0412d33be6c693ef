import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An organisation or a person with endpoints, once for the lanes that are proven and once for those that are doubtful
 * (ADR 14). Written by triggers: made with the first lane, woken with any of them, removed with the last.
 */
@Entity('webhook_tenants', { comment: 'owner: webhooks' })
@Index('webhook_tenants_wake_idx', ['isDoubtful', 'wakeAt'])
export class WebhookTenant {
  @PrimaryColumn('uuid', { name: 'tenant_id', primaryKeyConstraintName: 'webhook_tenants_pkey' })
  tenantId: string;

  /** For lanes that fail or have never succeeded. */
  @PrimaryColumn('boolean', { name: 'is_doubtful', primaryKeyConstraintName: 'webhook_tenants_pkey' })
  isDoubtful: boolean;

  /** When to look at the lanes again: never later than the first of them wakes; null: none of them has anything. */
  @Column('timestamp with time zone', { name: 'wake_at', precision: 3, nullable: true })
  wakeAt: Date | null;
}
