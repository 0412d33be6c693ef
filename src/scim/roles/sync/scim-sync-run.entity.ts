import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organisation } from '../../../organisations/organisation.entity';

/** The counts of one sync. */
@Entity('scim_sync_runs', { comment: 'owner: scim' })
@Index('scim_sync_runs_org_id_idx', ['orgId', 'id'])
export class ScimSyncRun {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_sync_runs_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'scim_sync_runs_org_id_fkey' })
  organisation: Relation<Organisation>;

  @Column('uuid', { name: 'started_by', nullable: true })
  startedBy: string | null;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3 })
  startedAt: Date;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3 })
  finishedAt: Date;

  @Column('integer')
  scanned: number;

  @Column('integer')
  joined: number;

  @Column('integer')
  promoted: number;

  @Column('integer')
  demoted: number;

  @Column('integer')
  removed: number;

  @Column('integer')
  retained: number;

  @Column('integer')
  unchanged: number;
}
