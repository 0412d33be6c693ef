import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';

export const RECOVERY_STATUSES = ['RUNNING', 'COMPLETED', 'CANCELLED'] as const;

/** A request to redeliver what an endpoint missed in a period. The worker processes the events in order. */
@Entity('webhook_recoveries', { comment: 'owner: webhooks' })
@Index('webhook_recoveries_endpoint_idx', ['endpointId', 'id'])
@Index('webhook_recoveries_running_key', ['endpointId'], { unique: true, where: `status = 'RUNNING'` })
@Check('webhook_recoveries_status_check', `status IN ('RUNNING', 'COMPLETED', 'CANCELLED')`)
export class WebhookRecovery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_recoveries_pkey' })
  id: string;

  @Column('uuid', { name: 'endpoint_id' })
  endpointId: string;

  @ManyToOne(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id', foreignKeyConstraintName: 'webhook_recoveries_endpoint_id_fkey' })
  endpoint: Relation<WebhookEndpoint>;

  /** Generation of the lane when it was requested; if the lane's is another one, the endpoint was disabled since. */
  @Column('integer')
  generation: number;

  @Column('uuid', { name: 'requested_by' })
  requestedBy: string;

  /** Inclusive. */
  @Column('timestamp with time zone', { precision: 3 })
  since: Date;

  /** Exclusive. */
  @Column('timestamp with time zone', { precision: 3 })
  until: Date;

  @Column('boolean', { name: 'include_missing' })
  includeMissing: boolean;

  @Column('text', { default: 'RUNNING' })
  status: (typeof RECOVERY_STATUSES)[number];

  /** The last event that was processed. */
  @Column('uuid', { nullable: true })
  position: string | null;

  @Column('integer', { default: 0 })
  scanned: number;

  @Column('integer', { default: 0 })
  queued: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;
}
