import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event for which the deliveries are still to be made. Written by a trigger in the transaction of the event. */
@Entity('webhook_new_events', { comment: 'owner: webhooks' })
@Index('webhook_new_events_tenant_idx', ['tenantId', 'eventId'])
export class WebhookNewEvent {
  @PrimaryColumn('uuid', { name: 'event_id', primaryKeyConstraintName: 'webhook_new_events_pkey' })
  eventId: string;

  /** The organisation, or the person, to whom the event belongs. */
  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** What is active by then gets it. Not the event's own time, which is that of the beginning of its transaction. */
  @Column('timestamp with time zone', { name: 'noticed_at', precision: 3, default: () => 'clock_timestamp()' })
  noticedAt: Date;
}
