import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A registry, or `file`, from which listings were imported. */
@Entity('import_sources', { comment: 'owner: catalog' })
export class ImportSource {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_sources_pkey' })
  address: string;

  /** Changes up to this time have been imported; by the source's clock. */
  @Column('timestamp with time zone', { name: 'changed_until', precision: 3, nullable: true })
  changedUntil: Date | null;

  /** When a scheduled run is due; null for a source that is imported manually. */
  @Column('timestamp with time zone', { name: 'next_run_at', precision: 3, nullable: true })
  nextRunAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
