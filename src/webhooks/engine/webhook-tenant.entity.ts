import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An organisation or user with endpoints, once for their proven lanes and once for their doubtful ones (ADR 14).
 * Maintained by triggers: created with the first lane, woken with any of them, removed with the last.
 */
@Entity('webhook_tenants', { comment: 'owner: webhooks' })
@Index('webhook_tenants_wake_idx', ['isDoubtful', 'wakeAt'])
export class WebhookTenant {
  @PrimaryColumn('uuid', { name: 'tenant_id', primaryKeyConstraintName: 'webhook_tenants_pkey' })
  tenantId: string;

  /** Whether the row is for lanes that are failing or have never succeeded. */
  @PrimaryColumn('boolean', { name: 'is_doubtful', primaryKeyConstraintName: 'webhook_tenants_pkey' })
  isDoubtful: boolean;

  /** When to check the lanes again: no later than the first of them wakes; null if all of them are empty. */
  @Column('timestamp with time zone', { name: 'wake_at', precision: 3, nullable: true })
  wakeAt: Date | null;
}
