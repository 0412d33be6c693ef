import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ImportSource } from './import-source.entity';
import type { Reason } from './incoming';

/** A document that could not be imported, with the reasons. Kept so that nothing is dropped silently. */
@Entity('import_quarantine', { comment: 'owner: catalog' })
@Index('import_quarantine_created_at_idx', ['createdAt', 'digest'])
export class QuarantinedDocument {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_quarantine_pkey' })
  source: string;

  @ManyToOne(() => ImportSource, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'source', foreignKeyConstraintName: 'import_quarantine_source_fkey' })
  from: Relation<ImportSource>;

  /** SHA-256 of the document. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'import_quarantine_pkey' })
  digest: Buffer;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { nullable: true })
  version: string | null;

  @Column('jsonb')
  reasons: Reason[];

  /** As received; null if it cannot be stored. */
  @Column('jsonb')
  document: unknown;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
