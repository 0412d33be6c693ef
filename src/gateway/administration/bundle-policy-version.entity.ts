import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';
import type { PolicySnapshot } from './policy-versions';

/** The policies of a bundle as a version of it has them, where that version changed them; earlier ones hold until then. */
@Entity('bundle_policy_versions', { comment: 'owner: gateway' })
export class BundlePolicyVersion {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'bundle_policy_versions_pkey' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_policy_versions_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  /** The version of the bundle has this number. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'bundle_policy_versions_pkey' })
  number: number;

  @Column('jsonb')
  kept: PolicySnapshot;
}
