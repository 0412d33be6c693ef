import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { CapabilitySet } from '../protocol/capability-set';
import { UpstreamRow } from './upstream.entity';

const KEY = 'upstream_capability_sets_pkey';

/** Clients with these capabilities use an upstream, which may list other things for them. None has a row for no capabilities. */
@Entity('upstream_capability_sets', { comment: 'owner: gateway' })
@Check('upstream_capability_sets_capabilities_check', 'capabilities BETWEEN 1 AND 15')
export class UpstreamCapabilitySet {
  @PrimaryColumn('uuid', { name: 'upstream_id', primaryKeyConstraintName: KEY })
  upstreamId: string;

  @ManyToOne(() => UpstreamRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'upstream_id', foreignKeyConstraintName: 'upstream_capability_sets_upstream_id_fkey' })
  upstream: Relation<UpstreamRow>;

  /** As bits (`capability-set.ts`). */
  @PrimaryColumn('smallint', { primaryKeyConstraintName: KEY })
  capabilities: CapabilitySet;

  /** When such a client last used it; noted at most once a minute. */
  @Column('timestamp with time zone', { name: 'wanted_at', precision: 3, default: () => 'now()' })
  wantedAt: Date;

  /** When it was last tried to read its lists with these capabilities; null: never. */
  @Column('timestamp with time zone', { name: 'tried_at', precision: 3, nullable: true })
  triedAt: Date | null;

  /** When its lists were last read with these capabilities; null: never. */
  @Column('timestamp with time zone', { name: 'listed_at', precision: 3, nullable: true })
  listedAt: Date | null;
}
