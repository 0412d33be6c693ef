import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A deleted endpoint whose deliveries have not been removed yet. Inserted by a trigger. */
@Entity('webhook_removed_endpoints', { comment: 'owner: webhooks' })
@Index('webhook_removed_endpoints_removed_at_idx', ['removedAt', 'endpointId'])
export class WebhookRemovedEndpoint {
  @PrimaryColumn('uuid', { name: 'endpoint_id', primaryKeyConstraintName: 'webhook_removed_endpoints_pkey' })
  endpointId: string;

  @Column('timestamp with time zone', { name: 'removed_at', precision: 3, default: () => 'now()' })
  removedAt: Date;
}
