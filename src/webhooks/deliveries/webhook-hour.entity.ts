import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Counts of an endpoint's attempts that started in one hour; see latency-histogram.ts. */
@Entity('webhook_hours', { comment: 'owner: webhooks' })
@Index('webhook_hours_hour_idx', ['hour'])
export class WebhookHour {
  @PrimaryColumn('uuid', { name: 'endpoint_id', primaryKeyConstraintName: 'webhook_hours_pkey' })
  endpointId: string;

  @PrimaryColumn('timestamp with time zone', { precision: 3, primaryKeyConstraintName: 'webhook_hours_pkey' })
  hour: Date;

  @Column('integer')
  succeeded: number;

  @Column('integer')
  failed: number;

  @Column('integer', { array: true })
  latencies: number[];
}
