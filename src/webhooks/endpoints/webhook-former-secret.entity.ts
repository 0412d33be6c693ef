import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** A replaced secret that still signs along with the new one until its grace period ends. */
@Entity('webhook_former_secrets', { comment: 'owner: webhooks' })
@Index('webhook_former_secrets_endpoint_idx', ['endpointId', 'expiresAt'])
export class WebhookFormerSecret {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_former_secrets_pkey' })
  id: string;

  @Column('uuid', { name: 'endpoint_id' })
  endpointId: string;

  @ManyToOne(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id', foreignKeyConstraintName: 'webhook_former_secrets_endpoint_id_fkey' })
  endpoint: Relation<WebhookEndpoint>;

  @Column('bytea', { name: 'encrypted_secret' })
  encryptedSecret: Buffer;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
