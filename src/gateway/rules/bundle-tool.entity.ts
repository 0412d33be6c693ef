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
  Unique,
} from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';
import { TOOL_KINDS, type ToolKind } from './tool-kinds';

/**
 * A tool, prompt or template that the server of an entry lists, or has listed: which definition of it was noticed last. It says
 * what is news, and gives it an id; what is served depends on definitions and rules only.
 */
@Entity('bundle_tools', { comment: 'owner: gateway' })
@Check('bundle_tools_kind_check', `kind IN ('${TOOL_KINDS.join(`', '`)}')`)
@Unique('bundle_tools_name_key', ['bundleId', 'entryId', 'kind', 'name'])
@Index('bundle_tools_gone_idx', ['changedAt'], { where: 'NOT is_listed' })
export class BundleTool {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bundle_tools_pkey' })
  id: string;

  @Column('uuid', { name: 'bundle_id' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_tools_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  /** Refers to no row: an entry that was removed can come back with an earlier version of its bundle. */
  @Column('uuid', { name: 'entry_id' })
  entryId: string;

  @Column('text')
  kind: ToolKind;

  /** As its server has it. */
  @Column('text')
  name: string;

  /** Its definition has this digest; a tool that is gone keeps the last one. */
  @Column('bytea')
  digest: Buffer;

  /** What clients show besides (`shownText`); null: it is not compared. */
  @Column('bytea', { name: 'shown_digest', nullable: true })
  shownDigest: Buffer | null;

  @Column('boolean', { name: 'is_listed' })
  isListed: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'first_seen_at', precision: 3 })
  firstSeenAt: Date;

  /** When it was last noticed that it had changed, gone or come back. */
  @Column('timestamp with time zone', { name: 'changed_at', precision: 3, default: () => 'now()' })
  changedAt: Date;
}
