import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ImportSource } from './import-source.entity';

const COUNT = { type: 'integer', default: 0 } as const;
const INSTANT = { type: 'timestamp with time zone', precision: 3 } as const;

/** What one import did, and how far it came. */
@Entity('import_runs', { comment: 'owner: catalog' })
@Index('import_runs_source_idx', ['source', 'id'])
@Check('import_runs_mode_check', `mode IN ('whole', 'incremental')`)
@Check('import_runs_status_check', `status IN ('running', 'finished', 'failed')`)
export class ImportRunRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'import_runs_pkey' })
  id: string;

  @Column('text')
  source: string;

  @ManyToOne(() => ImportSource, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'source', foreignKeyConstraintName: 'import_runs_source_fkey' })
  from: Relation<ImportSource>;

  @Column('text')
  mode: 'whole' | 'incremental';

  @Column('text')
  status: 'running' | 'finished' | 'failed';

  /** Of the file: a place in one means nothing in another. */
  @Column('bytea', { nullable: true })
  digest: Buffer | null;

  @Column({ ...INSTANT, name: 'changed_since', nullable: true })
  changedSince: Date | null;

  @Column({ ...INSTANT, name: 'changed_until', nullable: true })
  changedUntil: Date | null;

  /** Where the next page begins; null once all of them are there. */
  @Column('text', { name: 'next_cursor', nullable: true })
  nextCursor: string | null;

  @Column(COUNT)
  seen: number;

  @Column(COUNT)
  created: number;

  @Column(COUNT)
  updated: number;

  @Column(COUNT)
  unchanged: number;

  @Column(COUNT)
  quarantined: number;

  @Column('text', { nullable: true })
  error: string | null;

  @Column({ ...INSTANT, name: 'started_at' })
  startedAt: Date;

  @Column({ ...INSTANT, name: 'updated_at' })
  updatedAt: Date;

  @Column({ ...INSTANT, name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
