import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ImportSource } from './import-source.entity';

const COUNT = { type: 'integer', default: 0 } as const;
const INSTANT = { type: 'timestamp with time zone', precision: 3 } as const;

/** One import: its counts and how far it got. */
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

  /** SHA-256 of the imported file, since a cursor is valid only for the file that it came from; null for a registry. */
  @Column('bytea', { nullable: true })
  digest: Buffer | null;

  @Column({ ...INSTANT, name: 'changed_since', nullable: true })
  changedSince: Date | null;

  @Column({ ...INSTANT, name: 'changed_until', nullable: true })
  changedUntil: Date | null;

  /** Cursor of the next page; null once all pages are imported. */
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
