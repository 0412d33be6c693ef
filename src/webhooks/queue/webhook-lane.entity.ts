import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';

/** The state of the queue of one endpoint (ADR 7). Separate from the endpoint, because it changes with every claim. */
@Entity('webhook_lanes', { comment: 'owner: webhooks' })
@Index('webhook_lanes_proven_idx', ['tenantId', 'wakeAt'], { where: 'is_proven AND failing_since IS NULL' })
@Index('webhook_lanes_doubtful_idx', ['tenantId', 'wakeAt'], { where: 'NOT is_proven OR failing_since IS NOT NULL' })
@Index('webhook_lanes_draining_idx', ['endpointId'], { where: 'is_draining' })
export class WebhookLane {
  @PrimaryColumn('uuid', { name: 'endpoint_id', primaryKeyConstraintName: 'webhook_lanes_pkey' })
  endpointId: string;

  @OneToOne(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id', foreignKeyConstraintName: 'webhook_lanes_endpoint_id_fkey' })
  endpoint: Relation<WebhookEndpoint>;

  /** The organisation or user that owns the endpoint. */
  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** Whether it has succeeded since its creation or a change of its target; else it shares slots with failing ones. */
  @Column('boolean', { name: 'is_proven', default: false })
  isProven: boolean;

  /** Queue rows with an older generation are void: they were queued before the endpoint was disabled. */
  @Column('integer', { default: 1 })
  generation: number;

  /** Earlier events are not sent: the endpoint did not exist or was disabled. */
  @Column('timestamp with time zone', { name: 'active_since', precision: 3 })
  activeSince: Date;

  /** Whether there are void rows to cancel. */
  @Column('boolean', { name: 'is_draining', default: false })
  isDraining: boolean;

  /** The first failure after the last success. */
  @Column('timestamp with time zone', { name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  /** When to check the queue again: no later than its first row is due, unless the rate limit requires it. */
  @Column('timestamp with time zone', { name: 'wake_at', precision: 3, nullable: true })
  wakeAt: Date | null;

  /** Tokens in the rate limit's bucket as of `tokensAt`. */
  @Column('double precision', { default: 0 })
  tokens: number;

  @Column('timestamp with time zone', { name: 'tokens_at', precision: 3, nullable: true })
  tokensAt: Date | null;
}
