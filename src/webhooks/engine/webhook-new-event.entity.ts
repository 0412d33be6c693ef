import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event whose deliveries have not been created yet. Inserted by a trigger in the transaction of the event. */
@Entity('webhook_new_events', { comment: 'owner: webhooks' })
@Index('webhook_new_events_tenant_idx', ['tenantId', 'eventId'])
export class WebhookNewEvent {
  @PrimaryColumn('uuid', { name: 'event_id', primaryKeyConstraintName: 'webhook_new_events_pkey' })
  eventId: string;

  /** The organisation or user that owns the event. */
  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** Endpoints active at this time receive it. Not the event's own time, which is the start of its transaction. */
  @Column('timestamp with time zone', { name: 'noticed_at', precision: 3, default: () => 'clock_timestamp()' })
  noticedAt: Date;
}
