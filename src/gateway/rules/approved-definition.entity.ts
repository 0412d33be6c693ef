import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';

/**
 * What the digest of an approved definition stands for, so that it can be listed when its server has another one. Exactly what was
 * digested, without icons: no one can put anything else under the same digest.
 */
@Entity('approved_definitions', { comment: 'owner: gateway' })
@Check('approved_definitions_digest_check', `digest = sha256(convert_to(body, 'UTF8'))`)
@Index('approved_definitions_unused_since_idx', ['unusedSince'], { where: 'unused_since IS NOT NULL' })
export class ApprovedDefinition {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'approved_definitions_pkey' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'approved_definitions_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'approved_definitions_pkey' })
  digest: Buffer;

  /** Canonical JSON (`digestedText`). */
  @Column('text')
  body: string;

  /** Since when no present approval needs it; null: one does. */
  @Column('timestamp with time zone', { name: 'unused_since', precision: 3, nullable: true })
  unusedSince: Date | null;
}
