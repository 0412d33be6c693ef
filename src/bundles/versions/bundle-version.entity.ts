import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Bundle } from '../bundle.entity';
import type { SnapshotEntry } from '../entries/entry-list';
import type { ChangeCounts } from '../entries/entry-changes';
import type { VersionAction } from './version-action';

/**
 * The entries of a bundle as they were after a change, each with the version of its listing. Numbered from 1,
 * immutable.
 */
@Entity('bundle_versions', { comment: 'owner: bundles' })
@Index('bundle_versions_created_at_idx', ['bundleId', 'createdAt', 'number'])
export class BundleVersion {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'bundle_versions_pkey' })
  bundleId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'bundle_versions_pkey' })
  number: number;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_versions_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  /** In their order. */
  @Column('jsonb')
  entries: SnapshotEntry[];

  @Column('integer', { name: 'entry_count' })
  entryCount: number;

  @Column('text')
  action: VersionAction;

  /** How it differs from the version before. */
  @Column('jsonb')
  changes: ChangeCounts;

  @Column('integer', { name: 'restored_from', nullable: true })
  restoredFrom: number | null;

  /** Why, in the words of who made it. */
  @Column('text', { nullable: true })
  note: string | null;

  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
