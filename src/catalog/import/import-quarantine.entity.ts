import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { ImportSource } from './import-source.entity';
import type { QuarantineKind, Reason } from './incoming';

/**
 * `OPEN`: to be looked at. `EDITED`: an administrator imported another document instead, which stands for it as long as the
 * source sends it. `DISMISSED`: imports leave it out, as long as the source sends it.
 */
export const QUARANTINE_STATES = ['OPEN', 'EDITED', 'DISMISSED'] as const;

export type QuarantineState = (typeof QUARANTINE_STATES)[number];

/** A document that could not be imported, with the reasons. Kept so that nothing is dropped silently. */
@Entity('import_quarantine', { comment: 'owner: catalog' })
@Index('import_quarantine_id_key', ['id'], { unique: true })
@Index('import_quarantine_state_idx', ['state', 'createdAt', 'digest'])
@Index('import_quarantine_kind_idx', ['state', 'kind', 'createdAt', 'digest'])
@Index('import_quarantine_source_idx', ['state', 'source', 'createdAt', 'digest'])
@Index('import_quarantine_edited_idx', { synchronize: false })
@Check('import_quarantine_state_check', `state IN ('OPEN', 'EDITED', 'DISMISSED')`)
@Check('import_quarantine_kind_check', `kind IN ('INVALID', 'NAME_TAKEN', 'VERSION_TAKEN', 'TOO_LARGE', 'UNREADABLE')`)
@Check(
  'import_quarantine_decision_check',
  `(state = 'OPEN') = (decided_at IS NULL) AND (state = 'EDITED') = (server IS NOT NULL)`,
)
export class QuarantinedDocument {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_quarantine_pkey' })
  source: string;

  @ManyToOne(() => ImportSource, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'source', foreignKeyConstraintName: 'import_quarantine_source_fkey' })
  from: Relation<ImportSource>;

  /** SHA-256 of the document. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'import_quarantine_pkey' })
  digest: Buffer;

  @Column('uuid', { default: () => 'uuid_v7()' })
  id: string;

  @Column('text', { default: 'INVALID' })
  kind: QuarantineKind;

  @Column('text', { default: 'OPEN' })
  state: QuarantineState;

  /** What was imported instead; null unless it is `EDITED`. */
  @Column('json', { nullable: true })
  server: Record<string, unknown> | null;

  /** The administrator; no foreign key, since the decision outlives the account. */
  @Column('uuid', { name: 'decided_by', nullable: true })
  decidedBy: string | null;

  @Column('timestamp with time zone', { name: 'decided_at', precision: 3, nullable: true })
  decidedAt: Date | null;

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
