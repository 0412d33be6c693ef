import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from './event-types';

/** A row of the outbox. Written by `record()` and by set-based statements; read by the delivery worker. */
@Entity('events', { comment: 'owner: events' })
@Index('events_org_id_idx', ['orgId', 'id'], { where: 'org_id IS NOT NULL' })
@Index('events_owner_id_idx', ['ownerId', 'id'], { where: 'owner_id IS NOT NULL' })
export class EventRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'events_pkey' })
  id: string;

  @Column('text')
  type: EventType;

  @Column('uuid', { name: 'org_id', nullable: true })
  orgId: string | null;

  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: string | null;

  /**
   * The `traceparent` of the change, which the deliveries link to; null: it belonged to no trace. Not part of the event:
   * it is in no answer, and is not sent.
   */
  @Column('text', { nullable: true })
  traceparent: string | null;

  @Column('jsonb')
  data: Record<string, unknown>;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
