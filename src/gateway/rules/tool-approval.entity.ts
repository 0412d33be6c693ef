import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';
import { TOOL_KINDS, type ToolKind } from './tool-kinds';

const KEY = 'tool_approvals_pkey';

/**
 * A definition that an editor has approved for an entry, by its digest: whichever server of the entry lists it. Holds for the
 * versions of the bundle from `fromVersion` on, before `untilVersion`.
 */
@Entity('tool_approvals', { comment: 'owner: gateway' })
@Check('tool_approvals_kind_check', `kind IN ('${TOOL_KINDS.join(`', '`)}')`)
@Check('tool_approvals_versions_check', 'until_version > from_version')
@Index('tool_approvals_present_idx', ['bundleId'], { where: 'until_version IS NULL' })
export class ToolApproval {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: KEY })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'tool_approvals_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @PrimaryColumn('uuid', { name: 'entry_id', primaryKeyConstraintName: KEY })
  entryId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  kind: ToolKind;

  /** As its server has it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  name: string;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: KEY })
  digest: Buffer;

  /** What clients show besides (`shownText`); null until it is first seen: whatever it is then is approved, too. */
  @Column('bytea', { name: 'shown_digest', nullable: true })
  shownDigest: Buffer | null;

  @PrimaryColumn('integer', { name: 'from_version', primaryKeyConstraintName: KEY })
  fromVersion: number;

  /** Null: it holds now. */
  @Column('integer', { name: 'until_version', nullable: true })
  untilVersion: number | null;

  @Column('uuid', { name: 'approved_by', nullable: true })
  approvedBy: string | null;

  @Column('timestamp with time zone', { name: 'approved_at', precision: 3 })
  approvedAt: Date;
}
