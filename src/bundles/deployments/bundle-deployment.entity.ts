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
  UpdateDateColumn,
} from 'typeorm';
import { Bundle } from '../bundle.entity';
import { DEPLOYMENT_KINDS, type DeploymentKind } from './deployment-kind';
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from './deployment-status';

/** Where a bundle runs, and which version of it. */
@Entity('bundle_deployments', { comment: 'owner: bundles' })
@Index('bundle_deployments_bundle_id_idx', ['bundleId', 'id'])
@Check('bundle_deployments_bundle_version_check', 'bundle_version > 0')
@Check('bundle_deployments_kind_check', `kind IN ('${DEPLOYMENT_KINDS.join(`', '`)}')`)
@Check('bundle_deployments_status_check', `status IN ('${DEPLOYMENT_STATUSES.join(`', '`)}')`)
export class BundleDeployment {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bundle_deployments_pkey' })
  id: string;

  @Column('uuid', { name: 'bundle_id' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_deployments_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @Column('text')
  name: string;

  @Column('text')
  environment: string;

  @Column('text', { default: 'EXTERNAL' })
  kind: DeploymentKind;

  /** The operator of an `EXTERNAL` one reports it; for an `ENDPOINT` it depends on whether the bundle is served. */
  @Column('text')
  status: DeploymentStatus;

  @Column('integer', { name: 'bundle_version' })
  bundleVersion: number;

  /** Null for an `ENDPOINT`, whose address follows from its id. */
  @Column('text', { nullable: true })
  url: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
