import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A delivery that is still to be sent, or is being sent. */
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

  /** Of the lane when the row was queued. */
  @Column('integer')
  generation: number;

  /** The place in the retry schedule of the attempt that comes next, or is under way; from 0. */
  @Column('smallint', { default: 0 })
  step: number;

  /** How often it was claimed: the number of the latest attempt. */
  @Column('integer', { default: 0 })
  attempt: number;

  /** When it is to be sent; while it is claimed, when the claim ends unless a result comes. */
  @Column('timestamp with time zone', { name: 'due_at', precision: 3 })
  dueAt: Date;

  /** Whose result counts; null: nobody is sending it. */
  @Column('uuid', { name: 'claim_id', nullable: true })
  claimId: string | null;
}
