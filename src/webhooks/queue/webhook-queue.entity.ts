import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A delivery that is waiting or in flight. */
@Entity('webhook_queue', { comment: 'owner: webhooks' })
@Index('webhook_queue_due_idx', ['endpointId', 'generation', 'dueAt', 'deliveryId'])
@Index('webhook_queue_claimed_idx', ['endpointId', 'dueAt'], { where: 'claim_id IS NOT NULL' })
export class WebhookQueueRow {
  @PrimaryColumn('uuid', { name: 'delivery_id', primaryKeyConstraintName: 'webhook_queue_pkey' })
  deliveryId: string;

  @Column('uuid', { name: 'endpoint_id' })
  endpointId: string;

  @Column('uuid', { name: 'event_id' })
  eventId: string;

  /** The generation of the lane when the row was queued. */
  @Column('integer')
  generation: number;

  /** The position in the retry schedule of the next or current attempt; from 0. */
  @Column('smallint', { default: 0 })
  step: number;

  /** The number of claims, which is the number of the latest attempt. */
  @Column('integer', { default: 0 })
  attempt: number;

  /** When it is due; while it is claimed, when the claim ends unless a result arrives. */
  @Column('timestamp with time zone', { name: 'due_at', precision: 3 })
  dueAt: Date;

  /** The claim whose result counts; null if nobody is sending it. */
  @Column('uuid', { name: 'claim_id', nullable: true })
  claimId: string | null;
}
