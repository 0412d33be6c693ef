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
import { DEFINITION_KINDS, type DefinitionKind } from '../protocol/definition-list';
import { UpstreamRow } from './upstream.entity';

const KEY = 'upstream_definitions_pkey';

/** A tool, prompt, resource or template as an upstream has defined it, now or before. Immutable but for when it was seen. */
@Entity('upstream_definitions', { comment: 'owner: gateway' })
@Check('upstream_definitions_kind_check', `kind IN ('${Object.keys(DEFINITION_KINDS).join(`', '`)}')`)
@Index('upstream_definitions_gone_idx', ['lastSeenAt'], { where: 'NOT is_listed' })
export class UpstreamDefinition {
  @PrimaryColumn('uuid', { name: 'upstream_id', primaryKeyConstraintName: KEY })
  upstreamId: string;

  @ManyToOne(() => UpstreamRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'upstream_id', foreignKeyConstraintName: 'upstream_definitions_upstream_id_fkey' })
  upstream: Relation<UpstreamRow>;

  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  kind: DefinitionKind;

  /** Its name, address or template. At most 1,024 bytes: a row of an index has room for 2.7 kB. */
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  name: string;

  /** SHA-256 of its canonical JSON (`definition-digest.ts`). */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: KEY })
  digest: Buffer;

  /** SHA-256 of what clients show besides (`shownText`), as it was last listed; null: not read since there is one. */
  @Column('bytea', { name: 'shown_digest', nullable: true })
  shownDigest: Buffer | null;

  /** How often that has changed, each time within a day of the time before. */
  @Column('integer', { name: 'shown_changes', default: 0 })
  shownChanges: number;

  @Column('timestamp with time zone', { name: 'shown_changed_at', precision: 3, nullable: true })
  shownChangedAt: Date | null;

  /** From 0, in the list of the upstream. */
  @Column('integer')
  place: number;

  /** JSON, byte for byte as it is offered: jsonb would reorder members and refuse `\u0000`. */
  @Column('text')
  body: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'first_seen_at', precision: 3 })
  firstSeenAt: Date;

  @Column('timestamp with time zone', { name: 'last_seen_at', precision: 3, default: () => 'now()' })
  lastSeenAt: Date;

  /** Whether the upstream lists it now, for some client. */
  @Column('boolean', { name: 'is_listed', default: true })
  isListed: boolean;
  /** For clients with which capabilities, a bit for each `CapabilitySet`; means nothing while it is not listed. */
  @Column('integer', { name: 'listed_for', default: 1 })
  listedFor: number;
}
