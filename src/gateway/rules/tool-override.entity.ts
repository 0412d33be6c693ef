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
import { Bundle } from '../../bundles/bundle.entity';
import type { JsonObject } from '../protocol/json-rpc';
import { TOOL_KINDS, type ToolKind } from './tool-kinds';
import type { StricterHints } from './tool-override';

const KEY = 'tool_overrides_pkey';

/**
 * What a bundle shows of a tool otherwise than its server has it. Holds for the versions of the bundle from `fromVersion` on,
 * before `untilVersion`.
 */
@Entity('tool_overrides', { comment: 'owner: gateway' })
@Check('tool_overrides_kind_check', `kind IN ('${TOOL_KINDS.join(`', '`)}')`)
@Check('tool_overrides_versions_check', 'until_version > from_version')
@Check('tool_overrides_exposed_name_check', `exposed_name ~ '^[A-Za-z0-9_-]{1,64}$'`)
@Index('tool_overrides_present_idx', ['bundleId'], { where: 'until_version IS NULL' })
export class ToolOverrideRow {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: KEY })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'tool_overrides_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @PrimaryColumn('uuid', { name: 'entry_id', primaryKeyConstraintName: KEY })
  entryId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  kind: ToolKind;

  /** As its server has it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  name: string;

  @PrimaryColumn('integer', { name: 'from_version', primaryKeyConstraintName: KEY })
  fromVersion: number;

  /** Null: it holds now. */
  @Column('integer', { name: 'until_version', nullable: true })
  untilVersion: number | null;

  @Column('boolean', { name: 'is_enabled' })
  isEnabled: boolean;

  /** The name that clients see; null: as without an override. */
  @Column('text', { name: 'exposed_name', nullable: true })
  exposedName: string | null;

  @Column('text', { nullable: true })
  title: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb', { nullable: true })
  annotations: StricterHints | null;

  /** Argument → value. */
  @Column('jsonb', { name: 'fixed_arguments', nullable: true })
  fixedArguments: JsonObject | null;

  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'made_at', precision: 3 })
  madeAt: Date;
}
