import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SendErrorCode } from '../sending/send-error';

/** One request to an endpoint and its result. A missing number is an attempt whose process was interrupted. */
@Entity('webhook_attempts', { comment: 'owner: webhooks' })
export class WebhookAttempt {
  @PrimaryColumn('uuid', { name: 'delivery_id', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  deliveryId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  number: number;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3 })
  startedAt: Date;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  @Column('smallint', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;

  /** Null if it succeeded. */
  @Column('text', { nullable: true })
  error: SendErrorCode | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage: string | null;
}
