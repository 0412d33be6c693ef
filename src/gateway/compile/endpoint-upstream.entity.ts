import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';
import { UpstreamRow } from '../upstreams/upstream.entity';

/** Which upstream an entry of an endpoint has led to last, and what the owner of the bundle was told of it. */
@Entity('endpoint_upstreams', { comment: 'owner: gateway' })
@Index('endpoint_upstreams_down_idx', ['upstreamId'], { where: 'is_down' })
@Index('endpoint_upstreams_due_idx', ['bundleId'], { where: 'is_tools_due' })
export class EndpointUpstream {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'endpoint_upstreams_pkey' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'endpoint_upstreams_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @PrimaryColumn('uuid', { name: 'entry_id', primaryKeyConstraintName: 'endpoint_upstreams_pkey' })
  entryId: string;

  @Index('endpoint_upstreams_upstream_id_idx')
  @Column('uuid', { name: 'upstream_id' })
  upstreamId: string;

  @ManyToOne(() => UpstreamRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'upstream_id', foreignKeyConstraintName: 'endpoint_upstreams_upstream_id_fkey' })
  upstream: Relation<UpstreamRow>;

  /** Whether `endpoint.upstream_down` was the last that was told. */
  @Column('boolean', { name: 'is_down', default: false })
  isDown: boolean;

  /** Whether what it lists may differ from what was noticed of it (`bundle_tools`). */
  @Column('boolean', { name: 'is_tools_due', default: true })
  isToolsDue: boolean;

  /** Whether its tools were noticed before: those of the first time are no news. */
  @Column('boolean', { name: 'has_tools', default: false })
  hasTools: boolean;

  @Column('timestamp with time zone', { name: 'told_down_at', precision: 3, nullable: true })
  toldDownAt: Date | null;

  @Column('timestamp with time zone', { name: 'told_recovered_at', precision: 3, nullable: true })
  toldRecoveredAt: Date | null;
}
