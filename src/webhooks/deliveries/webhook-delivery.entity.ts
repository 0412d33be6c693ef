import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DeliveryError, DeliveryStatus } from './delivery-status';

/** One event for one endpoint. Its id (UUID version 7) contains the creation time. */
@Entity('webhook_deliveries', { comment: 'owner: webhooks' })
@Unique('webhook_deliveries_event_key', ['eventId', 'endpointId'])
@Index('webhook_deliveries_filter_idx', ['endpointId', 'status', 'responseClass', 'eventType', 'id'])
@Check('webhook_deliveries_status_check', `status IN ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED')`)
export class WebhookDelivery {
  @PrimaryColumn('uuid', { name: 'endpoint_id', primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  endpointId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  id: string;

  @Column('uuid', { name: 'event_id' })
  eventId: string;

  @Column('text', { name: 'event_type' })
  eventType: string;

  @Column('text', { default: 'PENDING' })
  status: DeliveryStatus;

  /** The number of the latest attempt whose result is known. */
  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount: number;

  /** The response status of the latest attempt; null if there was no response. */
  @Column('smallint', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  /** The first digit of the status; 0 if there was no response or no attempt. */
  @Column('smallint', { name: 'response_class', default: 0 })
  responseClass: number;

  /** The error code of the latest attempt, or why it is not sent. */
  @Column('text', { nullable: true })
  error: DeliveryError | null;

  @Column('timestamp with time zone', { name: 'last_attempt_at', precision: 3, nullable: true })
  lastAttemptAt: Date | null;
}
